"""Minima over the probability simplex: quadratic programmes, weights of kernels, rows with few allowed entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.optimize import nnls

from mvarena.numerics.proximal import project_simplex_rows
from mvarena.system.threads import side_by_side_tasks

Array = NDArray[np.float64]

_NOISE = 1e-12
_BLOCK_ENTRIES = 2_000_000
# up to this condition number, gradient steps find most of a minimum's face in less time than a walk from a corner
_WELL_CONDITIONED = 250.0
_STEPS_PER_ROOT = 3  # steps per square root of the condition number: each of these lowers the distance e-fold
# a face's number must fit into 64 bits; below so many rows on a face, many small systems at once take no longer
_NUMBERED, _SHARED = 62, 4


def simplex_quadratic_rows(Q: Array, F: Array) -> Array:
    """(n, r) rows z on the simplex that minimise z^T Q z / 2 - f^T z, for Q (r, r) positive definite and F (n, r).

    The active set method, all rows of a block side by side, and blocks where threads allow; it ends where no entry
    would gain. It begins near the minimum where Q is well conditioned, since rows have many entries above 0 there, and
    at each row's best corner elsewhere. Rows on the same face share one matrix. Time O(n r^2) per step where faces are
    few, O(n r^3) otherwise, and in practice a few steps, or from a corner as many as a row has entries above 0, and a
    few more; memory of the result and 32 MB per thread. Raises LinAlgError where Q is not positive definite.
    """
    r = len(Q)
    np.linalg.cholesky(Q)
    eigenvalues = np.linalg.eigvalsh(Q)
    least, largest = float(eigenvalues[0]), float(eigenvalues[-1])
    starts = partial(_near_minima, least, largest) if largest <= _WELL_CONDITIONED * least else _best_corners
    step = max(1, _BLOCK_ENTRIES // (r + 1) ** 2)
    blocks = [F[first : first + step] for first in range(0, len(F), step)]
    with side_by_side_tasks(len(blocks)) as each:
        solved = list(each(lambda block: _block(Q, block, starts), blocks))
    return np.concatenate(solved) if solved else np.empty(F.shape)


def _best_corners(Q: Array, F: Array) -> Array:
    corners = np.zeros(F.shape)
    corners[np.arange(len(F)), np.argmin(np.diagonal(Q) / 2 - F, axis=1)] = 1.0
    return corners


def _near_minima(least: float, largest: float, Q: Array, F: Array) -> Array:
    """Projected gradient steps with momentum from the minima over rows of sum 1 of any sign. Cost O(n r^2) a step.

    least, largest : eigenvalues of Q. Source: Nesterov, Introductory Lectures on Convex Optimization (2004), scheme
    2.2.22.
    """
    root = np.sqrt(largest / least)
    before = here = project_simplex_rows(_on_the_faces(Q, F, np.ones(F.shape, dtype=bool)))
    for _ in range(int(_STEPS_PER_ROOT * root)):
        ahead = here + (root - 1) / (root + 1) * (here - before)
        before, here = here, project_simplex_rows(ahead - (ahead @ Q - F) / largest)
    return here


def _block(Q: Array, F: Array, starts: Callable[[Array, Array], Array]) -> Array:
    n, r = F.shape
    Z = starts(Q, F)
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
    result = np.zeros(F.shape)
    order = np.argsort(face, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(face))[:-1]):
        own = np.flatnonzero(free[rows[0]])
        # z = A f + (1 - 1^T A f) A 1 / (1^T A 1), with A the inverse of the face's part of Q
        solved = np.linalg.solve(Q[np.ix_(own, own)], np.column_stack([F[np.ix_(rows, own)].T, np.ones(len(own))]))
        alone, level = solved[:, :-1].T, solved[:, -1]
        result[np.ix_(rows, own)] = alone + (1.0 - alone.sum(axis=1))[:, None] * (level / level.sum())
    return result


def _one_by_one(Q: Array, F: Array, free: NDArray[np.bool_]) -> Array:
    """As `_on_the_faces`, one system for each row, those of one size side by side."""
    result = np.zeros(F.shape)
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
        result[rows[:, None], own] = np.linalg.solve(system, right[:, :, None])[:, :size, 0]
    return result


# Weights of kernels on the simplex: min gamma^T Q gamma, the one quadratic programme of multiple kernel k-means.

_FLOOR = 1e-12


def inverse_weights(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """gamma_p proportional to 1 / costs_p (V,), the minimiser of sum_p gamma_p^2 costs_p with sum 1, gamma >= 0.

    A cost of zero (a kernel that the clusters explain fully) or below (a kernel that is not positive semidefinite)
    counts as a tiny one, so that its weight is all but 1.
    """
    inverse = 1.0 / _lifted(costs)
    return np.asarray(inverse / inverse.sum())


def power_weights(costs: NDArray[np.float64], exponent: float, floor: float) -> NDArray[np.float64]:
    """a_p proportional to costs_p^(1 / (1 - r)), for r > 1 the minimiser of sum_p a_p^r costs_p with sum 1, a >= 0.

    Parameters
    ----------
    costs : (V,), at least 0. exponent : r, other than 1.
    floor : the share of the largest cost as which smaller ones count.

    Costs are divided by the smallest, so that for r > 1 no power exceeds 1, however near to 1 r is.
    """
    lifted = np.maximum(costs, max(floor * float(costs.max(initial=0.0)), np.finfo(float).tiny))
    powers = (lifted.min() / lifted) ** (1.0 / (exponent - 1.0))
    return np.asarray(powers / powers.sum())


def regularized_weights(
    costs: NDArray[np.float64], correlations: NDArray[np.float64], strength: float
) -> NDArray[np.float64]:
    """The minimiser (V,) of gamma^T (diag(costs) + strength / 2 * correlations) gamma with sum 1, gamma >= 0.

    Up to scale it is the minimiser of y^T Q y / 2 - 1^T y over y >= 0, a nonnegative least squares problem.
    `correlations` (V, V) is positive semidefinite. Cost O(V^3).
    """
    if strength == 0:
        return inverse_weights(costs)
    quadratic = np.diag(_lifted(costs)) + strength / 2 * correlations
    quadratic /= quadratic.max()
    factor = linalg.cholesky(quadratic)
    solution, _ = nnls(factor, linalg.solve_triangular(factor, np.ones(len(costs)), trans="T"))
    return np.asarray(solution / solution.sum())


def _lifted(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    largest = float(costs.max())
    return np.asarray(np.maximum(costs, _FLOOR * largest if largest > 0 else 1.0))


# Rows on the simplex that may only have some entries.


def project_simplex_support(matrix: NDArray[np.float64], allowed: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Each row's nearest point on the probability simplex that is zero where `allowed` (n, m) is False.

    A row that may have no entry has none. Time O(n m + n w log w) for at most w allowed entries in a row, memory of
    the result, an order of its columns and n w.
    """
    projected = np.zeros(matrix.shape)
    counts = allowed.sum(axis=1)
    width = int(counts.max(initial=0))
    if width == 0:
        return projected
    columns = np.argsort(~allowed, axis=1, kind="stable")[:, :width]
    kept = np.arange(width) < counts[:, None]
    values = np.take_along_axis(matrix, columns, axis=1)
    # entries this far below every allowed one project to zero
    lowest = np.where(kept, values, np.inf).min(axis=1)
    floor = np.where(counts > 0, lowest, 0.0) - 2.0
    rows = project_simplex_rows(np.where(kept, values, floor[:, None]))
    np.put_along_axis(projected, columns, np.where(kept, rows, 0.0), axis=1)
    return projected


