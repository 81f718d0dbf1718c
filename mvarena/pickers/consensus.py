"""consensus: a labelling of one's own, from how often the others put two samples together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from mvarena.contracts.picker import Candidates, Labels


def consensus(candidates: Candidates) -> Labels:
    """Average linkage on the co-association matrix of the candidates' labellings, cut into as many clusters as the
    finest of them has.

    Each candidate is looked at in its restart of lowest inertia.
    Cost O(m n^2) for m candidates, and 24 n^2 bytes. Source: Fred and Jain, IEEE TPAMI 2005 (evidence accumulation).
    """
    labellings = [one.labels for one in candidates]
    n_clusters = max(len(np.unique(labels)) for labels in labellings)
    apart = squareform(1.0 - co_association(labellings), checks=False)
    found = fcluster(linkage(apart, method="average"), n_clusters, criterion="maxclust")
    return np.asarray(found - 1, dtype=np.int64)


def co_association(labellings: list[NDArray[np.int64]]) -> NDArray[np.float64]:
    """(n, n) the share of the labellings that put two samples into one cluster; 1 on the diagonal."""
    total = np.zeros((len(labellings[0]),) * 2)
    for labels in labellings:
        total += labels[:, None] == labels
    return total / len(labellings)
