"""From a transition matrix to an embedding of its states: spectral clustering of Markov chains."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.view_graphs import Square
from mvarena.numerics.spectral import top_eigenvectors

_TELEPORT = 1e-6
# of a transition matrix: with more on the diagonal on average, a view says next to nothing about clusters
_ALONE = 0.5


def complete_chains(T: Sequence[NDArray[np.floating]], mask: NDArray[np.bool_]) -> None:
    """Fill in place what transition matrices (n, n) say nothing about: rows and columns of samples that views miss.

    A transition from i to j gets its mean over the views that observe both samples, 1 / n where there is none, so that
    a view has no say on what it does not observe; then rows sum to 1 again. mask : (n, V) True where observed.
    The rows of a view of m samples, whose entries are of order 1 / m, count m / n times, so that views with fewer
    samples do not have larger transitions: those seen by the same views would look like a cluster.
    Staying put instead would be an error of the size of 1 where entries are of order 1 / n. Cost O(V n^2), 2 n^2.
    """
    if mask.all():
        return
    seen = mask.astype(np.float64)
    pairs = seen @ seen.T
    mean = np.zeros(pairs.shape)
    for T_v, seen_v in zip(T, mask.T, strict=True):
        both = np.ix_(seen_v, seen_v)
        T_v *= seen_v.mean()
        mean[both] += T_v[both]
    mean = np.divide(mean, pairs, out=np.full(pairs.shape, 1.0 / len(mask)), where=pairs > 0)
    for T_v, missing in zip(T, ~mask.T, strict=True):
        if missing.any():
            T_v[missing] = mean[missing]
            T_v[:, missing] = mean[:, missing]
            T_v /= T_v.sum(axis=1, keepdims=True)


def count_isolating(T: Sequence[NDArray[np.floating]], mask: NDArray[np.bool_]) -> int:
    """In how many of the transition matrices (n, n) observed states, mask (n, V), are hardly similar to any other:
    they mostly stay put."""
    return sum(T_v.diagonal()[seen].mean() > _ALONE for T_v, seen in zip(T, mask.T, strict=True))


def stationary_distribution(P: Square) -> NDArray[np.float64]:
    """(n,) pi > 0 with pi P = pi and sum 1 for a row-stochastic P, restarted anywhere with a probability of 1e-6.

    The restart makes the answer unique and positive where the chain falls apart. Solved directly, as a chain that
    hardly moves would take a million steps: cost 2/3 n^3, 2 n^2.
    """
    n = len(P)
    system = P.T * (_TELEPORT - 1.0)
    system[np.diag_indices(n)] += 1.0
    pi = np.linalg.solve(system, np.full(n, _TELEPORT / n))
    return np.asarray(pi / pi.sum())


def markov_embedding(P: Square, k: int) -> NDArray[np.float64]:
    """The k smallest generalised eigenvectors of L u = lambda D u, L = D - (D P + P^T D) / 2, D = diag(pi): (n, k).

    Source: Najafi, He and Yu (2017), Algorithm 2 (with pi P = pi; the paper prints pi = P pi), after Zhou, Huang and
    Schölkopf (2005). Cost O(n^3), 2 n^2.
    """
    root = np.sqrt(stationary_distribution(P))
    walk = P * root[:, None] / root
    return np.asarray(top_eigenvectors((walk + walk.T) / 2, k)[1] / root[:, None])
