"""Auto-weighted multiple graph learning (Nie, Li and Li 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.specs_spectral import AMGL as SPEC
from mvarena.algorithms.graph.view_graphs import Square, nearest_graph, symmetric_normalized, view_graphs
from mvarena.algorithms.square import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.spectral import top_eigenvectors
from mvarena.numerics.threads import linear_algebra_threads


@dataclass(frozen=True, eq=False, slots=True)
class AMGLResult:
    """F : (n, k) orthonormal; weights : (V,) 1 / (2 sqrt(tr)); objective : sum_v sqrt(tr(F^T L_v F)) per iteration."""

    F: NDArray[np.float64]
    weights: NDArray[np.float64]
    objective: NDArray[np.float64]
    converged: bool
    stopped_because: str


def amgl(L: Sequence[Square], k: int, *, max_iter: int = 50, tol: float = 1e-8) -> AMGLResult:
    """min over orthonormal F (n, k) of sum_v sqrt(tr(F^T L_v F)) for V Laplacians L_v (n, n), positive semidefinite.

    Weights start at 1 / V. Stops when the objective changes by less than tol, relatively. A view whose trace is 0
    (k components of its own) gets the weight of a trace of 1e-12. Cost O(V n^2 + n^3) per iteration, 3 n^2.
    Source: the paper, equations 4 and 6.
    """
    weights = np.full(len(L), 1.0 / len(L))
    history: list[float] = []
    converged = False
    while len(history) < max_iter and not converged:
        # Eq. 6: the k smallest eigenvectors of sum_v w_v L_v; scaled, so that a large weight does not rule the solver
        combined = np.zeros_like(L[0])
        for weight, L_v in zip(weights / weights.sum(), L, strict=True):
            combined -= weight * L_v
        F = top_eigenvectors(combined, k, direct=True)[1]
        traces = np.maximum([float(np.einsum("ij,ij->", F, L_v @ F)) for L_v in L], 1e-12)
        weights = 0.5 / np.sqrt(traces)  # Eq. 4
        history.append(float(np.sqrt(traces).sum()))
        converged = len(history) > 1 and abs(history[-1] - history[-2]) <= tol * history[-1]
    reason = f"the objective changed by less than {tol:g}" if converged else f"{max_iter} iterations were done"
    return AMGLResult(F, weights, np.array(history), converged, reason)


class AMGL(SquareClusterer):
    """One embedding for all graphs, each weighted by how well the embedding fits it. Status: verified.

    Parameters
    ----------
    n_neighbors : neighbours per sample in each view's graph (the published experiments: 5).
    sigma : Gaussian bandwidth of the edges; None: each view's median distance.

    No parameter weighs the views. Cost O(V n^2 + n^3) per iteration; (V + 4) n^2 doubles, up to 2 V n^2 on many
    threads. Does not depend on the order of the views. Source: Nie, Li and Li, IJCAI 2016.
    """

    spec: ClassVar[AlgorithmSpec] = SPEC

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        n_neighbors: int = 5,
        sigma: float | None = None,
        max_iter: int = 50,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def squares(self, n_views: int) -> int:
        # the solver's, or one more for each view whose graph is being built
        return n_views + max(4, min(n_views, linear_algebra_threads()))

    def _laplacian(self, similarity: Square) -> Square:
        L = symmetric_normalized(nearest_graph(similarity, self.n_neighbors))
        np.negative(L, out=L)
        L[np.diag_indices_from(L)] += 1.0
        return L

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        if self.n_neighbors < 1 or self.max_iter < 1:
            raise InvalidSetting("n_neighbors and max_iter must be at least 1.")
        found = amgl(view_graphs(data, self.sigma, self._laplacian), k, max_iter=self.max_iter)
        return Representation(
            embedding=found.F,
            objective=found.objective,
            n_iter=len(found.objective),
            converged=found.converged,
            stopped_because=found.stopped_because,
            details={"weights": found.weights},
        )
