"""Eigenproblems by SciPy, by NumPy and by LAPACK without Python's lock: bare ones, and the methods that solve them.

Results and what follows from them: results/eigenproblems.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from benchmarks import inputs
from benchmarks.harness import case
from benchmarks.methods import fitted
from benchmarks.watch import Watch


@case(
    "eigenproblems", group="eigenproblems", threads=1, beside={"way": "scipy-evd"}, version="2",
    grid={"n": [500, 2000], "precision": ["float64", "float32"], "way": ["scipy-evd", "scipy-evr", "numpy", "lapack"]},
    quick={"n": [500], "precision": ["float64", "float32"], "way": ["scipy-evd", "numpy", "lapack"]},
)  # fmt: skip
def eigenproblems(watch: Watch, n: int, precision: str, way: str, at_once: int = 2) -> None:
    """The upper half of the eigenpairs of random Gram matrices: one, and several side by side, per problem."""
    grams = [_gram(n, seed, precision) for seed in range(at_once)]
    solve = _ways(float(np.median(np.diag(grams[0]))))[way]
    solve(grams[0][:50, :50].copy())
    with watch("alone"):
        solve(grams[0])
    with ThreadPoolExecutor(at_once) as pool, watch("side by side", per=2 * at_once):
        list(pool.map(solve, grams * 2))


def _ways(least: float) -> dict[str, Callable[[Any], Any]]:
    from scipy import linalg

    from mvarena.numerics.unlocked_lapack import unlocked_eigenpairs_above

    return {
        "scipy-evd": lambda G: linalg.eigh(G, driver="evd", check_finite=False),
        "scipy-evr": lambda G: linalg.eigh(G, driver="evr", check_finite=False),
        "numpy": np.linalg.eigh,
        "lapack": lambda G: unlocked_eigenpairs_above(G, least),
    }


def _gram(n: int, seed: int, dtype: str) -> Any:
    """The Gram matrix of n random points, whose spectrum falls slowly."""
    points = np.random.default_rng(seed).standard_normal((n, n)).astype(dtype)
    return points.T @ points


@case(
    "eigen-methods", group="eigenproblems", beside={"path": "library"}, measures=("wall", "CPU", "MiB"),
    grid={"data": ["digits:0.3"], "n": [500, 2000], "method": ["rmsc", "lrssc-pairwise", "emvc"],
          "path": ["library", "lapack"]},
    quick={"data": ["digits:0.3"], "n": [500], "method": ["lrssc-pairwise"], "path": ["library", "lapack"]},
)  # fmt: skip
def eigen_methods(watch: Watch, data: str, n: int, method: str, path: str) -> dict[str, Any]:
    """Whole methods with the eigenproblems of NumPy and SciPy, and with LAPACK's without Python's lock."""
    from mvarena.numerics.eigen import SWITCH

    os.environ[SWITCH] = path
    views = inputs.load(data, n)
    return fitted(watch, method, views, ("fill-mean", "zscore"), n_clusters=views.n_clusters, random_state=0)
