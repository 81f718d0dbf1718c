"""APMC: anchor-based partial multi-view clustering (Guo and Ye, AAAI 2019), for two and more views."""

from __future__ import annotations

from itertools import combinations
from typing import get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.algorithms import graph
from mvarena.algorithms.graph._apmc_anchors import Choice, choose_anchors
from mvarena.algorithms.graph._apmc_fusion import FusedSimilarity, fused_embedding
from mvarena.algorithms.graph._apmc_pair import balanced, left_singular_vectors, pair_graph
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible, InvalidSetting
from mvarena.numerics.assignment import canonical_order


class APMC(MultiViewClusterer):
    """Spectral clustering of similarities that samples owe to anchors, the samples that two views share.

    Parameters
    ----------
    n_clusters : clusters to look for; None: as many as the data say.
    n_neighbors : nearest anchors per sample, the paper's m; all of them where there are fewer.
    n_anchors : None: every sample that both views of a pair observe, as in the paper; or at most so many of them,
        which makes the cost linear in n.
    anchors : how they are picked then: "random", or "kmeans" for mini-batch k-means centres.
    sigma : bandwidth of exp(-d^2 / sigma^2); None: per view the mean distance to the m-th nearest anchor. The
        paper's 1 has a meaning on scaled data only.
    normalize : with three and more views, scale the fused S by its row sums before its eigenvectors are taken. The
        paper takes those of S itself (sections 4.2 and 3.4, Eq. 4), which for one pair of views is the same.
    n_init : k-means starts in `fit`.
    random_state : seed of the anchors' choice and of `fit`'s k-means.

    Raises Incompatible if no sample is seen in two views, or if a sample is seen only in views that share no
    sample with another one. Time O(n l d) per pair of views for l anchors, memory O(n m V^2 + groups l), with
    groups at most 2^V: never n x n.

    The embedding is the paper's F with its constant first column; rows keep their length, as plain k-means on F is
    what the paper describes. Samples are treated in an order that depends on their values alone, so that a
    permutation of the samples permutes the result. If the graph falls into more than k pieces, the top
    eigenvectors are not unique and the ones found are one choice among many.

    Source: Guo and Ye, "Anchors bring ease", AAAI 2019, Eq. 1, sections 3.4 and 4. Status: from the paper.
    """

    spec = graph.APMC

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        n_neighbors: int = 10,
        n_anchors: int | None = None,
        anchors: Choice = "random",
        sigma: float | None = None,
        normalize: bool = False,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.n_anchors = n_anchors
        self.anchors = anchors
        self.sigma = sigma
        self.normalize = normalize
        self.n_init = n_init
        self.random_state = random_state

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

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        self._check_settings()
        order = canonical_order(*(view.matrix for view in data.views), data.mask.astype(np.float64))
        sorted_data = data.take(order)
        pairs = linked_pairs(sorted_data.mask)
        factors, details = self._factors(sorted_data, pairs)
        if len(pairs) == 1:
            found = left_singular_vectors(factors[0], k)
        else:
            similarity = FusedSimilarity(factors, presence(sorted_data.mask, pairs))
            found = fused_embedding(similarity, k, normalize=self.normalize)
        embedding = np.empty_like(found)
        embedding[order] = found
        return Representation(embedding=embedding, details=details)

    def _factors(
        self, data: MultiViewData, pairs: list[tuple[int, int]]
    ) -> tuple[list[sparse.csr_array], dict[str, NDArray[np.float64]]]:
        """A_p for each pair of views; the bandwidths (P, 2) and numbers of anchors (P,) as details."""
        rng = np.random.default_rng(self.random_state)
        factors, sigmas, counts = [], [], []
        for pair in pairs:
            first, second = (data.views[v].matrix for v in pair)
            mask = data.mask[:, pair]
            common = np.flatnonzero(mask.all(axis=1))
            anchors = choose_anchors(first, second, common, self.n_anchors, self.anchors, rng)
            Z, used = pair_graph((first, second), mask, anchors, self.n_neighbors, self.sigma)
            factors.append(balanced(Z))
            sigmas.append(used)
            counts.append(factors[-1].shape[1])
        return factors, {"sigma": np.array(sigmas), "n_anchors": np.array(counts)}

    def _check_settings(self) -> None:
        if self.n_neighbors < 1:
            raise InvalidSetting(f"n_neighbors must be at least 1, not {self.n_neighbors}.")
        if self.n_anchors is not None and self.n_anchors < 1:
            raise InvalidSetting(f"n_anchors must be at least 1, or None for all common samples, not {self.n_anchors}.")
        if self.anchors not in get_args(Choice):
            raise InvalidSetting(f"anchors must be one of {', '.join(get_args(Choice))}, not '{self.anchors}'.")
        if self.sigma is not None and not 0 < self.sigma < np.inf:
            raise InvalidSetting(f"sigma must be positive, or None for the mean distance, not {self.sigma}.")


def linked_pairs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The pairs of views that share a sample."""
    return [pair for pair in combinations(range(mask.shape[1]), 2) if mask[:, pair].all(axis=1).any()]


def presence(mask: NDArray[np.bool_], pairs: list[tuple[int, int]]) -> NDArray[np.bool_]:
    """(n, P) bool: whether a sample is seen in at least one view of each pair."""
    return np.column_stack([mask[:, pair].any(axis=1) for pair in pairs])
