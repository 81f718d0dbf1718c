"""What a method does meanwhile: LAPACK's operations and those of singular value thresholds, counted call by call.

A share of peak is the time that these would take at the rate of one product of two matrices, in the precision in which
they are made, measured in the same process, of the time that was spent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock, local
from typing import Any

import numpy as np
from scipy import linalg

from benchmarks.flops import ROUTINES

_OUTSIDE = local()


@dataclass
class Counted:
    """Operations in double and in single precision; seconds in which a thread or more was in LAPACK, and its calls."""

    double: float = 0.0
    single: float = 0.0
    seconds: float = 0.0
    calls: int = 0
    _under_way: int = 0
    _since: float = 0.0
    _lock: Lock = field(default_factory=Lock)

    @property
    def flops(self) -> float:
        return self.double + self.single

    def add(self, flops: float, dtype: Any) -> None:
        with self._lock:
            if np.dtype(dtype) == np.float32:
                self.single += flops
            else:
                self.double += flops

    @contextmanager
    def call(self) -> Iterator[None]:
        """Around one call: what several threads spend at once counts once."""
        with self._lock:
            self.calls += 1
            if not self._under_way:
                self._since = time.perf_counter()
            self._under_way += 1
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1
                if not self._under_way:
                    self.seconds += time.perf_counter() - self._since


@contextmanager
def counted_operations() -> Iterator[Counted]:
    """Counts what is called by its name in numpy.linalg and scipy.linalg, where calls within calls count once, and the
    products of singular value thresholds (`mvarena.numerics`)."""
    from mvarena.numerics import low_rank, proximal

    found = Counted()
    wrapped = [(module, name, _lapack(flops)) for module in (np.linalg, linalg) for name, flops in ROUTINES.items()]
    for module in (proximal, low_rank):
        wrapped += [(module, "right_singular_pairs", _gram), (module, "shrunk_factors", _shrunk)]
    wrapped.append((low_rank.LowRankMatrix, "rows", _rows))
    before = []
    try:
        for place, name, watched in wrapped:
            if (routine := getattr(place, name, None)) is not None:
                before.append((place, name, routine))
                setattr(place, name, watched(routine, found))
        yield found
    finally:
        for place, name, routine in before:
            setattr(place, name, routine)


def product_rate(dtype: Any = np.float64, size: int = 1200, times: int = 3) -> float:
    """Operations a second of a product of two matrices, here and now."""
    A = np.random.default_rng(0).standard_normal((size, size)).astype(dtype)
    best = np.inf
    for _ in range(times + 1):
        started = time.perf_counter()
        A @ A
        best = min(best, time.perf_counter() - started)
    return 2.0 * size**3 / best


def _lapack(flops: Callable[..., float]) -> Callable[[Callable[..., Any], Counted], Callable[..., Any]]:
    def watched(routine: Callable[..., Any], found: Counted) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if getattr(_OUTSIDE, "inside", False):
                return routine(*args, **kwargs)
            _OUTSIDE.inside = True
            try:
                with found.call():
                    return routine(*args, **kwargs)
            finally:
                _OUTSIDE.inside = False
                first = args[0][0] if isinstance(args[0], tuple) else args[0]
                # NumPy's routines compute in double precision whatever they are given
                dtype = np.float64 if routine.__module__.startswith("numpy") else getattr(first, "dtype", np.float64)
                found.add(flops(*args, **kwargs), dtype)

        return call

    return watched


def _gram(routine: Callable[..., Any], found: Counted) -> Callable[..., Any]:
    """M^T M of M (n, m), symmetric: n m^2 operations."""

    def call(matrix: Any, *args: Any, **kwargs: Any) -> Any:
        found.add(float(matrix.shape[0]) * matrix.shape[1] ** 2, matrix.dtype)
        return routine(matrix, *args, **kwargs)

    return call


def _shrunk(routine: Callable[..., Any], found: Counted) -> Callable[..., Any]:
    """M V (n, m) x (m, r), or V V^T, symmetric, where M is kept as it is."""

    def call(matrix: Any, values: Any, vectors: Any, tau: float) -> Any:
        (n, m), r = matrix.shape, len(values)
        left, right = routine(matrix, values, vectors, tau)
        found.add(float(m) * m * r if left is matrix else 2.0 * n * m * r, matrix.dtype)
        return left, right

    return call


def _rows(routine: Callable[..., Any], found: Counted) -> Callable[..., Any]:
    def call(self: Any, rows: slice) -> Any:
        product = routine(self, rows)
        found.add(2.0 * product.size * self.right.shape[1], product.dtype)
        return product

    return call
