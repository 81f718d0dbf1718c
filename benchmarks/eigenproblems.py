"""All eigenpairs of Gram matrices: SciPy's, NumPy's and our way, one after the other and side by side, as a table.

    OMP_NUM_THREADS=1 python benchmarks/eigenproblems.py

One thread each, as tasks side by side have. Times are per problem, so that a method which lets two run at once shows
about half of its time alone.

Conclusion (SciPy 1.17, NumPy 2.4, two cores): SciPy's driver is as fast as any alone, and two of them take their turns.
Side by side ours takes 0.6 of its time, and 0.3 in single precision.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from scipy import linalg

from mvarena.numerics.eigenproblem import eigenpairs_above

METHODS: dict[str, Callable[[Any], Any]] = {
    "scipy.linalg.eigh, evd": lambda G: linalg.eigh(G, driver="evd", check_finite=False),
    "scipy.linalg.eigh, evr": lambda G: linalg.eigh(G, driver="evr", check_finite=False),
    "numpy.linalg.eigh": np.linalg.eigh,
    "eigenpairs_above, all": lambda G: eigenpairs_above(G, -np.inf),
    "eigenpairs_above, the upper half": lambda G: eigenpairs_above(G, float(np.median(np.diag(G)))),
}


def gram(n: int, seed: int, dtype: Any) -> Any:
    """The Gram matrix of n random points, whose spectrum falls slowly."""
    points = np.random.default_rng(seed).standard_normal((n, n)).astype(dtype)
    return points.T @ points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=2000, help="size of the matrices (default 2000)")
    parser.add_argument("--at-once", type=int, default=2, help="problems side by side (default 2)")
    options = parser.parse_args()
    print("| method | precision | alone, s | side by side, s per problem |")
    print("|---|---|---|---|")
    for dtype in (np.float64, np.float32):
        grams = [gram(options.samples, seed, dtype) for seed in range(options.at_once)]
        for name, method in METHODS.items():
            method(grams[0][:50, :50].copy())
            start = time.perf_counter()
            method(grams[0])
            alone = time.perf_counter() - start
            with ThreadPoolExecutor(options.at_once) as pool:
                start = time.perf_counter()
                list(pool.map(method, grams * 2))
                beside = (time.perf_counter() - start) / (2 * options.at_once)
            print(f"| {name} | {np.dtype(dtype).name} | {alone:.2f} | {beside:.2f} |", flush=True)


if __name__ == "__main__":
    main()
