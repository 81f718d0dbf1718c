"""Many quadratic programmes over the simplex at once, exactly: one matrix, a linear term per row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_NOISE = 1e-12
_BLOCK_ENTRIES = 2_000_000


def simplex_quadratic_rows(Q: Array, F: Array) -> Array:
    """(n, r) rows z on the simplex that minimise z^T Q z / 2 - f^T z, for Q (r, r) positive definite and F (n, r).

    The active set method from each row's best corner, all rows of a block side by side; it ends where no entry would
    gain. Time O(n r^3) per step, in practice as many steps as a row has entries above 0, and a few more; memory of the
    result and 32 MB. Raises LinAlgError where Q is not positive definite.
    """
    r = len(Q)
    np.linalg.cholesky(Q)
    found = np.empty(F.shape)
    step = max(1, _BLOCK_ENTRIES // (r + 1) ** 2)
    for first in range(0, len(F), step):
        found[first : first + step] = _block(Q, F[first : first + step])
    return found


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
    n, r = F.shape
    # of the size of Q, so that the systems stay well conditioned
    size = float(np.abs(Q).max())
    system = np.zeros((n, r + 1, r + 1))
    system[:, :r, :r] = Q * (free[:, :, None] & free[:, None, :])
    system[:, np.arange(r), np.arange(r)] += size * ~free
    system[:, :r, r] = system[:, r, :r] = size * free
    right = np.concatenate([np.where(free, F, 0.0), np.full((n, 1), size)], axis=1)
    return np.asarray(np.linalg.solve(system, right[:, :, None])[:, :r, 0])
