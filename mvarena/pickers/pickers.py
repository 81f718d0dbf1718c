"""The pickers: default, random, by a metric or by labels, centrality, consensus."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import csr_array
from scipy.spatial.distance import squareform

from mvarena.contracts.picker import Candidates, Labels, Weights, best_of, shared_among

Counts: TypeAlias = NDArray[np.int64] | NDArray[np.float64]


def default(candidates: Candidates) -> Weights | None:
    """The candidate whose parameters are all the algorithm's defaults; None where it is not among them.

    Of several algorithms, each one's default with an equal share.
    """
    return shared_among(np.array([candidate.is_default for candidate in candidates]))


def random(candidates: Candidates) -> Weights | None:
    """Each candidate with an equal share: what a blind draw gets on average."""
    return shared_among(np.ones(len(candidates), dtype=np.bool_))


# The candidate of the highest value: by ground truth, or by a metric without it. The spec says which value that is.


def highest(candidates: Candidates) -> Weights | None:
    """The candidate of highest value, shared among equals; None where no candidate has one. Cost O(m)."""
    return best_of(np.array([candidate.value for candidate in candidates]))


# centrality: the candidate that the others agree with most.


def centrality(candidates: Candidates) -> Weights | None:
    """The candidate of highest mean adjusted Rand index with the others' labellings; None for a single candidate.

    Each candidate is looked at in its restart of lowest inertia. Where all of them fail in ways of their own, what
    several find is more likely to be there. Two candidates agree with each other alike: equal shares.
    A labelling of one cluster agrees with nothing but another such.
    Cost O(m^2 n) for m candidates and n samples.
    """
    if len(candidates) < 2:
        return None
    agreement = adjusted_rand_matrix([candidate.labels for candidate in candidates])
    total = np.zeros(len(candidates))
    for values in agreement:  # one after the other, so that equal labellings have equal sums
        total += values
    return best_of(total / (len(candidates) - 1))


def adjusted_rand_matrix(labellings: list[NDArray[np.int64]]) -> NDArray[np.float64]:
    """(m, m) the adjusted Rand index of each two labellings, as scikit-learn computes it; 0 on the diagonal.

    Counts of pairs come from the contingency tables of one labelling with all others, which are one sparse product.
    Cost O(m^2 n). Products of counts fit into 64 bits up to 50,000 samples; beyond, they are rounded.
    """
    n, m = len(labellings[0]), len(labellings)
    number = np.int64 if n <= 50_000 else np.float64
    codes = [np.unique(labels, return_inverse=True)[1] for labels in labellings]
    first = np.concatenate([[0], np.cumsum([values.max() + 1 for values in codes])])
    columns = np.concatenate([values + start for values, start in zip(codes, first[:-1], strict=True)])
    members = csr_array((np.ones(m * n, dtype=number), (np.tile(np.arange(n), m), columns)), shape=(n, first[-1]))
    own = np.add.reduceat(np.asarray(members.sum(axis=0)) ** 2, first[:-1])  # pairs in one cluster, of each labelling
    result = np.zeros((m, m))
    for i in range(m - 1):
        tables = (members[:, first[i] : first[i + 1]].T @ members[:, first[i + 1] :]).toarray()
        both = np.add.reduceat((tables**2).sum(axis=0), first[i + 1 : -1] - first[i + 1])
        result[i, i + 1 :] = result[i + 1 :, i] = _adjusted_rand(n, both, own[i], own[i + 1 :])
    return result


def _adjusted_rand(n: int, both: Counts, first: np.int64 | np.float64, others: Counts) -> NDArray[np.float64]:
    """The index from how many ordered pairs of samples, a sample with itself among them, lie in one cluster of both
    labellings, of the first, and of each of the others."""
    together, only_first, only_other = both - n, first - both, others - both
    apart = n * n - both - only_first - only_other
    by_chance = (together + only_first) * (only_first + apart) + (together + only_other) * (only_other + apart)
    same = (only_first == 0) & (only_other == 0)
    index = 2.0 * (together * apart - only_first * only_other) / np.where(same, 1, by_chance)
    return np.where(same, 1.0, index)


# consensus: a labelling of one's own, from how often the others put two samples together.


def consensus(candidates: Candidates) -> Labels:
    """Average linkage on the co-association matrix of the candidates' labellings, cut into as many clusters as the
    finest of them has.

    Each candidate is looked at in its restart of lowest inertia.
    Cost O(m n^2) for m candidates, and 24 n^2 bytes. Source: Fred and Jain, IEEE TPAMI 2005 (evidence accumulation).
    """
    labellings = [candidate.labels for candidate in candidates]
    n_clusters = max(len(np.unique(labels)) for labels in labellings)
    apart = squareform(1.0 - co_association(labellings), checks=False)
    result = fcluster(linkage(apart, method="average"), n_clusters, criterion="maxclust")
    return np.asarray(result - 1, dtype=np.int64)


def co_association(labellings: list[NDArray[np.int64]]) -> NDArray[np.float64]:
    """(n, n) the share of the labellings that put two samples into one cluster; 1 on the diagonal."""
    total = np.zeros((len(labellings[0]),) * 2)
    for labels in labellings:
        total += labels[:, None] == labels
    return total / len(labellings)
