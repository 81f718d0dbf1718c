"""USPS and MNIST, images of the two paired by class as in APMC (AAAI 2019), section 5.1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData
from mvarena.loaders.dataset import Files, load_carded

_PAIRS_PER_DIGIT = 50


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
