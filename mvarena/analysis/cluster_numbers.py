"""The number of clusters: criteria that speak for one of several, by the clusters found or by the data alone.

`reports/numbers` holds them against the number of classes; over all sets there none loses less than modularity, the
default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import kneighbors_graph

from mvarena.analysis.cluster_criteria import DEFAULT_CRITERION
from mvarena.analysis.clusters import Clusters
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.kmeans import kmeans_runs
from mvarena.numerics.spectral import inverse_square_root, top_eigenvectors
from mvarena.text import listed

Points = NDArray[np.float64]
Values = NDArray[np.float64]

_RESAMPLES = 200
_NEIGHBOURS = 10
_COMPONENTS = 100
_RESTARTS = 5
_REFERENCES = 20
_SUBSAMPLES = 20
_SHARE = 0.8


@dataclass(frozen=True, eq=False)
class NumberOfClusters:
    """Number of clusters that the curve speaks for.

    suggested : the number that the criterion `by` chooses. share : of samples drawn anew with replacement, how often
    modularity is highest for the same number; NaN for another criterion. curve : a row per number: k, modularity,
    silhouette, agreement, share, and the criterion where it is another.
    """

    suggested: int
    share: float
    curve: pd.DataFrame
    by: str = DEFAULT_CRITERION


def number_of_clusters(
    results: Mapping[int, Clusters],
    data: MultiViewData,
    filled: MultiViewData | None = None,
    by: str = DEFAULT_CRITERION,
) -> NumberOfClusters:
    """The number of clusters that a criterion speaks for; by default that of highest modularity, and how sure it is.

    Parameters
    ----------
    results : k -> clusters of the same samples. data : these samples, scaled.
    filled : the same without missing samples, for gap, stability and view-stability; None: `data`.
    by : one of `cluster_criteria.CRITERIA`.

    `share` tells how often another draw of the samples would lead to the same number; reports/numbers, how far it is
    from that of the classes. Raises InvalidSetting for a criterion of features where no view has any, and for one that
    is defined for none of the numbers.
    Cost O(n^2 d) for the neighbours, then O(n) for each number and resample; and that of the criterion.
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
    errors = None
    if by not in curve:
        curve[by], errors = _of_data(by, numbers, graph, data if filled is None else filled)
    values = curve[by].to_numpy(float)
    if np.isnan(values).all():
        raise InvalidSetting(
            f"{by} is not defined for {listed(map(str, numbers))} clusters of {data.name}, such as of data without "
            "features or with so few samples; suggest by modularity.",
            field="by",
            value=by,
        )
    index = int(np.nanargmax(values)) if errors is None else smallest_within_error(values, errors)
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


def _of_data(by: str, numbers: Sequence[int], graph: Any, filled: MultiViewData) -> tuple[Values, Values | None]:
    """Values of a criterion that looks at the data alone, and errors for the gap statistic; NaN without features."""
    if by == "eigengap":
        return eigengaps(graph, numbers), None
    points = principal_scores(filled)
    if points is None:
        return np.full(len(numbers), np.nan), None
    if by == "gap":
        return gap_statistic(points, numbers)
    return stability([points] if by == "stability" else scores_without_each_view(filled), numbers), None


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


def eigengaps(graph: Any, numbers: Sequence[int]) -> Values:
    """Gap after the k-th smallest eigenvalue of the graph's normalized Laplacian, for each k of `numbers`.

    Parameters
    ----------
    graph : (n, n) symmetric nonnegative weights, sparse. numbers : of clusters; NaN for those from n on.

    Source: von Luxburg, Statistics and Computing 2007, section 8.3. Cost: that of max(numbers) + 1 eigenvectors.
    """
    scale = sparse.diags_array(inverse_square_root(np.asarray(graph.sum(axis=1)).ravel()))
    values, _ = top_eigenvectors(sparse.csr_array(scale @ graph @ scale), max(numbers) + 1)
    return np.array([values[k - 1] - values[k] if k < len(values) else np.nan for k in numbers])


def principal_scores(data: MultiViewData, views: Sequence[int] | None = None) -> Points | None:
    """(n, p) coordinates of the samples on the principal components of the feature views side by side.

    Parameters
    ----------
    data : complete and scaled. views : their indices; None: all.

    The leading 100 components at most, less those without variance. None where no view has features. Cost O(n^2 d).
    """
    chosen = range(data.n_views) if views is None else views
    found = [data.views[index].matrix for index in chosen if data.views[index].kind == "features"]
    if not found:
        return None
    dense = np.hstack([matrix.toarray() if sparse.issparse(matrix) else matrix for matrix in found])
    dense = dense - dense.mean(axis=0)
    products = dense @ dense.T if dense.shape[0] <= dense.shape[1] else dense.T @ dense
    values, vectors = top_eigenvectors(products, min(_COMPONENTS, len(products)))
    kept = values > 1e-12 * max(values[0], 1e-300)
    values, vectors = values[kept], vectors[:, kept]
    return np.ascontiguousarray(vectors * np.sqrt(values) if len(products) == len(dense) else dense @ vectors)


