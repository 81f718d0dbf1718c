"""simplemkkm: simple multiple kernel k-means (Liu, IEEE TPAMI 2022).

    min over g >= 0, sum 1, of f(g) = max over H^T H = I of sum_p g_p^2 t_p,  t_p = tr(H^T K_p H)

f is convex, as a maximum of convex functions, and every H bounds it from below: min over g of sum_p g_p^2 t_p is
1 / sum_p (1 / t_p), at g_p ~ 1 / t_p. So do mixtures of the t of several H. Each iteration takes the mixture of all t
so far whose bound is the largest (V numbers each, whatever n), and finds the maximiser H at its weights, whose t it
adds. Bound and least f enclose the minimum.

Departure. The authors' program descends along reduced gradients and ends a little above the minimum; where the k-th
and the k+1-th eigenvalue meet f has no gradient, and that descent can stay tenths of a percent above. Here the minimum
is found there, too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.kernel.partition import KernelPartition, combined, equal_weights, kernel_matrices
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.simplex import simplex_quadratic_rows
from mvarena.numerics.spectral import top_eigenvectors

Array = NDArray[np.float64]

# relative: traces count as at least so much of the largest, and Newton steps end where they promise less
_LEAST_TRACE, _NO_GAIN = 1e-12, 1e-15
_NEWTON_STEPS = 100
# what makes a Newton step's matrix definite, of its trace
_RIDGE = 1e-12


class Cost:
    """f(g) and its maximiser H, for V kernels (n, n). Cost O(V n^2) and k eigenvectors per value."""

    def __init__(self, kernels: Sequence[Array], k: int) -> None:
        self.kernels, self.k = kernels, min(k, len(kernels[0]))

    def at(self, g: Array) -> tuple[float, Array]:
        values, H = top_eigenvectors(combined(self.kernels, g), self.k)
        return float(values.sum()), H

    def traces(self, H: Array) -> Array:
        """t (V,): tr(H^T K_p H)."""
        return np.array([float(np.vdot(H, K @ H)) for K in self.kernels])

    def mean_traces(self) -> Array:
        """t (V,) of the mean of all H: k tr(K_p) / n."""
        return np.array([self.k * float(np.trace(K)) / len(K) for K in self.kernels])


def simplemkkm(cost: Cost, stopping: Stopping) -> KernelPartition:
    """The weights of least f, from equal ones, until none can be further than `stopping.tol` from the minimiser's.

    With t of the best mixture f(g) >= sum_p g_p^2 t_p, so that a gap of e f between f(g) and the bound leaves no weight
    further than sqrt(e) from its place. Rounding allows 1e-6.

    Cost: one value of f per iteration, some 15 iterations; 2 n^2 memory.
    """
    weights = equal_weights(len(cost.kernels))
    least, partition = cost.at(weights)
    history = History(stopping, start=least, measured="the weights are the minimiser's to")
    # the mean of all H has a part in every kernel, so that no mixture need be without
    rows, mixture, H = [cost.mean_traces()], np.ones(1), partition
    while not history.ended:
        rows.append(cost.traces(H))
        T = np.maximum(rows, max(_LEAST_TRACE * np.max(rows), np.finfo(float).tiny))
        T /= T.max()
        mixture = best_mixture(T, np.append(mixture, 0.0))
        g = 1.0 / (mixture @ T)
        g /= g.sum()
        value, H = cost.at(g)
        if value < least:
            least, weights, partition = value, g, H
        bound = float(g**2 @ (mixture @ np.array(rows)))
        gap = max(least - bound, 0.0) / max(least, np.finfo(float).tiny)
        history.add(least, violation=float(np.sqrt(gap)))
    return KernelPartition(partition, weights, history)


def best_mixture(T: Array, start: Array) -> Array:
    """The m shares on the simplex that minimise sum_p 1 / (T^T shares)_p, for T (m, V) > 0, from `start`.

    Newton steps, each an exact quadratic programme over the simplex, halved until the sum falls enough.
    Cost O(m^2 V + m^3) per step, some ten of them.
    """
    shares = start
    t = shares @ T
    for _ in range(_NEWTON_STEPS):
        root = T * np.sqrt(2.0 / t**3)
        ridge = _RIDGE * float(np.square(root).sum())
        # the gradient is -root (2 t)^-1/2, and root^T shares is (2 / t)^1/2
        linear = root @ (1.5 * np.sqrt(2.0 / t)) + ridge * shares
        target = simplex_quadratic_rows(root @ root.T + ridge * np.eye(len(T)), linear[None])[0]
        total, step = float((1.0 / t).sum()), target - shares
        gain = float((step @ T) @ (1.0 / t**2))
        if gain <= _NO_GAIN * total:
            break
        while (1.0 / (t + step @ T)).sum() > total - gain / 4 and gain > _NO_GAIN * total:
            step, gain = step / 2, gain / 2
        if gain <= _NO_GAIN * total:
            break
        shares = shares + step
        t = shares @ T
    return shares


class SimpleMKKM(SquareClusterer):
    """Multiple kernel k-means whose weights minimise what the best partition reaches; no parameter to choose.

    Parameters
    ----------
    tol, max_iter : it ends where no weight can be further than `tol` from the minimiser's, or after so many iterations.

    The embedding is H, rows of unit length.
    """

    tol: NonNegative = 1e-5
    max_iter: Count = 100

    def squares(self, n_views: int) -> int:
        del n_views
        return 3

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        cost = Cost(kernel_matrices(data), n_clusters)
        return simplemkkm(cost, Stopping(self.max_iter, self.tol)).representation()
