"""The pickers: default, random, by a metric or by labels, centrality, consensus."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from mvarena.contracts.metric import Contingency
from mvarena.contracts.picker import Candidates, Labels, Weights, best_of, shared_among


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
    agreement = _agreements([candidate.labels for candidate in candidates])
    total = np.zeros(len(candidates))
    for values in agreement:  # one after the other, so that equal labellings have equal sums
        total += values
    return best_of(total / (len(candidates) - 1))


def _agreements(labellings: Sequence[Labels]) -> NDArray[np.float64]:
    """(m, m) the adjusted Rand index of each two labellings; 0 on the diagonal."""
    result = np.zeros((len(labellings),) * 2)
    for i, j in combinations(range(len(labellings)), 2):
        result[i, j] = result[j, i] = Contingency.from_labels(labellings[i], labellings[j]).adjusted_rand
    return result


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
