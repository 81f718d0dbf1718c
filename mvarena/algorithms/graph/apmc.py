"""APMC: anchor-based partial multi-view clustering (Guo and Ye, AAAI 2019), for two and more views."""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.algorithms.graph._apmc_anchors import Choice, choose_anchors
from mvarena.algorithms.graph._apmc_fusion import FusedSimilarity, Fusion, fused_embedding
from mvarena.algorithms.graph._apmc_pair import balanced, left_singular_vectors, pair_graph
from mvarena.algorithms.reach import Reach
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible
from mvarena.numerics.scaling import unit_embedding


class APMC(MultiViewClusterer):
    """Spectral clustering of similarities that samples owe to anchors, the samples that two views share.

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
        of the fused S; "similarity" of S; "normalized" of D^-1/2 S D^-1/2. For two views they are the same.

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
            found = left_singular_vectors(factors[0], n_clusters)
        else:
            similarity = FusedSimilarity(factors, presence(data.mask, pairs))
            found = fused_embedding(similarity, n_clusters, self.fusion)
        return Representation(embedding=unit_embedding(found) if self.unit_rows else found, details=details)

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
