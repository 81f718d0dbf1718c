"""APMC: anchor-based partial multi-view clustering (Guo and Ye, AAAI 2019), for two and more views."""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.algorithms.graph._apmc_anchors import Choice, choose_anchors
from mvarena.algorithms.graph._apmc_fusion import FusedSimilarity, fused_embedding
from mvarena.algorithms.graph._apmc_pair import balanced, left_singular_vectors, pair_graph
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, Positive
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible


class APMC(MultiViewClusterer):
    """Spectral clustering of similarities that samples owe to anchors, the samples that two views share.

    Parameters
    ----------
    n_neighbors : nearest anchors per sample, the paper's m; all of them where there are fewer.
    n_anchors : None: every sample that both views of a pair observe, as in the paper; or at most so many of them,
        which makes the cost linear in n.
    anchors : how they are picked then: "random", or "kmeans" for mini-batch k-means centres.
    reach : the distance at which similarity exp(-d^2 / reach^2) has fallen to 1/e, the paper's sigma; None: per view
        the mean distance to the m-th nearest anchor. The paper's 1 has a meaning on scaled data only.
    normalize : with three and more views, scale the fused S by its row sums before its eigenvectors are taken. The
        paper takes those of S itself (sections 4.2 and 3.4, Eq. 4), which for one pair of views is the same.

    Raises Incompatible if no sample is seen in two views, or if a sample is seen only in views that share no
    sample with another one.

    The embedding is the paper's F with its constant first column; rows keep their length, as plain k-means on F is
    what the paper describes. If the graph falls into more than k pieces, the top eigenvectors are not unique and the
    ones found are one choice among many.
    """

    canonical: ClassVar[bool] = True

    n_neighbors: Count = 10
    n_anchors: Count | None = None
    anchors: Choice = "random"
    reach: Positive | None = None
    normalize: bool = False

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
            found = left_singular_vectors(factors[0], n_clusters)
        else:
            similarity = FusedSimilarity(factors, presence(data.mask, pairs))
            found = fused_embedding(similarity, n_clusters, normalize=self.normalize)
        return Representation(embedding=found, details=details)

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
