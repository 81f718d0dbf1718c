"""Handwritten digits: the UCI Multiple Features data, six views of 2000 digits.

`digits` is the bundle that comes with mvarena (rounded to about five significant digits by its packager), the
same numbers everywhere; `digits-uci` is read from the publisher's own files. Source: R. Duin, Multiple Features,
UCI Machine Learning Repository, 1998, https://doi.org/10.24432/C5HC70 (CC BY 4.0).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData
from mvarena.loaders.carded import Files

VIEWS = ("fou", "fac", "kar", "pix", "zer", "mor")
_PER_CLASS = 200
_POWERS_OF_TEN = np.array([float(f"1e{i}") for i in range(23)])  # all exact in float64


def read_digits(files: Files) -> MultiViewData:
    """The bundled digits: 2000 samples, 200 per class, views fou 76, fac 216, kar 64, pix 240, zer 47, mor 6.

    The bundle keeps each decimal number as numerator / 10 ** decimals; see datasets/digits/build.py.
    """
    with np.load(files["digits.npz"], allow_pickle=False) as bundle:
        arrays = [_decimals(bundle, view) for view in VIEWS]
        return MultiViewData.from_arrays(arrays, labels=bundle["labels"], name="digits", view_names=VIEWS)


def _decimals(bundle: Mapping[str, NDArray[Any]], view: str) -> NDArray[np.float64]:
    """The view's numbers; an exactly rounded division gives what parsing the decimal text would."""
    numerator = bundle[f"{view}_numerator"].astype(np.float64)
    decimals = f"{view}_decimals"
    return numerator / _POWERS_OF_TEN[bundle[decimals]] if decimals in bundle else numerator


def read_digits_uci(files: Files) -> MultiViewData:
    """The publisher's mfeat-* files: one line per digit, 200 of each class in order 0 to 9."""
    arrays = [np.loadtxt(files[f"mfeat-{view}"]) for view in VIEWS]
    labels = np.repeat(np.arange(10), _PER_CLASS)
    return MultiViewData.from_arrays(arrays, labels=labels, name="digits-uci", view_names=VIEWS)
