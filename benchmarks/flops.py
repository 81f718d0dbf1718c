"""Floating point operations that a method needs: LAPACK's are counted call by call, matrix products by formula.

A share of peak is such a count, divided by the seconds and by what one product of two matrices reaches in the same
process. The formulas stand here for the methods that take longest; for another its share is LAPACK's alone, and so
at least what is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

_EIGEN_ALL, _EIGEN_FEW = 9.0, 4 / 3


@dataclass
class Counted:
    """What LAPACK did: operations, seconds, calls."""

    flops: float = 0.0
    seconds: float = 0.0
    calls: int = 0
    inside: bool = False


@dataclass(frozen=True)
class Shape:
    """n samples, d_v features of the views (stored numbers of each, too), k clusters, iterations."""

    n: int
    d: tuple[int, ...]
    stored: tuple[int, ...]
    k: int
    iterations: int


def _eigen(a: Any, *_: Any, subset_by_index: Any = None, **__: Any) -> float:
    n = float(np.shape(a)[-1])
    batch = float(np.prod(np.shape(a)[:-2]))
    return batch * n**3 * (_EIGEN_ALL if subset_by_index is None else _EIGEN_FEW)


def _svd(a: Any, *_: Any, **__: Any) -> float:
    m, n = sorted(map(float, np.shape(a)[-2:]), reverse=True)
    return float(np.prod(np.shape(a)[:-2])) * (6 * m * n**2 + 20 * n**3)


def _solve(a: Any, b: Any, *_: Any, **__: Any) -> float:
    n, columns = float(np.shape(a)[-1]), float(np.prod(np.shape(b))) / np.shape(a)[-1]
    return float(np.prod(np.shape(a)[:-2])) * 2 / 3 * n**3 + 2 * n**2 * columns


def _half_solve(a: Any, b: Any, *_: Any, **__: Any) -> float:
    factor = a[0] if isinstance(a, tuple) else a
    return (2.0 if isinstance(a, tuple) else 1.0) * float(np.shape(factor)[-1]) * float(np.prod(np.shape(b)))


def _qr(a: Any, *_: Any, **__: Any) -> float:
    m, n = sorted(map(float, np.shape(a)[-2:]), reverse=True)
    return 4 * m * n**2


def _cholesky(a: Any, *_: Any, **__: Any) -> float:
    return float(np.shape(a)[-1]) ** 3 / 3


_ROUTINES: dict[str, Callable[..., float]] = {
    "eigh": _eigen, "eigvalsh": _eigen, "svd": _svd, "pinv": _svd, "solve": _solve, "inv": lambda a, *_, **__: 2 *
    float(np.shape(a)[-1]) ** 3, "qr": _qr, "cholesky": _cholesky, "cho_factor": _cholesky, "cho_solve": _half_solve,
    "solve_triangular": _half_solve,
}  # fmt: skip


@contextmanager
def counted_lapack() -> Iterator[Counted]:
    """Counts what is called meanwhile by its name in numpy.linalg and scipy.linalg; calls within calls count once."""
    found, before = Counted(), []
    for module in (np.linalg, linalg):
        for name, flops in _ROUTINES.items():
            if (routine := getattr(module, name, None)) is not None:
                before.append((module, name, routine))
                setattr(module, name, _watched(routine, flops, found))
    try:
        yield found
    finally:
        for module, name, routine in before:
            setattr(module, name, routine)


def _watched(routine: Callable[..., Any], flops: Callable[..., float], found: Counted) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        if found.inside:
            return routine(*args, **kwargs)
        found.inside = True
        started = time.perf_counter()
        try:
            return routine(*args, **kwargs)
        finally:
            found.inside = False
            found.seconds += time.perf_counter() - started
            found.calls += 1
            found.flops += flops(*args, **kwargs)

    return call


def product_rate(size: int = 1200, times: int = 3) -> float:
    """Operations a second of a product of two matrices in double precision, here and now."""
    A = np.random.default_rng(0).standard_normal((size, size))
    best = np.inf
    for _ in range(times + 1):
        started = time.perf_counter()
        A @ A
        best = min(best, time.perf_counter() - started)
    return 2.0 * size**3 / best


def _dsnmf(s: Shape, first: int = 100, last: int = 50, steps: int = 100) -> float:
    width = min(s.n, sum(s.d))
    pre = steps * (4 * s.n * width * first + 10 * s.n * first**2 + 4 * width * first**2)
    pre += steps * (4 * s.n * first * last + 10 * s.n * last**2)
    each = sum(4 * s.n * min(s.n, d) * last + 10 * (s.n + min(s.n, d)) * last**2 for d in s.d)
    return pre + s.iterations * each


def _rnnmf(s: Shape, p: int = 60) -> float:
    products = sum(4 * p * stored for stored in s.stored)
    return s.iterations * (products + sum(2 * s.n**2 * p + 6 * p**2 * (s.n + d) for d in s.d))


def _ecmsc(s: Shape, passes: int = 30) -> float:
    per_pass = sum(4 * s.n**2 * min(s.n, d) + 4 * s.n * d * min(s.n, d) for d in s.d)
    return s.iterations * (passes * per_pass + sum(2 * s.n**2 * d for d in s.d) * 3)


def _img(s: Shape) -> float:
    return s.iterations * 4 * s.n**2 * s.k


def _markov(s: Shape) -> float:
    # M^T M, and M times its shrunk right singular vectors, of which there may be fewer than n
    return s.iterations * 4.0 * s.n**3


PRODUCTS: dict[str, Callable[[Shape], float]] = {
    "dsnmf": _dsnmf, "rnnmf": _rnnmf, "ecmsc": _ecmsc, "img": _img, "emvc": _markov, "emvc-trace": _markov,
    "emvc-g1": _markov, "emvc-l21": _markov, "rmsc": _markov,
}  # fmt: skip
