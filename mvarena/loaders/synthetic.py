"""Data sets that are drawn anew from each seed: Gaussian mixtures of two papers, and pairs of images of digits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData
from mvarena.loaders.dataset import Files, load_carded

VIEWS = ("view1", "view2")
_PAIRS_PER_DIGIT = 50
Gaussian = tuple[Sequence[float], Sequence[Sequence[float]]]  # mean (d,), covariance (d, d)

# Guo and Ye, APMC (AAAI 2019), section 5.1: one row per view, one Gaussian per cluster
_APMC: tuple[tuple[Gaussian, ...], ...] = (
    (([1, 1], [[0.3, 0], [0, 0.4]]), ([4, 2], [[0.2, 0.15], [0.15, 0.35]])),
    (([1, 3], [[0.25, -0.05], [-0.05, 0.2]]), ([3, 1], [[0.4, 0.1], [0.1, 0.3]])),
)
# EMVC, section IV-B, eq. (33): the covariance * and the covariance **
_WIDE = [[1, 0.5], [0.5, 1.5]]
_NARROW = [[0.3, 0], [0, 0.6]]
_EMVC: tuple[tuple[Gaussian, ...], ...] = (
    (([1, 1], _WIDE), ([2, 2], _NARROW)),
    (([2, 2], _NARROW), ([1, 1], _WIDE)),
)


def load_synthetic_apmc(seed: int) -> MultiViewData:
    """200 samples of a two-component mixture in two views of two features (APMC, section 5.1).

    The paper does not say how large the clusters are: here each sample's component is chosen with probability
    1/2, the same one in both views.
    """
    rng = np.random.default_rng(seed)
    return _mixture("synthetic-apmc", _APMC, rng.integers(0, 2, size=200), rng)


def load_synthetic_emvc(seed: int) -> MultiViewData:
    """1000 samples, 500 per cluster, in two views whose clusters overlap (EMVC, section IV-B)."""
    rng = np.random.default_rng(seed)
    return _mixture("synthetic-emvc", _EMVC, np.repeat([0, 1], 500), rng)


def _mixture(
    name: str, views: tuple[tuple[Gaussian, ...], ...], labels: NDArray[np.int64], rng: np.random.Generator
) -> MultiViewData:
    """Draw each view's rows from the Gaussian of their cluster, views and clusters in order."""
    arrays = []
    for gaussians in views:
        array = np.empty((labels.size, len(gaussians[0][0])))
        for cluster, (mean, covariance) in enumerate(gaussians):
            rows = np.flatnonzero(labels == cluster)
            array[rows] = _draw(np.asarray(mean, dtype=float), np.asarray(covariance), rows.size, rng)
        arrays.append(array)
    return MultiViewData.from_arrays(
        arrays, labels=labels, n_clusters=len(views[0]), name=name, view_names=VIEWS[: len(views)]
    )


def _draw(
    mean: NDArray[np.float64], covariance: NDArray[np.float64], n: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """n points (n, d) of a Gaussian: mean + L z with L L^T the covariance.

    Summed column by column rather than by a matrix product or `multivariate_normal`, whose order of operations
    (and sign of singular vectors) depends on the machine: a seed gives the same numbers everywhere.
    """
    factor = np.linalg.cholesky(covariance)
    normal = rng.standard_normal((n, mean.size))
    points = np.tile(mean, (n, 1))
    for j in range(mean.size):
        points += normal[:, [j]] * factor[:, j]
    return points


# USPS and MNIST, images of the two paired by class as in APMC, section 5.1.


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
