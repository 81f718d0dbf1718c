"""The number of clusters: criteria that speak for one of several numbers, by the clusters found.

`reports/numbers` compares them with the number of classes; over all sets there none loses less than modularity, the
default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.neighbors import kneighbors_graph

from mvarena.analysis.cluster_criteria import DEFAULT_CRITERION
from mvarena.analysis.clusters import Clusters
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.text import listed

Values = NDArray[np.float64]

_RESAMPLES = 200
_NEIGHBOURS = 10


@dataclass(frozen=True, eq=False)
class NumberOfClusters:
    """Number of clusters that the curve speaks for.

    suggested : the number that the criterion `by` chooses. share : of samples drawn anew with replacement, how often
    modularity is highest for the same number; NaN for another criterion. curve : a row per number: k, modularity,
    silhouette, agreement, share.
    """

    suggested: int
    share: float
    curve: pd.DataFrame
    by: str = DEFAULT_CRITERION


def number_of_clusters(
    results: Mapping[int, Clusters], data: MultiViewData, by: str = DEFAULT_CRITERION
) -> NumberOfClusters:
    """The number of clusters that a criterion speaks for; by default that of highest modularity, and how sure it is.

    Parameters
    ----------
    results : k -> clusters of the same samples. data : these samples, scaled.
    by : one of `cluster_criteria.CRITERIA`.

    `share` tells how often another draw of the samples would lead to the same number; reports/numbers, how far it is
    from that of the classes. Raises InvalidSetting for a criterion of features where no view has any, and for one that
    is defined for none of the numbers.
    Cost O(n^2 d) for the neighbours, then O(n) for each number and resample.
    """
    numbers = sorted(results)
    graph = neighbour_graph(data)
    labels = [results[k].labels for k in numbers]
    curve = pd.DataFrame(
        {
            "k": numbers,
            "modularity": [modularity(graph, own) for own in labels],
            "silhouette": [results[k].silhouette for k in numbers],
            "agreement": [float(results[k].agreement.mean()) for k in numbers],
            "share": _shares(graph, labels),
        }
    )
    values = curve[by].to_numpy(float)
    if np.isnan(values).all():
        raise InvalidSetting(
            f"{by} is not defined for {listed(map(str, numbers))} clusters of {data.name}, such as of data without "
            "features or with so few samples; suggest by modularity.",
            field="by",
            value=by,
        )
    index = int(np.nanargmax(values))
    share = float(curve["share"][index]) if by == DEFAULT_CRITERION else float("nan")
    return NumberOfClusters(numbers[index], share, curve, by)


def _shares(graph: Any, labels: Sequence[NDArray[np.int64]]) -> Values:
    """Of resamples of the samples, how often each labelling is that of highest modularity; 1 for one alone."""
    if len(labels) == 1:
        return np.ones(1)
    generator, n = np.random.default_rng(0), graph.shape[0]
    best = np.zeros(len(labels))
    for _ in range(_RESAMPLES):
        times = np.bincount(generator.integers(0, n, n), minlength=n).astype(np.float64)
        drawn = graph.multiply(times[:, None]).multiply(times[None, :]).tocsr()
        best[np.argmax([modularity(drawn, own) for own in labels])] += 1
    return best / _RESAMPLES


def neighbour_graph(data: MultiViewData) -> sparse.csr_array:
    """(n, n) in how many views two samples are neighbours: one is among the ten nearest of the other there.

    Euclidean distances between features, those of the feature space for a kernel. A sample that a view misses has no
    neighbours there.
    """
    n = data.n_samples
    graph = sparse.csr_array((n, n))
    for view, observed in zip(data.views, data.mask.T, strict=True):
        seen = np.flatnonzero(observed)
        if len(seen) < 2:
            continue
        matrix, metric = view.matrix[seen], "minkowski"
        if view.kind != "features":
            matrix, metric = view.matrix[np.ix_(seen, seen)], "precomputed"
            if view.kind == "kernel":
                diagonal = np.diag(matrix)
                matrix = np.sqrt(np.maximum(diagonal[:, None] + diagonal[None, :] - 2 * matrix, 0.0))
        if sparse.issparse(matrix):
            matrix = sparse.csr_matrix(matrix)
        own = kneighbors_graph(matrix, min(_NEIGHBOURS, len(seen) - 1), metric=metric)
        places = sparse.csr_array((np.ones(len(seen)), (seen, np.arange(len(seen)))), shape=(n, len(seen)))
        graph = graph + places @ (sparse.csr_array(own.maximum(own.T)) @ places.T)
    return graph


def modularity(graph: Any, labels: NDArray[np.int64]) -> float:
    """Share of the edges that lie within clusters, less what is expected of edges drawn at random: in [-1, 1].

    Parameters
    ----------
    graph : (n, n) symmetric weights of edges. labels : (n,) from 0.

    Source: Newman and Girvan, Physical Review E 2004; with the degrees of each sample kept.
    """
    degrees = np.asarray(graph.sum(axis=1)).ravel()
    total = degrees.sum()
    if total == 0:
        return 0.0
    members = sparse.csr_array((np.ones(len(labels)), (labels, np.arange(len(labels)))))
    within = float((members @ graph @ members.T).diagonal().sum())
    return within / total - float(((members @ degrees / total) ** 2).sum())
