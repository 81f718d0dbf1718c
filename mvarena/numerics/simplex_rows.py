"""Many quadratic programmes over the simplex at once, exactly: one matrix, a linear term per row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mvarena.system.threads import side_by_side_tasks

Array = NDArray[np.float64]

_NOISE = 1e-12
_BLOCK_ENTRIES = 2_000_000
# a face's number must fit into 64 bits; below so many rows on a face, many small systems at once take no longer
_NUMBERED, _SHARED = 62, 4


def simplex_quadratic_rows(Q: Array, F: Array) -> Array:
    """(n, r) rows z on the simplex that minimise z^T Q z / 2 - f^T z, for Q (r, r) positive definite and F (n, r).

    The active set method from each row's best corner, all rows of a block side by side, and blocks where threads allow;
    it ends where no entry would gain. Rows on the same face share one matrix. Time O(n r^2) per step where faces are
    few, O(n r^3) otherwise, and in practice as many steps as a row has entries above 0, and a few more; memory of the
    result and 32 MB per thread. Raises LinAlgError where Q is not positive definite.
    """
    r = len(Q)
    np.linalg.cholesky(Q)
    step = max(1, _BLOCK_ENTRIES // (r + 1) ** 2)
    blocks = [F[first : first + step] for first in range(0, len(F), step)]
    with side_by_side_tasks(len(blocks)) as each:
        return np.concatenate(list(each(lambda block: _block(Q, block), blocks))) if blocks else np.empty(F.shape)


def _block(Q: Array, F: Array) -> Array:
    n, r = F.shape
    Z = np.zeros((n, r))
    Z[np.arange(n), np.argmin(np.diagonal(Q) / 2 - F, axis=1)] = 1.0
    free = Z > 0
    noise = _NOISE * np.maximum(np.abs(F).max(axis=1), np.abs(Q).max())
    left = np.arange(n)
    for _ in range(50 * r + 50):
        target = _on_the_faces(Q, F[left], free[left])
        falling = free[left] & (target < 0)
        stuck = falling.any(axis=1)
        _step_back(Z, free, left[stuck], target[stuck], falling[stuck])
        moved = left[~stuck]
        Z[moved] = target[~stuck]
        slopes = Z[moved] @ Q - F[moved]
        level = np.where(free[moved], slopes, 0.0).sum(axis=1) / free[moved].sum(axis=1)
        gain = np.where(free[moved], np.inf, slopes - level[:, None])
        open_rows = gain.min(axis=1) < -noise[moved]
        free[moved[open_rows], gain[open_rows].argmin(axis=1)] = True
        left = np.concatenate([left[stuck], moved[open_rows]])
        if not left.size:
            break
    return Z / Z.sum(axis=1, keepdims=True)


def _step_back(
    Z: Array, free: NDArray[np.bool_], rows: NDArray[np.int64], target: Array, falling: NDArray[np.bool_]
) -> None:
    """Go towards the target until the first entry is 0, and hold that one there; changes Z and free."""
    if not rows.size:
        return
    here = Z[rows]
    shares = np.divide(here, here - target, out=np.full_like(here, np.inf), where=falling)
    blocking = shares.argmin(axis=1)
    share = shares[np.arange(len(rows)), blocking]
    here = np.maximum(here + share[:, None] * (target - here), 0.0)
    here[np.arange(len(rows)), blocking] = 0.0
    Z[rows] = here
    free[rows, blocking] = False


def _on_the_faces(Q: Array, F: Array, free: NDArray[np.bool_]) -> Array:
    """(n, r) the minimisers over the entries that are free, with sum 1 but of any sign."""
    if F.shape[1] > _NUMBERED:
        return _one_by_one(Q, F, free)
    numbers, face = np.unique(free @ (1 << np.arange(F.shape[1])), return_inverse=True)
    if len(F) < _SHARED * len(numbers):
        return _one_by_one(Q, F, free)
    found = np.zeros(F.shape)
    order = np.argsort(face, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(face))[:-1]):
        own = np.flatnonzero(free[rows[0]])
        # z = A f + (1 - 1^T A f) A 1 / (1^T A 1), with A the inverse of the face's part of Q
        solved = np.linalg.solve(Q[np.ix_(own, own)], np.column_stack([F[np.ix_(rows, own)].T, np.ones(len(own))]))
        alone, level = solved[:, :-1].T, solved[:, -1]
        found[np.ix_(rows, own)] = alone + (1.0 - alone.sum(axis=1))[:, None] * (level / level.sum())
    return found


def _one_by_one(Q: Array, F: Array, free: NDArray[np.bool_]) -> Array:
    """As `_on_the_faces`, one system for each row, those of one size side by side."""
    found = np.zeros(F.shape)
    # of the size of Q, so that the systems stay well conditioned
    scale = float(np.abs(Q).max())
    sizes = free.sum(axis=1)
    for size in np.unique(sizes):
        rows = np.flatnonzero(sizes == size)
        own = np.nonzero(free[rows])[1].reshape(len(rows), size)
        system = np.zeros((len(rows), size + 1, size + 1))
        system[:, :size, :size] = Q[own[:, :, None], own[:, None, :]]
        system[:, :size, size] = system[:, size, :size] = scale
        right = np.full((len(rows), size + 1), scale)
        right[:, :size] = F[rows[:, None], own]
        found[rows[:, None], own] = np.linalg.solve(system, right[:, :, None])[:, :size, 0]
    return found
