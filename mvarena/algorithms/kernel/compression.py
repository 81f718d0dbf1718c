"""Compression: EE-IMVC on a handful of rows that stand for all samples, so that an iteration does not depend on n.

In the samples of one availability pattern, every H and H_p that the iteration meets is a combination of the columns
that the pattern's views (and the prior) have there. With Q an orthonormal basis of those columns, Q^T takes the
pattern's rows to as many rows as there are columns, and changes no inner product, singular value or trace: each update
of Algorithm 1 commutes with Q, so the small problem has the same objectives, weights and rotations, and its H times Q
is the large one's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg


@dataclass(frozen=True, eq=False, slots=True)
class Compression:
    """The small problem, and the way back.

    partitions : V arrays (m, k); mask : (m, V); prior : (m, k) or None.
    rows, bases : per pattern its samples and Q (n_g, m_g), or None where its rows stand for themselves.
    """

    partitions: list[NDArray[np.float64]]
    mask: NDArray[np.bool_]
    prior: NDArray[np.float64] | None
    rows: list[NDArray[np.int64]]
    bases: list[NDArray[np.float64] | None]

    def expand(self, small: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, k) from (m, k)."""
        large = np.empty((sum(len(rows) for rows in self.rows), small.shape[1]))
        start = 0
        for rows, basis in zip(self.rows, self.bases, strict=True):
            count = len(rows) if basis is None else basis.shape[1]
            part = small[start : start + count]
            large[rows] = part if basis is None else basis @ part
            start += count
        return large


def compress(
    partitions: Sequence[NDArray[np.float64]], mask: NDArray[np.bool_], prior: NDArray[np.float64] | None = None
) -> Compression:
    """The small problem of V base partitions (n, k) that are zero where `mask` (n, V) is False, and a prior (n, k).

    Cost O(n (V k)^2) once; memory: one copy of the partitions.
    """
    n_views, k = len(partitions), partitions[0].shape[1]
    patterns, members = np.unique(mask, axis=0, return_inverse=True)
    order = np.argsort(members.ravel(), kind="stable")
    groups = np.split(order, np.cumsum(np.bincount(members.ravel()))[:-1])
    bases: list[NDArray[np.float64] | None] = []
    blocks = []
    for pattern, rows in zip(patterns, groups, strict=True):
        sources = [partitions[view] for view in range(n_views) if pattern[view]]
        if prior is not None:
            sources.append(prior)
        # in the order in which LAPACK can overwrite them
        columns = np.empty((len(rows), len(sources) * k), order="F")
        for i, source in enumerate(sources):
            columns[:, i * k : (i + 1) * k] = source[rows]
        basis = None
        if len(rows) > 2 * columns.shape[1]:
            basis, columns = linalg.qr(columns, mode="economic", overwrite_a=True, check_finite=False)
        bases.append(basis)
        blocks.append(_all_columns(columns, pattern, k, prior is not None))
    small = np.vstack(blocks)
    return Compression(
        [small[:, view * k : (view + 1) * k] for view in range(n_views)],
        np.repeat(patterns, [len(block) for block in blocks], axis=0),
        None if prior is None else small[:, n_views * k :],
        groups,
        bases,
    )


def _all_columns(
    columns: NDArray[np.float64], pattern: NDArray[np.bool_], k: int, with_prior: bool
) -> NDArray[np.float64]:
    """The pattern's columns at their places among those of all views and the prior; zero for the views it misses."""
    present = np.append(pattern, True) if with_prior else pattern
    spread = np.zeros((len(columns), len(present) * k))
    spread[:, np.repeat(present, k)] = columns
    return spread
