"""Eigenvectors: LAPACK and Lanczos agree, repeated eigenvalues are all found, and runs repeat to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import block_diag
from scipy.sparse.linalg import ArpackNoConvergence, aslinearoperator

from mvarena.numerics import spectral
from mvarena.numerics.spectral import fix_signs, inverse_square_root, normalized_embedding, top_eigenvectors


def symmetric(n: int, seed: int = 0) -> np.ndarray:
    matrix = np.random.default_rng(seed).standard_normal((n, n))
    return (matrix + matrix.T) / 2


@pytest.mark.parametrize("n", [30, 450])
@pytest.mark.parametrize("wrap", [np.asarray, sparse.csr_array, aslinearoperator])
def test_top_eigenvectors_match_lapack(n, wrap):
    matrix = symmetric(n)
    values, vectors = top_eigenvectors(wrap(matrix), 4)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix)[::-1][:4], rtol=1e-9)
    np.testing.assert_allclose(matrix @ vectors, vectors * values, atol=1e-7)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(4), atol=1e-9)


@pytest.mark.parametrize("pieces", [5, 12, 40])
def test_eigenvalues_of_a_graph_in_pieces_are_found_as_often_as_they_occur(pieces):
    blocks = [np.abs(symmetric(max(3, 480 // pieces), seed)) + 1 for seed in range(pieces)]
    graph = sparse.csr_array(block_diag(*blocks))
    scale = inverse_square_root(np.asarray(graph.sum(axis=1)).ravel())
    normalized = sparse.csr_array(graph * scale[:, None] * scale)
    values, vectors = top_eigenvectors(normalized, 13)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(normalized.toarray())[::-1][:13], atol=1e-9)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(13), atol=1e-9)


@pytest.mark.parametrize("matrix", [np.zeros((450, 450)), np.eye(450), np.ones((450, 450)), -np.eye(450)])
def test_degenerate_matrices_have_eigenvectors_too(matrix):
    values, vectors = top_eigenvectors(matrix, 3)
    np.testing.assert_allclose(matrix @ vectors, vectors * values, atol=1e-9)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(3), atol=1e-9)


def test_a_low_rank_matrix_gives_the_same_vectors_on_every_run():
    factor = np.random.default_rng(0).standard_normal((500, 3))
    first, second = (top_eigenvectors(factor @ factor.T, 6)[1] for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_more_vectors_than_rows_are_not_to_be_had():
    values, vectors = top_eigenvectors(np.eye(3), 5)
    assert values.shape == (3,)
    assert vectors.shape == (3, 3)


def test_the_largest_entry_of_each_vector_is_positive():
    vectors = fix_signs(np.array([[0.1, 0.0, -3.0], [-2.0, 0.0, 1.0]]))
    np.testing.assert_array_equal(vectors, [[-0.1, 0.0, 3.0], [2.0, 0.0, -1.0]])


def test_embedding_of_sparse_and_dense_affinities_agree():
    affinity = np.abs(symmetric(60))
    dense = normalized_embedding(affinity, 3)
    np.testing.assert_allclose(normalized_embedding(sparse.csr_array(affinity), 3), dense, atol=1e-10)
    np.testing.assert_allclose(dense[:, 0] / np.sqrt(affinity.sum(axis=1)), dense[0, 0] / np.sqrt(affinity[0].sum()))


@pytest.mark.parametrize("limit", [400, 10])
def test_a_sample_without_similarity_gets_a_zero_row(limit, monkeypatch):
    monkeypatch.setattr(spectral, "_DENSE_LIMIT", limit)
    affinity = np.abs(symmetric(50))
    affinity[7] = affinity[:, 7] = 0.0
    embedding = normalized_embedding(affinity, 3)
    assert np.isfinite(embedding).all()
    assert (embedding[7] == 0).all()
    assert (embedding[:7] != 0).any(axis=1).all()


def test_eigenvalues_that_all_but_agree_are_found_within_a_bounded_search():
    # samples that keep to themselves, as where a bandwidth is far too narrow: Lanczos alone would take minutes
    rng = np.random.default_rng(7)
    n = 450
    values = 1 - np.sort(10.0 ** rng.uniform(-13, -3, n))
    basis = np.linalg.qr(rng.standard_normal((n, n)))[0]
    A = (basis * values) @ basis.T
    A = (A + A.T) / 2
    found, vectors = top_eigenvectors(A, 4)
    np.testing.assert_allclose(found, np.sort(np.linalg.eigvalsh(A))[:-5:-1], rtol=0, atol=1e-13)
    np.testing.assert_allclose(A @ vectors, vectors * found, rtol=0, atol=1e-12)


def test_beyond_the_reach_of_a_dense_solver_there_is_an_error_that_says_what_to_do(monkeypatch):
    def hopeless(*_, **__):
        raise ArpackNoConvergence("no", np.zeros(0), np.zeros((0, 0)))

    monkeypatch.setattr("mvarena.numerics.spectral.eigsh", hopeless)
    small = sparse.eye_array(500, format="csr")
    np.testing.assert_allclose(top_eigenvectors(small, 3)[0], 1)
    monkeypatch.setattr("mvarena.numerics.spectral._RESCUE_LIMIT", 499)
    with pytest.raises(np.linalg.LinAlgError, match="a wider bandwidth or more neighbours"):
        top_eigenvectors(small, 3)
