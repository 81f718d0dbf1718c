"""Graphs with as many components as clusters (mvgl, gmc, mcgc): eigenvectors of Laplacians, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from mvarena.algorithms import GMC, MCGC, MVGL
from mvarena.algorithms.graph._mvgl_components import shifted_solver, smallest_eigenpairs
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.testing.examples import blobs

METHODS = [MVGL, GMC, MCGC]


def random_graph(n, share, pieces=1, seed=0):
    """Symmetric weights on that share of the edges within each of the pieces, which are all connected."""
    rng = np.random.default_rng(seed)
    graph = np.where(rng.random((n, n)) < share, rng.random((n, n)), 0.0)
    chain, part = np.arange(n - pieces), np.arange(n) % pieces
    graph[chain, chain + pieces] = 1.0
    graph[part[:, None] != part] = 0.0
    return graph + graph.T


def laplacian_of(graph):
    return np.diag(graph.sum(axis=1)) - graph


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(("n", "share"), [(240, 0.3), (600, 0.006)], ids=["by LAPACK", "by solutions"])
@pytest.mark.parametrize("pieces", [1, 3, 7])
def test_eigenvectors_are_those_of_lapack_for_the_whole_graph(pieces, n, share, form):
    graph, k = random_graph(n, share, pieces, seed=pieces), 5
    near = np.linalg.qr(np.random.default_rng(0).standard_normal((n, k)))[0]
    vectors, values = smallest_eigenpairs(form(graph), k, near)
    exact_values, exact = np.linalg.eigh(laplacian_of(graph))
    np.testing.assert_allclose(values, exact_values[: k + 1], atol=1e-11)
    if pieces <= k:
        np.testing.assert_allclose(vectors @ vectors.T, exact[:, :k] @ exact[:, :k].T, atol=1e-8)


def test_components_of_one_and_two_samples_have_their_eigenvectors():
    graph = np.zeros((12, 12))
    graph[0, 1] = graph[1, 0] = 0.5
    graph[3:, 3:] = 1.0 - np.eye(9)  # and sample 2 alone
    vectors, values = smallest_eigenpairs(graph, 5)
    np.testing.assert_allclose(values, [0, 0, 0, 1.0, 9.0, 9.0], atol=1e-12)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(5), atol=1e-12)


def many_small_components(n=520):
    """One large component and 14 small ones: of 30 vectors the large one needs 17."""
    graph = random_graph(n, 0.03)
    small = np.minimum(np.arange(n) // 6, 14)
    graph[small[:, None] != small] = 0.0
    graph[:84, :84] += np.kron(np.eye(14), 0.1 * (1 - np.eye(6)))
    return graph


def with_negative_edges():
    graph = random_graph(500, 0.01)
    graph[graph > 1.2] *= -1.0
    return graph


@pytest.mark.parametrize(
    ("graph", "k"),
    [(with_negative_edges(), 5), (many_small_components(), 30), (np.zeros((500, 500)), 3)],
    ids=["negative edges", "many components", "no edges"],
)
def test_eigenvalues_are_found_where_no_factor_or_start_is_of_use(graph, k):
    near = np.linalg.qr(np.random.default_rng(0).standard_normal((len(graph), k)))[0]
    values = smallest_eigenpairs(sparse.csr_array(graph), k, near)[1]
    np.testing.assert_allclose(values, np.linalg.eigvalsh(laplacian_of(graph))[: k + 1], atol=1e-10)


@pytest.mark.parametrize("form", [np.array, sparse.csc_array])
def test_solutions_with_a_laplacian_need_it_to_be_positive(form):
    laplacian = laplacian_of(random_graph(50, 0.2))
    solve = shifted_solver(form(laplacian))
    shift = 1e-3 * np.diag(laplacian).mean()
    right = np.random.default_rng(1).random((50, 3))
    np.testing.assert_allclose((laplacian + shift * np.eye(50)) @ solve(right), right, atol=1e-9)
    # one eigenvalue at -1, and no degree to shift by
    assert shifted_solver(form(laplacian - (1.0 + shift) * np.ones((50, 50)) / 50)) is None
    assert shifted_solver(form(np.zeros((50, 50)))) is None


@pytest.mark.parametrize("method", METHODS)
def test_a_graph_in_other_than_k_pieces_is_clustered_spectrally(method, monkeypatch):
    for module in ("_mvgl_components", "mcgc"):
        monkeypatch.setattr(f"mvarena.algorithms.graph.{module}._ROUNDS", 1)
    found = method(n_clusters=7, max_iter=1).represent(blobs(60, dims=(5, 8), spread=2.0))
    assert found.affinity is not None
    assert not found.converged
    assert "components instead of 7" in found.stopped_because


@pytest.mark.parametrize("method", METHODS)
def test_they_need_three_samples(method):
    with pytest.raises(InvalidSetting, match="at least 3 samples and there are 2"):
        method().represent(MultiViewData.from_arrays([np.eye(2), np.ones((2, 1))], n_clusters=2))


def test_more_clusters_than_pairs_of_samples_are_refused():
    data = blobs(24, dims=(6, 8), seed=0)
    assert len(np.unique(MVGL(n_clusters=8).fit_predict(data))) > 4
    with pytest.raises(InvalidSetting, match="at most 12 components; 13 clusters"):
        MVGL(n_clusters=13).fit(data)
