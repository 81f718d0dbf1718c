"""Graph learning for multi-view clustering (Zhan, Zhang, Guan and Wang 2018): a graph with exactly k components."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse.csgraph import connected_components

from mvarena.algorithms.graph.specs_spectral import MVGL as SPEC
from mvarena.algorithms.graph.view_graphs import Square, squared_distances
from mvarena.algorithms.square import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.proximal import project_simplex_rows

_ROUNDS = 30  # doublings or halvings of lambda


@dataclass(frozen=True, eq=False, slots=True)
class MVGLResult:
    """A : (n, n) global graph; weights : (V, n), columns sum to 1; objective : per iteration.

    The rows of A are on the simplex, unless the weighted graph had k components by itself and was taken as it was.

    components : (n,) connected component of each sample in (A + A^T) / 2.
    """

    A: Square
    weights: NDArray[np.float64]
    objective: NDArray[np.float64]
    components: NDArray[np.int64]
    converged: bool
    stopped_because: str


def mvgl(S: Sequence[Square], k: int, *, local: bool = True, max_iter: int = 30, tol: float = 1e-3) -> MVGLResult:
    """min over A, w of sum_i norm(a_i - sum_v w_vi s_vi)^2, columns i, with k components in A and sum_v w_vi = 1.

    Parameters
    ----------
    S : V symmetric nonnegative graphs (n, n).
    local : edges only where the weighted graph has a positive one; otherwise anywhere.
    tol : stop once the objective changes by at most this, relatively.

    The two steps do not share one objective (A's rows are projected, the weights fit columns), so the objective
    need not fall; the published loop has no cap on its iterations. Cost O(V n^2 + n^3) per iteration and change of
    lambda, (V + 9) n^2.
    """
    combined = _combine(S, np.full((len(S), len(S[0])), 1.0 / len(S)))
    history: list[float] = []
    converged = False
    while len(history) < max_iter and not converged:
        A = _with_components(combined, k, local)
        weights = view_weights(A, S)
        combined = _combine(S, weights)
        previous = history[-1] if history else 10.0
        history.append(float(((A - combined) ** 2).sum()))
        converged = abs(history[-1] - previous) <= tol * abs(previous)
    components = _components((A + A.T) / 2)
    reason = f"the objective changed by at most {tol:g}" if converged else f"{max_iter} iterations were done"
    if components.max() + 1 != k:
        reason += f"; the graph has {components.max() + 1} components instead of {k}"
    return MVGLResult(A, weights, np.array(history), components, converged, reason)


def _combine(S: Sequence[Square], weights: NDArray[np.float64]) -> Square:
    """sum_v of S_v with its columns weighted."""
    combined = np.zeros_like(S[0])
    for w, S_v in zip(weights, S, strict=True):
        combined += w * S_v
    return combined


def view_weights(A: Square, S: Sequence[Square]) -> NDArray[np.float64]:
    """(V, n) weights, per column i: argmin norm(sum_v w_v (a_i - s_vi))^2 with sum 1, which is G^-1 1 normalised.

    Where G is singular (two views agree in a column) the weights of least norm are taken. Cost O(V^2 n^2 + V^3 n).
    """
    V, n = len(S), len(A)
    gram = np.empty((n, V, V))
    for v in range(V):
        for w in range(v, V):
            gram[:, v, w] = gram[:, w, v] = ((A - S[v]) * (A - S[w])).sum(axis=0)
    # Stationarity: 2 G w + eta 1 = 0 and 1^T w = 1, solved together, which a singular G allows.
    system = np.zeros((n, V + 1, V + 1))
    scale = np.maximum(gram.trace(axis1=1, axis2=2), np.finfo(float).tiny)
    system[:, :V, :V] = gram / scale[:, None, None]
    system[:, :V, V] = system[:, V, :V] = 1.0
    right = np.zeros(V + 1)
    right[V] = 1.0
    solution = np.linalg.pinv(system, rcond=1e-13, hermitian=True) @ right
    return np.asarray(solution[:, :V].T)


def learned_graph(squared: Square, k: int, n_neighbors: int, *, local: bool = False) -> Square:
    """One view's symmetric graph (n, n) with k components, from squared distances.

    Starts from the adaptive neighbours of Nie, Wang and Huang (2014): a_ij proportional to d_(i, m+1) - d_ij. From
    then on, as in the published code, only the distances between rows of F count; local keeps edges to the
    m nearest neighbours. Cost O(n^3) per change of lambda, 6 n^2.
    """
    n = len(squared)
    m = min(n_neighbors, n - 2)
    order = np.argsort(squared, axis=1, kind="stable")
    neighbours = order[:, 1 : m + 2]
    rows = np.arange(n)[:, None]
    near = squared[rows, neighbours]
    closer = near[:, -1:] - near
    A = np.zeros((n, n))
    # a sum of differences, not a difference of sums: it is 0, and the row empty, where all neighbours are equally near
    A[rows, neighbours] = closer / (closer.sum(axis=1, keepdims=True) + np.finfo(float).eps)
    allowed = None
    if local:
        allowed = np.zeros((n, n), dtype=bool)
        allowed[rows, neighbours[:, :m]] = True

    def project(distances: Square, lam: float) -> Square:
        graph = _project(-0.5 * lam * distances, allowed)
        return (graph + graph.T) / 2

    start = (A + A.T) / 2
    return _until_components(project, _smallest(start, k)[0], k, tolerance=1e-11)


def _with_components(combined: Square, k: int, local: bool) -> Square:
    """The nearest graph to `combined` with rows on the simplex and k components, lambda doubled until it has them.

    A combined graph that falls into k components already is taken as it is, as in the published code: its rows need
    not sum to 1.
    """
    base = combined - np.diag(np.diag(combined))
    allowed = base > 0 if local else None
    F, values = _smallest((base + base.T) / 2, k)
    if values[:k].sum() < 1e-10:
        return base
    return _until_components(
        lambda distances, lam: _project(base - 0.5 * lam * distances, allowed), F, k, tolerance=1e-10
    )


def _until_components(
    project: Callable[[Square, float], Square], F: NDArray[np.float64], k: int, tolerance: float
) -> Square:
    """Projects with the distances between the rows of F, again and again, until L has exactly k zero eigenvalues."""
    lam = 1.0
    for _ in range(_ROUNDS):
        squares = np.einsum("ij,ij->i", F, F)
        distances = np.maximum(squares[:, None] + squares - 2 * (F @ F.T), 0.0)
        graph = project(distances, lam)
        found, values = _smallest((graph + graph.T) / 2, k)
        if values[:k].sum() > tolerance:
            lam *= 2
            F = found
        elif values[: k + 1].sum() < tolerance:
            lam /= 2
        else:
            break
    return graph


def _project(B: Square, allowed: NDArray[np.bool_] | None) -> Square:
    """Rows onto the simplex, with zeros where an edge is not allowed; a sample with no allowed edge keeps none."""
    if allowed is None:
        return project_simplex_rows(B)
    # Entries far below every allowed one project to zero, so that one projection serves all rows.
    kept = allowed.any(axis=1)
    lowest = np.where(allowed, B, np.inf).min(axis=1, initial=np.inf)
    floor = np.where(kept, lowest, 0.0) - 2.0
    projected = project_simplex_rows(np.where(allowed, B, floor[:, None]))
    projected[~allowed] = 0.0
    return projected


def _smallest(graph: Square, k: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The k smallest eigenvectors of the Laplacian D - W, and the k + 1 smallest eigenvalues."""
    laplacian = np.diag(graph.sum(axis=1)) - graph
    last = min(k, len(graph) - 1)
    values, vectors = linalg.eigh(laplacian, subset_by_index=(0, last))
    return vectors[:, :k], values


def _components(graph: Square) -> NDArray[np.int64]:
    return np.asarray(connected_components(sparse.csr_array(graph), directed=False)[1], dtype=np.int64)


class MVGL(SquareClusterer):
    """Global graph with exactly k connected components, fitted to each view's learned graph. Status: verified.

    Parameters
    ----------
    n_neighbors : neighbours in each view's first graph.
    local_views, local_global : keep edges to neighbours only, in the views' graphs and in the global one (the
        published demo sets both by data set).
    max_iter : the published loop has no cap.

    The clusters are the components; where lambda finds no graph with exactly k, the graph is clustered spectrally.
    Cost O(n^3) per change of lambda; (V + 10) n^2 doubles. Does not depend on the order of the views. Source: Zhan,
    Zhang, Guan and Wang, IEEE Transactions on Cybernetics 2018, by its published code.
    """

    spec: ClassVar[AlgorithmSpec] = SPEC

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        n_neighbors: int = 15,
        local_views: bool = True,
        local_global: bool = True,
        max_iter: int = 30,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.local_views = local_views
        self.local_global = local_global
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def squares(self, n_views: int) -> int:
        return n_views + 10

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        if self.n_neighbors < 1 or self.max_iter < 1:
            raise InvalidSetting("n_neighbors and max_iter must be at least 1.")
        if data.n_samples < 3:
            raise InvalidSetting(f"mvgl needs at least 3 samples and there are {data.n_samples}.")
        graphs = [
            learned_graph(squared_distances(view), k, self.n_neighbors, local=self.local_views) for view in data.views
        ]
        found = mvgl(graphs, k, local=self.local_global, max_iter=self.max_iter)
        exact = found.components.max() + 1 == k
        return Representation(
            labels=found.components if exact else None,
            affinity=None if exact else (found.A + found.A.T) / 2,
            objective=found.objective,
            n_iter=len(found.objective),
            converged=found.converged and bool(exact),
            stopped_because=found.stopped_because,
            details={"weights": found.weights, "graph": found.A},
        )
