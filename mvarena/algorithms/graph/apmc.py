"""APMC: anchor-based partial multi-view clustering (Guo and Ye, AAAI 2019), for two and more views.

    S_ij = mean over pairs p of views that hold both samples of (Z_p Lambda_p^-1 Z_p^T)_ij

for the similarities Z_p (n, l_p) of samples to the anchors of a pair, rows summing to 1, with Lambda_p the diagonal of
the sums of columns. The k leading eigenvectors F of S are clustered.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator

from mvarena.algorithms.bandwidth import Reach, wide_reach
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible
from mvarena.numerics.kernels import squared_norms
from mvarena.numerics.neighbours import mean_reach, nearest_rows, neighbour_graph
from mvarena.numerics.scaling import scale_columns, unit_embedding
from mvarena.numerics.spectral import NO_RANK, inverse_square_root, top_eigenvectors

# The anchors of APMC: samples that both views of a pair observe, or representatives of them.

Choice = Literal["random", "kmeans"]


def choose_anchors(
    first: Any,
    second: Any,
    common: NDArray[np.int64],
    n_anchors: int | None,
    choice: Choice,
    rng: np.random.Generator,
) -> tuple[Any, Any]:
    """The anchors as they look in either view: (l, d_1) and (l, d_2), row by row the same anchor.

    Parameters
    ----------
    first, second : the two views, (n, d_v) dense or CSR. common : rows that both observe.
    n_anchors : None for all common rows (section 3.3), otherwise at most so many of them.
    choice : drawn at random, or the centres of a mini-batch k-means on both views (the paper's footnote 1).

    Cost of "kmeans": O(l d) per common row and pass, with a copy of the common rows.
    """
    if n_anchors is None or n_anchors >= len(common):
        return first[common], second[common]
    if choice == "random":
        drawn = np.sort(rng.choice(common, n_anchors, replace=False))
        return first[drawn], second[drawn]
    return _centres(first[common], second[common], n_anchors, int(rng.integers(2**31)))


def _centres(first: Any, second: Any, n_anchors: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    from sklearn.cluster import MiniBatchKMeans  # takes long, and planning needs none

    spreads = [_spread(first), _spread(second)]
    parts = [first / spreads[0], second / spreads[1]]
    both = sparse.hstack(parts, format="csr") if any(map(sparse.issparse, parts)) else np.hstack(parts)
    model = MiniBatchKMeans(n_anchors, n_init=1, random_state=seed).fit(both)
    centres = np.asarray(model.cluster_centers_, dtype=np.float64)
    width = first.shape[1]
    return centres[:, :width] * spreads[0], centres[:, width:] * spreads[1]


def _spread(points: Any) -> float:
    """Root mean square distance from the mean row, so that neither view outweighs the other; 1 if all rows agree."""
    mean = np.asarray(points.mean(axis=0)).ravel()
    variance = float(squared_norms(points).mean() - mean @ mean)
    return float(np.sqrt(variance)) if variance > 1e-12 * float(mean @ mean) else 1.0


# APMC on several pairs of views: the mean similarity over the pairs in which both samples appear, as an operator.
#
# Samples that appear in the same pairs form a group. Between two groups the pairs to average over are the same for
# all samples, so the fused S is a sum over pairs of low-rank parts, weighted group by group: no n x n matrix.

Fusion = Literal["laplacian", "similarity"]


class FusedSimilarity(LinearOperator):  # type: ignore[misc]
    """S (n, n) of section 4.2: S_ij = mean over the pairs p in which i and j both appear of (A_p A_p^T)_ij.

    Parameters
    ----------
    factors : one A_p (n, l_p) CSR per pair of views, rows empty for samples that appear in neither view.
    present : (n, P) bool, in which pairs a sample appears.

    Samples that share no pair have similarity 0. Memory O(n m + groups l); a product costs O(n m + groups^2 l).
    """

    def __init__(self, factors: list[sparse.csr_array], present: NDArray[np.bool_]) -> None:
        patterns, group = np.unique(present, axis=0, return_inverse=True)
        group = group.ravel()
        shared = patterns.astype(np.float64) @ patterns.T.astype(np.float64)
        share = np.divide(1.0, shared, out=np.zeros_like(shared), where=shared > 0)
        self._weights = [share * np.outer(pattern, pattern) for pattern in patterns.T]
        self._spread = [_by_group(factor, group, len(patterns)) for factor in factors]
        self._gather = [sparse.csr_array(spread.T) for spread in self._spread]
        super().__init__(np.float64, (len(present), len(present)))

    def _matmat(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros(x.shape)
        for weights, spread, gather in zip(self._weights, self._spread, self._gather, strict=True):
            groups = len(weights)
            per_anchor = np.asarray(gather @ x).reshape(groups, -1)
            total += spread @ (weights @ per_anchor).reshape(-1, x.shape[1])
        return total

    def _matvec(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._matmat(x.reshape(-1, 1)).ravel()

    def _adjoint(self) -> FusedSimilarity:
        return self


def _by_group(factor: sparse.csr_array, group: NDArray[np.int64], n_groups: int) -> sparse.csr_array:
    """(n, groups * l): the factor's columns once per group, each row's entries in the columns of its group."""
    n, n_anchors = factor.shape
    columns = factor.indices.astype(np.int64) + n_anchors * np.repeat(group, np.diff(factor.indptr))
    return sparse.csr_array((factor.data, columns, factor.indptr), shape=(n, n_groups * n_anchors))


def fused_embedding(similarity: FusedSimilarity, k: int, fusion: Fusion) -> NDArray[np.float64]:
    """Top k eigenvectors (n, k) of what `fusion` makes of S, with D the row sums of S. Cost: O(k) products with S.

    fusion : "laplacian": of S - D, which is Eq. 2; "similarity": of S, Eq. 4.

    For one pair of views D = I (Eq. 3) and both are one. A mean over pairs that differs from group to group
    leaves S symmetric, but its rows sum to 1 or more, at most to the number of pairs. Directions of eigenvalue 0 are
    left out.
    """
    degrees = similarity @ np.ones(similarity.shape[0])
    # moved by the largest degree, which changes no eigenvector, -L has the wanted eigenvalues away from 0
    diagonal = degrees.max() - degrees if fusion == "laplacian" else np.zeros_like(degrees)

    def product(x: NDArray[np.float64]) -> NDArray[np.float64]:
        columns = x.reshape(len(degrees), -1)
        spread = similarity @ columns + diagonal[:, None] * columns
        return np.asarray(spread).reshape(x.shape)

    operator = LinearOperator(similarity.shape, matvec=product, matmat=product, dtype=np.float64)
    values, vectors = top_eigenvectors(operator, k)
    return vectors[:, np.abs(values) > NO_RANK]


class APMC(MultiViewClusterer):
    """Spectral clustering of a similarity graph built through anchors: the samples seen in both views.

    Parameters
    ----------
    n_neighbors : nearest anchors per sample, the paper's m; all of them where there are fewer.
    n_anchors : None: every sample that both views of a pair observe, as in the paper; or at most so many of them,
        which makes the cost linear in n.
    anchors : how they are picked then: "random", or "kmeans" for mini-batch k-means centres.
    reach : the distance at which similarity exp(-d^2 / reach^2) has fallen to 1/e, the paper's sigma. "all": per view
        and pair, twice the root mean square distance to all anchors. "nearest": the mean distance to the m-th nearest.
    unit_rows : scale the rows of the paper's F to unit length.
    fusion : with three and more views, whose k leading eigenvectors are F: "laplacian" of S - D, with D the row sums
        of the fused S; "similarity" of S. For two views they are the same.

    Reach, unit rows and fusion are by default those of the authors' program. The paper says sigma = 1, which has a
    meaning on scaled data only, and nothing of the rows of F. Its section 3.4 states both the Laplacian (Eq. 2) and
    the similarity (Eq. 4), which for three views differ. The program takes the best of 20 k-means, as `fit` does.

    Raises Incompatible if no sample is seen in two views, or if a sample is seen only in views that share no
    sample with another one.

    The embedding has F's constant first column. If the graph falls into more than k pieces, the top eigenvectors are
    not unique and the ones found are one choice among many.
    """

    canonical: ClassVar[bool] = True

    n_neighbors: Count = 10
    n_anchors: Count | None = None
    anchors: Choice = "random"
    reach: Reach = "all"
    unit_rows: bool = True
    fusion: Fusion = "laplacian"

    def check(self, data: MultiViewData) -> int:
        n_clusters = super().check(data)
        pairs = linked_pairs(data.mask)
        if not pairs:
            raise Incompatible(
                f"apmc cannot take {data.name}: no sample is seen in two views, so there is no anchor to link them; "
                "lower the missing rate, or choose views that share samples."
            )
        stranded = np.flatnonzero(~presence(data.mask, pairs).any(axis=1))
        if stranded.size:
            names = sorted({data.view_names[v] for v in np.flatnonzero(data.mask[stranded].any(axis=0))})
            raise Incompatible(
                f"apmc cannot take {data.name}: {stranded.size} samples, the first in row {stranded[0]}, are seen only "
                f"in {', '.join(names)}, which shares no sample with another view; leave that view out."
            )
        return n_clusters

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        pairs = linked_pairs(data.mask)
        factors, details = self._factors(data, pairs)
        if len(pairs) == 1:
            vectors = left_singular_vectors(factors[0], n_clusters)
        else:
            similarity = FusedSimilarity(factors, presence(data.mask, pairs))
            vectors = fused_embedding(similarity, n_clusters, self.fusion)
        return Representation(embedding=unit_embedding(vectors) if self.unit_rows else vectors, details=details)

    def _factors(
        self, data: MultiViewData, pairs: list[tuple[int, int]]
    ) -> tuple[list[sparse.csr_array], dict[str, NDArray[np.float64]]]:
        """A_p for each pair of views; the reaches (P, 2) and numbers of anchors (P,) as details."""
        rng = np.random.default_rng(self.random_state)
        factors, reaches, counts = [], [], []
        for pair in pairs:
            first, second = (data.views[v].matrix for v in pair)
            mask = data.mask[:, pair]
            common = np.flatnonzero(mask.all(axis=1))
            anchors = choose_anchors(first, second, common, self.n_anchors, self.anchors, rng)
            Z, used = pair_graph((first, second), mask, anchors, self.n_neighbors, self.reach)
            factors.append(balanced(Z))
            reaches.append(used)
            counts.append(factors[-1].shape[1])
        return factors, {"reach": np.array(reaches), "n_anchors": np.array(counts)}


def linked_pairs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The pairs of views that share a sample."""
    return [pair for pair in combinations(range(mask.shape[1]), 2) if mask[:, pair].all(axis=1).any()]


def presence(mask: NDArray[np.bool_], pairs: list[tuple[int, int]]) -> NDArray[np.bool_]:
    """(n, P) bool: whether a sample is seen in at least one view of each pair."""
    return np.column_stack([mask[:, pair].any(axis=1) for pair in pairs])


# APMC on one pair of views: similarities of all samples to the anchors, and the embedding they give.

# up to so many anchors the matrix R (l, l) is formed: 72 MB
_SMALL = 3_000
# a similarity below is none: the authors' program drops it, and would have rounding noise decide on edges otherwise
_NO_EDGE = 1e-10


def anchor_similarities(
    points: Any, anchors: Any, m: int, reach: Reach
) -> tuple[NDArray[np.int64], NDArray[np.float64], float]:
    """Eq. 1: Gaussian similarities of each row to its m nearest anchors, summing to 1, and the reach used.

    Parameters
    ----------
    points : (r, d) observed rows of a view. anchors : (l, d). m : neighbours, all anchors where l < m.
    reach : of exp(-d^2 / reach^2); "all": twice the root mean square distance to all anchors; "nearest": the mean
        distance to the m-th nearest one.

    Returns anchor indices (r, min(m, l)), similarities of the same shape, reach. Time O(r l d), memory O(r m).
    """
    nearest, squared = nearest_rows(points, anchors, m)
    if reach == "all":
        reach = wide_reach(points, anchors)
    elif reach == "nearest":
        reach = mean_reach(squared)
    # the nearest anchor's similarity is the unit: no row can underflow, and the division cancels it out
    squared -= squared[:, :1]
    scale = reach**2
    if scale > 0:
        squared /= -scale
        weights = np.exp(squared, out=squared)
    else:
        weights = np.asarray(squared == 0, dtype=np.float64)
    weights /= weights.sum(axis=1, keepdims=True)
    weights[weights < _NO_EDGE] = 0.0
    return nearest, weights, float(reach)


def pair_graph(
    views: tuple[Any, Any], mask: NDArray[np.bool_], anchors: tuple[Any, Any], m: int, reach: Reach
) -> tuple[sparse.csr_array, tuple[float, float]]:
    """Z (n, l) of section 3.3 and the reaches of the two views.

    Parameters
    ----------
    views, anchors : of both views, (n, d_v) and (l, d_v). mask : (n, 2) which view observes which sample.

    Rows sum to 1; a sample in both views has the mean of its two rows, one in neither an empty row.
    """
    shares = mask / np.maximum(mask.sum(axis=1, keepdims=True), 1)
    (first, first_reach), (second, second_reach) = (
        _view_graph(views[v], np.flatnonzero(mask[:, v]), anchors[v], m, reach, shares[:, v]) for v in range(2)
    )
    return sparse.csr_array(first + second), (first_reach, second_reach)


def _view_graph(
    view: Any, rows: NDArray[np.int64], anchors: Any, m: int, reach: Reach, shares: NDArray[np.float64]
) -> tuple[sparse.csr_array, float]:
    """One view's part of Z (n, l) and its reach; all else that it takes is let go of."""
    n = len(shares)
    nearest, weights, used = anchor_similarities(view if len(rows) == n else view[rows], anchors, m, reach)
    weights *= shares[rows, None]
    return neighbour_graph(nearest, weights, anchors.shape[0], rows, n), used


def balanced(graph: sparse.csr_array) -> sparse.csr_array:
    """A = Z Lambda^-1/2 (n, l'), so that S = A A^T, without the anchors that nobody chose."""
    loads = np.asarray(graph.sum(axis=0)).ravel()
    kept = np.flatnonzero(loads > 0)
    graph = graph if len(kept) == len(loads) else sparse.csr_array(graph[:, kept])
    return sparse.csr_array(scale_columns(graph, inverse_square_root(loads[kept])))


def left_singular_vectors(A: sparse.csr_array, k: int) -> NDArray[np.float64]:
    """F = A B Theta^-1/2 (n, k): the top k eigenvectors of S = A A^T through those of R = A^T A (section 3.4).

    The first one is constant. Where A has a rank below k, so many columns. Cost: O(n m^2) to form R (l, l), or,
    with many anchors, O(k) products with A.
    """
    n_anchors = A.shape[1]
    if n_anchors <= _SMALL:
        R: Any = (A.T @ A).toarray()
    else:
        transposed = sparse.csr_array(A.T)
        R = LinearOperator((n_anchors, n_anchors), matvec=lambda x: transposed @ (A @ x), dtype=np.float64)
    theta, B = top_eigenvectors(R, k)
    real = theta > NO_RANK * theta[0]
    return np.asarray((A @ B[:, real]) / np.sqrt(theta[real]))
