"""Floating point operations by formula: of LAPACK's routines, and of the matrix products of single methods.

`counted.py` counts by the former what is called. The latter are for methods that take long; what is told of any other
is a lower bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

# reduction to a tridiagonal matrix; its eigenvectors by divide and conquer, of which deflation leaves half (Tisseur and
# Dongarra 1999); and their way back
_EIGEN_FEW = 4 / 3
_EIGEN_ALL = _EIGEN_FEW + 4 / 3 + 2


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


ROUTINES: dict[str, Callable[..., float]] = {
    "eigh": _eigen, "eigvalsh": _eigen, "svd": _svd, "pinv": _svd, "solve": _solve, "inv": lambda a, *_, **__: 2 *
    float(np.shape(a)[-1]) ** 3, "qr": _qr, "cholesky": _cholesky, "cho_factor": _cholesky, "cho_solve": _half_solve,
    "solve_triangular": _half_solve,
}  # fmt: skip


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


PRODUCTS: dict[str, Callable[[Shape], float]] = {"dsnmf": _dsnmf, "rnnmf": _rnnmf, "ecmsc": _ecmsc, "img": _img}
# of these, from so many samples on the products are in single precision
SINGLE_ABOVE = {"ecmsc": 400}