def scores_without_each_view(data: MultiViewData) -> list[Points]:
    """The principal scores of all views but one, for each view that has features; of a single view, its own."""
    having = [index for index, view in enumerate(data.views) if view.kind == "features"]
    subsets = [[index for index in having if index != left_out] for left_out in having] if len(having) > 1 else [having]
    return [found for found in (principal_scores(data, subset) for subset in subsets) if found is not None]


def gap_statistic(points: Points, numbers: Sequence[int]) -> tuple[Values, Values]:
    """Gap statistic of each number of clusters, and its standard error.

    The logarithm of the squared distances to the centres of k-means is compared with its mean over 20 sets drawn
    uniformly from the box around the data along their principal components.

    Parameters
    ----------
    points : (n, p) principal scores. numbers : of clusters; NaN for those from the number of different rows on.

    Source: Tibshirani, Walther and Hastie, Journal of the Royal Statistical Society B 2001, section 4, reference (b).
    Cost: 5 restarts of k-means on 21 sets for each number.
    """
    generator = np.random.default_rng(0)
    low, high = points.min(axis=0), points.max(axis=0)
    own = _log_dispersions(points, numbers)
    drawn = np.array([
        _log_dispersions(generator.uniform(low, high, points.shape), numbers) for _ in range(_REFERENCES)
    ])  # fmt: skip
    return drawn.mean(axis=0) - own, drawn.std(axis=0) * np.sqrt(1 + 1 / _REFERENCES)


def smallest_within_error(gaps: Values, errors: Values) -> int:
    """Index of the first gap that is not below the next one less its error; that of the last gap where none is so.

    A gap of NaN is passed over. Source: Tibshirani, Walther and Hastie 2001, section 4, step 3.
    """
    known = np.flatnonzero(~np.isnan(gaps))
    return int(next((i for i, after in pairwise(known) if gaps[i] >= gaps[after] - errors[after]), known[-1]))


def _log_dispersions(points: Points, numbers: Sequence[int]) -> Values:
    most = _different_rows(points)
    return np.array([np.log(_best(points, k)[1]) if k < most else np.nan for k in numbers])


def _different_rows(points: Points) -> int:
    """Number of rows (n, p) that differ by more than rounding."""
    scale = max(float(np.abs(points).max(initial=0.0)), 1e-300)
    return len(np.unique((points / scale).round(9), axis=0))


def _best(points: Points, k: int) -> tuple[NDArray[np.int64], float]:
    """Labels and inertia of the best of some restarts of k-means."""
    found = min(kmeans_runs(points, k, range(_RESTARTS)), key=lambda run: run.inertia or 0.0)
    return found.labels, float(found.inertia or 0.0)


def stability(scores: Sequence[Points], numbers: Sequence[int]) -> Values:
    """Mean agreement of k-means on two subsamples about the samples that both have, for each number of clusters.

    Each of 20 subsamples has 80 % of the samples, drawn without replacement; the agreement is the adjusted Rand index.

    Parameters
    ----------
    scores : the points (n, p) of the same samples that subsamples see in turn: all views, or all but one each.
    numbers : of clusters; NaN for those of which a subsample has too few different rows.

    Source: Ben-Hur, Elisseeff and Guyon, Pacific Symposium on Biocomputing 2002, with another index. Cost: 5 restarts
    of k-means on 20 subsamples for each number.
    """
    generator, n = np.random.default_rng(0), len(scores[0])
    drawn = [np.sort(generator.permutation(n)[: round(_SHARE * n)]) for _ in range(_SUBSAMPLES)]
    seen = [np.ascontiguousarray(scores[index % len(scores)][samples]) for index, samples in enumerate(drawn)]
    most = min(map(_different_rows, seen))
    return np.array([_agreement(seen, drawn, n, k) if k <= most else np.nan for k in numbers])


def _agreement(seen: Sequence[Points], drawn: Sequence[NDArray[np.int64]], n: int, k: int) -> float:
    """Mean adjusted Rand index of all pairs of subsamples, each clustered into k."""
    labels = np.full((len(seen), n), -1)
    for own, points, samples in zip(labels, seen, drawn, strict=True):
        own[samples] = _best(points, k)[0]
    pairs = [(first, second, (first >= 0) & (second >= 0)) for first, second in combinations(labels, 2)]
    return float(np.mean([adjusted_rand_score(first[both], second[both]) for first, second, both in pairs]))
