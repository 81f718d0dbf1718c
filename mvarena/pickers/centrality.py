"""centrality: the candidate that the others agree with most."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from sklearn.metrics import adjusted_rand_score

from mvarena.contracts.picker import Candidates, Weights, best_of


def centrality(candidates: Candidates) -> Weights | None:
    """The candidate of highest mean adjusted Rand index with the others' labellings; None for a single candidate.

    Each candidate is looked at in its restart of lowest inertia. Where all of them fail in ways of their own, what
    several find is more likely to be there. Two candidates agree with each other alike: equal shares.
    A labelling of one cluster agrees with nothing but another such.
    Cost O(m^2 n) for m candidates and n samples.
    """
    if len(candidates) < 2:
        return None
    labels = [one.labels for one in candidates]
    total = np.zeros(len(candidates))
    for i, j in combinations(range(len(candidates)), 2):
        agreement = float(adjusted_rand_score(labels[i], labels[j]))
        total[i] += agreement
        total[j] += agreement
    return best_of(total / (len(candidates) - 1))
