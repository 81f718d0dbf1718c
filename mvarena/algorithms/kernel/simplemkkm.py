"""simplemkkm: simple multiple kernel k-means (Liu, IEEE TPAMI 2022).

    min over g >= 0, sum 1, of f(g) = max over H^T H = I of tr(H^T (sum_p g_p^2 K_p) H)

f is differentiable, with gradient 2 g_p tr(H^T K_p H), and falls along reduced gradients: sum 0, no weight below 0, the
largest weight as reference. It ends in the weights of the authors' program to its own tolerance.

Departure. The program's golden section starts with trial steps of at most 0.1; here each section spans the whole way to
the first weight that becomes 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.kernel.partition import KernelPartition, combined, equal_weights, kernel_matrices
from mvarena.algorithms.square import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.spectral import top_eigenvectors

Array = NDArray[np.float64]

_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0
_SECTION = 1e-6
_ZERO = 1e-10


class Cost:
    """f(g), its maximiser H and its gradient, for V kernels (n, n). Cost O(V n^2) and k eigenvectors per value."""

    def __init__(self, kernels: Sequence[Array], k: int) -> None:
        self.kernels, self.k = kernels, k

    def at(self, g: Array) -> tuple[float, Array]:
        values, H = top_eigenvectors(combined(self.kernels, g), self.k)
        return float(values.sum()), H

    def gradient(self, g: Array, H: Array) -> Array:
        return np.array([2.0 * weight * float(np.vdot(H, K @ H)) for weight, K in zip(g, self.kernels, strict=True)])


def simplemkkm(cost: Cost, stopping: Stopping) -> KernelPartition:
    """Reduced gradient descent from equal weights until no weight moves by more than `stopping.tol`.

    Cost: some 20 values of f per iteration, 2 n^2 memory.
    """
    g = equal_weights(len(cost.kernels))
    value, H = cost.at(g)
    history = History(stopping, start=value, measured="the weights moved by")
    while not history.ended:
        before = g
        direction = descent(g, cost.gradient(g, H))
        g, value = _to_zero_while_falling(cost, g, value, direction)
        direction = np.where((g <= _ZERO) & (direction < 0), 0.0, direction)
        direction[int(np.argmax(g))] -= direction.sum()
        g, value = _section(cost, g, value, direction)
        value, H = cost.at(g)
        history.add(value, violation=float(np.abs(g - before).max()))
    return KernelPartition(H, g, history)


def descent(g: Array, gradient: Array) -> Array:
    """The reduced direction (V,): sum 0, and no weight that is 0 is to fall; of a gradient of unit length."""
    slopes = gradient / max(float(np.linalg.norm(gradient)), np.finfo(float).tiny)
    reference = int(np.argmax(g))
    direction = slopes[reference] - slopes
    direction[(g <= _ZERO) & (direction < 0)] = 0.0
    direction[reference] = 0.0
    direction[reference] = -direction.sum()
    return np.asarray(direction)


def _clean(g: Array) -> Array:
    g = np.where(g > _ZERO, g, 0.0)
    return np.asarray(g / g.sum())


def longest_step(g: Array, direction: Array) -> float:
    """How far until the first weight is 0; 0 without a direction."""
    falling = direction < -_ZERO
    return float((-g[falling] / direction[falling]).min()) if falling.any() else 0.0


def _to_zero_while_falling(cost: Cost, g: Array, value: float, direction: Array) -> tuple[Array, float]:
    """Whole steps, each of which drops a weight, while f falls."""
    while (step := longest_step(g, direction)) > 0:
        there = _clean(g + step * direction)
        found = cost.at(there)[0]
        if found >= value:
            break
        g, value = there, found
        direction = np.where(g <= 0, np.maximum(direction, 0.0), direction)
        direction[int(np.argmax(g))] -= direction.sum()
    return g, value


def _section(cost: Cost, g: Array, value: float, direction: Array) -> tuple[Array, float]:
    """Golden section between here and the first weight that is 0; stays here if nothing is lower."""

    def along(step: float) -> float:
        return cost.at(_clean(g + step * direction))[0]

    low, high = 0.0, longest_step(g, direction)
    if high <= 0:
        return g, value
    pace = float(np.abs(direction).max())
    inner = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
    values = [along(inner[0]), along(inner[1])]
    while (high - low) * pace > _SECTION:
        if values[0] <= values[1]:
            high, inner[1], values[1] = inner[1], inner[0], values[0]
            inner[0] = high - _GOLDEN * (high - low)
            values[0] = along(inner[0])
        else:
            low, inner[0], values[0] = inner[0], inner[1], values[1]
            inner[1] = low + _GOLDEN * (high - low)
            values[1] = along(inner[1])
    best = int(np.argmin(values))
    return (_clean(g + inner[best] * direction), values[best]) if values[best] < value else (g, value)


class SimpleMKKM(SquareClusterer):
    """Multiple kernel k-means whose weights minimise what the best partition reaches; no parameter to choose.

    Parameters
    ----------
    tol, max_iter : it ends where no weight moves by more than `tol`, or after so many iterations.

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
