"""Handwritten digits: the six views of the UCI Multiple Features data; USPS and MNIST.

`digits` is the bundle that comes with mvarena (rounded to about five significant digits by its packager), the
same numbers everywhere; `digits-uci` is read from the publisher's own files. Source: R. Duin, Multiple Features,
UCI Machine Learning Repository, 1998, https://doi.org/10.24432/C5HC70 (CC BY 4.0).
"""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.loaders.dataset import Files, load_carded
from mvarena.readers.limits import compact
from mvarena.readers.mat import read_mat

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


# Images of handwritten digits: USPS, MNIST (its test set), and the pairing of the two by class.
#
# Sources: Hull 1994 (USPS, https://hastie.su.domains/ElemStatLearn/data.html), LeCun et al. 1998 (MNIST,
# http://yann.lecun.com/exdb/mnist/); the pairing is that of APMC (AAAI 2019), section 5.1.

_IDX_UNSIGNED_BYTES = b"\0\0\x08"
_LARGEST_IDX = 1 << 27
_PAIRS_PER_DIGIT = 50


def read_usps(files: Files) -> MultiViewData:
    """9298 images of 16 x 16 pixels from 0 to 1: the 7291 training images, then the 2007 test images."""
    variables = read_mat(files["USPS.mat"])
    images = np.hstack([variables["Train_DAT"], variables["Test_DAT"]]).T
    digits = np.hstack([variables["trainlabels"], variables["testlabels"]]).ravel() % 10  # the file calls 0 ten
    return MultiViewData.from_arrays([compact(images)], labels=digits, name="usps", view_names=["pixels"])


def read_mnist(files: Files) -> MultiViewData:
    """The 10000 test images of 28 x 28 pixels from 0 to 255."""
    images = read_idx(files["t10k-images-idx3-ubyte.gz"])
    digits = read_idx(files["t10k-labels-idx1-ubyte.gz"])
    pixels = compact(images.reshape(len(images), -1))
    return MultiViewData.from_arrays([pixels], labels=digits, name="mnist", view_names=["pixels"])


def read_usps_mnist(files: Files, seed: int) -> MultiViewData:
    """50 images of each digit from USPS and 50 from MNIST, drawn by the seed without replacement and paired.

    The first view is USPS (256 pixels, 0 to 1), the second MNIST (784 pixels, 0 to 255). MNIST images come from
    its test set; the paper draws from all 70000.
    """
    del files  # those of the two sets, which are at hand by now
    rng = np.random.default_rng(seed)
    sets = [load_carded("usps"), load_carded("mnist")]
    return MultiViewData.from_arrays(
        [images.views[0].matrix[_draw_per_digit(images, rng)] for images in sets],
        labels=np.repeat(np.arange(10), _PAIRS_PER_DIGIT),
        name="usps-mnist",
        view_names=["usps", "mnist"],
    )


def _draw_per_digit(images: MultiViewData, rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows of 50 images of each digit, digit by digit."""
    digits = images.labels  # 0 to 9, as the classes are in order
    draws = [rng.choice(np.flatnonzero(digits == d), _PAIRS_PER_DIGIT, replace=False) for d in range(10)]
    return np.concatenate(draws)


def read_idx(path: Path) -> NDArray[np.uint8]:
    """The array of bytes in a gzipped IDX file (the format of MNIST). Raises InvalidData if it is damaged."""
    try:
        with gzip.open(path) as stream:
            content = stream.read(_LARGEST_IDX + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidData(f"{path} cannot be unpacked: {error}.") from error
    dimensions = content[3] if len(content) > 3 else 0
    start = 4 + 4 * dimensions
    if content[:3] != _IDX_UNSIGNED_BYTES or not 1 <= dimensions <= 3 or len(content) < start:
        raise InvalidData(f"{path} is not an IDX file of unsigned bytes.")
    shape = tuple(np.frombuffer(content[4:start], dtype=">u4").tolist())
    values = np.frombuffer(content[start:], dtype=np.uint8)
    if values.size != math.prod(shape):
        raise InvalidData(f"{path} announces {' x '.join(map(str, shape))} bytes and holds {values.size}.")
    return values.reshape(shape)
