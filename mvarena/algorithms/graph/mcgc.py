"""MCGC: multiview consensus graph clustering (Zhan, Nie, Wang and Yang, IEEE Trans. Image Processing 2019).

    min  |S|^2 / 2 - sum_v tr(U_v^T (A_v + beta S) U_v)

over a graph S (n, n) with rows on the simplex and k connected components, and U_v (n, k) with orthonormal columns, for
one learned graph A_v of k components per view: U_v are leading eigenvectors of A_v + beta S, and S is the graph nearest
to beta sum_v U_v U_v^T, with a pull towards k components that is doubled or halved until it has them. The components
are the clusters. It matches the authors' program step by step.

As published, feature distances only choose the neighbours of each view's graph; S is made symmetric after each
projection, and its pull is carried over from step to step, so that the objective need not fall. The program prints
another objective, which its steps do not minimise. Departure: where S has other than k components at the end, it is
clustered spectrally.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph._mvgl_components import component_clusters, components_of, smallest_eigenpairs
from mvarena.algorithms.graph.mvgl import learned_graph
from mvarena.algorithms.graph.view_graphs import Square, squared_distances
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, Positive
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.kernels import squared_distances as distances_between_rows
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.spectral import top_eigenvectors

Array = NDArray[np.float64]

_ZERO = 1e-10  # sums of eigenvalues below count as 0
_ROUNDS = 50


@dataclass(frozen=True, eq=False, slots=True)
class ConsensusGraph:
    """S : (n, n) symmetric. U : (n, k) per view. components : (n,) of S. history : the objective after each step."""

    S: Square
    U: list[Array]
    components: NDArray[np.int64]
    history: History


def mcgc(A: Sequence[Square], k: int, stopping: Stopping, *, agreement: float) -> ConsensusGraph:
    """MCGC from symmetric graphs A_v (n, n). agreement : beta.

    Cost O(n^3) per round of the pull and O(V n^2 k) products per step, memory some (V + 7) n^2.
    """
    U = [top_eigenvectors(graph, k)[1] for graph in A]
    S = agreement * _outer_products(U)
    H = smallest_eigenpairs(S, k)[0]
    pull, history = 1.0, History(stopping)
    while not history.ended:
        leading = [top_eigenvectors(graph + agreement * S, k) for graph in A]
        U = [vectors for _, vectors in leading]
        S, H, pull = _towards_components(agreement * _outer_products(U), H, pull)
        agreed = sum(float(np.vdot(u, graph @ u + agreement * (S @ u))) for u, graph in zip(U, A, strict=True))
        history.add(float(np.vdot(S, S)) / 2 - agreed)
    return ConsensusGraph(S, U, components_of(S), history)


def _towards_components(C: Square, H: Array, pull: float) -> tuple[Square, Array, float]:
    """The graph nearest to C with k components, its k smallest eigenvectors, and the last pull."""
    k = H.shape[1]
    for _ in range(_ROUNDS):
        S = project_simplex_rows(C - pull / 2 * distances_between_rows(H))
        S = (S + S.T) / 2
        result, values = smallest_eigenpairs(S, k)
        if values[:k].sum() > _ZERO:
            pull, H = pull * 2, result
        elif len(values) > k and values[: k + 1].sum() < _ZERO:
            pull /= 2
        else:
            break
    return S, result, pull


def _outer_products(U: Sequence[Array]) -> Square:
    stacked = np.hstack(list(U))
    return np.asarray(stacked @ stacked.T)


class MCGC(SquareClusterer):
    """A consensus of the views' learned graphs that has as many components as clusters.

    Parameters
    ----------
    n_neighbors : neighbours of each sample in the views' graphs; the authors' demo has 3, 20 or 23, by data set.
    agreement : beta, how much the views' spectral embeddings follow the consensus, and it them.
    max_iter : steps; the authors' program always takes 5.

    It ends in labels, the components; where there are other than k, in the graph, which is clustered spectrally.
    """

    canonical: ClassVar[bool] = True

    n_neighbors: Count = 20
    agreement: Positive = 0.6
    max_iter: Count = 5

    def squares(self, n_views: int) -> int:
        return n_views + 9

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        if data.n_samples < 3:
            raise InvalidSetting(f"mcgc needs at least 3 samples and there are {data.n_samples}.")
        A = [learned_graph(squared_distances(v), n_clusters, self.n_neighbors, local=True) for v in data.views]
        result = mcgc(A, n_clusters, Stopping(self.max_iter), agreement=self.agreement)
        return component_clusters(result.S, result.components, n_clusters, result.history)