# The proximal map of a sum of absolute deviations over the simplex: each row's best compromise between several.

Rows = NDArray[np.float64]
_SUM_TOL = 1e-12
_MAX_STEPS = 200
_SORTED_ROWS = 64  # at a time


def sorted_across(matrices: Sequence[Rows], *, overwrite: bool = False) -> list[Rows]:
    """As many matrices, the smallest entry of each place in the first, the largest in the last.

    overwrite : into the given ones; else memory for as many new ones.
    """
    ordered = list(matrices) if overwrite else [np.empty_like(matrix) for matrix in matrices]
    for start in range(0, len(matrices[0]), _SORTED_ROWS):
        rows = slice(start, start + _SORTED_ROWS)
        for target, values in zip(ordered, np.sort([matrix[rows] for matrix in matrices], axis=0), strict=True):
            target[rows] = values
    return ordered


def simplex_median_rows(ordered: Sequence[Rows], G: Rows, tau: float, shift: NDArray[np.float64]) -> Rows:
    """argmin over P, rows on the simplex, of tau sum_v norm1(T_v - P) + norm(P - G)^2 / 2.

    Parameters
    ----------
    ordered : V matrices (b, n), sorted at each place (`sorted_across`). G : (b, n). tau : at least 0.
    shift : (b,) where to begin, overwritten with the multiplier nu of each row's sum; that of a problem nearby
        saves time and changes the result by no more than rounding.

    Without the sum to 1, entry by entry, the minimiser of tau sum_v |t_v - p| + (p - g)^2 / 2 is the median of
    t_1 .. t_V and g + tau (V - 2 i), i = 0 .. V (Li and Osher 2009), and with p >= 0 its positive part. With the
    multiplier g becomes g - nu. The row's sum falls in nu and is piecewise linear: Newton's method on it, within
    bounds that are halved where it leaves them, ends at the root.
    Time O(V n) per row and step, of which a good start needs about three; memory: the result and two blocks.
    """
    V = len(ordered)
    P = np.empty_like(G)
    peak = G.max(axis=1)
    # at lower the largest entry alone exceeds 1, at upper none is positive
    lower, upper = peak - tau * V - 1.0, peak + tau * V
    nu = np.clip(shift, lower, upper)
    open_rows = np.arange(len(G))
    for _ in range(_MAX_STEPS):
        if not len(open_rows):
            break
        all_open = len(open_rows) == len(G)
        T = ordered if all_open else [T_v[open_rows] for T_v in ordered]
        candidate, free = _medians(T, (G if all_open else G[open_rows]) - nu[open_rows, None], tau)
        sums = candidate.sum(axis=1)
        P[open_rows] = candidate
        excess = sums - 1.0
        at = nu[open_rows]
        lower[open_rows] = np.where(excess > 0, at, lower[open_rows])
        upper[open_rows] = np.where(excess < 0, at, upper[open_rows])
        newton = at + excess / np.maximum(free, 1)
        low, high = lower[open_rows], upper[open_rows]
        inside = (free > 0) & (newton > low) & (newton < high)
        following = np.where(inside, newton, (low + high) / 2)
        # done as well where the bounds have met: the sum cannot be told from 1 any better
        going = (np.abs(excess) > _SUM_TOL) & (following != at)
        nu[open_rows[going]] = following[going]
        open_rows = open_rows[going]
    shift[:] = nu
    P /= P.sum(axis=1, keepdims=True)
    return P


def _medians(ordered: Sequence[Rows], g: Rows, tau: float) -> tuple[Rows, NDArray[np.intp]]:
    """(positive parts of the medians, how many entries of each row are positive and move with g)."""
    V = len(ordered)
    # the largest over i of min(g + tau (V - 2 i), t_(i + 1)), t_(V + 1) infinite: both lists are sorted
    median = np.minimum(g + tau * V, ordered[0])
    step = np.empty_like(g)
    for i in range(1, V):
        np.add(g, tau * (V - 2 * i), out=step)
        np.minimum(step, ordered[i], out=step)
        np.maximum(median, step, out=median)
    np.add(g, -tau * V, out=step)
    np.maximum(median, step, out=median)
    np.maximum(median, 0.0, out=median)
    free = median > 0
    for T_v in ordered:
        free &= median != T_v
    return median, np.count_nonzero(free, axis=1)
