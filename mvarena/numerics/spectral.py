"""Eigenvectors of symmetric matrices and operators, with signs fixed by rule, and spectral embeddings."""

from __future__ import annotations

from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, aslinearoperator, eigsh

_DENSE_LIMIT = 400
# among eigenvalues that differ by little more than rounding Lanczos would go on for minutes: after so many restarts
# LAPACK takes over up to this many samples, and beyond there is an error after more of them
_RESCUE_LIMIT, _RESTARTS, _RESTARTS_BEYOND = 5_000, 100, 1_000
_SAME_EIGENVALUE = 1e-6
_TOL = 1e-10
# relative to the largest eigenvalue, which is 1 for a normalised affinity
NO_RANK = 1e-10
# ARPACK draws a fresh vector where the Krylov space ends early (low rank); SciPy 1.17 on draws it from the operating
# system's entropy unless told otherwise, earlier releases from a fixed sequence of their own
_TAKES_RNG = "rng" in signature(eigsh).parameters


def fix_signs(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each column with the sign that makes its entry of largest magnitude positive."""
    return vectors * largest_signs(vectors)


def largest_signs(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """(k,) the sign of each column's entry of largest magnitude; 1 for a column of zeros."""
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return np.where(signs == 0, 1.0, signs)


def start_vector(n: int) -> NDArray[np.float64]:
    """A fixed start for Lanczos iterations: the same on every run, orthogonal to no structured vector."""
    return np.random.default_rng(0).standard_normal(n)


def top_eigenvectors(matrix: Any, k: int, *, direct: bool = False) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The k largest (algebraic) eigenvalues, descending, and eigenvectors (n, k) of a symmetric matrix or operator.

    Small ones, or those of which a large part of the spectrum is asked, go to LAPACK, as with direct=True all do:
    where the wanted eigenvalues are a small part of the whole spread, as those of a Laplacian near 0, it is ten times
    as fast for n = 1,000. All others go to Lanczos (ARPACK), which only multiplies. Repeated eigenvalues (a graph in
    pieces) are found as often as they occur; where Lanczos cannot tell the leading ones apart, LAPACK takes over, or
    for n > 5,000 LinAlgError is raised. With k > n, n of them. Cost: O(n^3), or O(k) products and O(n k) memory.
    """
    n = matrix.shape[0]
    k = min(k, n)
    if not isinstance(matrix, LinearOperator) and not sparse.issparse(matrix):
        matrix = np.asarray(matrix, dtype=np.float64)
    value = None if direct or n <= max(_DENSE_LIMIT, 4 * k) else _told_apart(aslinearoperator(matrix), k)
    values, vectors = value or linalg.eigh(_as_dense(matrix, n), subset_by_index=(n - k, n - 1))
    order = np.argsort(values)[::-1]
    return values[order], fix_signs(vectors[:, order])


def _as_dense(matrix: Any, n: int) -> NDArray[np.float64]:
    if isinstance(matrix, np.ndarray):
        return matrix
    if sparse.issparse(matrix):
        return np.asarray(matrix.toarray())
    dense = np.asarray(matrix @ np.eye(n))
    return (dense + dense.T) / 2


def _told_apart(operator: LinearOperator, k: int) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Eigenpairs by Lanczos; None where it does not converge and the matrix is small enough for LAPACK."""
    try:
        return _complete_lanczos(operator, k)
    except ArpackNoConvergence as error:
        if operator.shape[0] <= _RESCUE_LIMIT:
            return None
        raise np.linalg.LinAlgError(
            f"the {k} leading eigenvalues of the {operator.shape[0]} samples' graph are too close to one another to "
            "be told apart; a wider bandwidth or more neighbours would connect the samples better."
        ) from error


def _complete_lanczos(operator: LinearOperator, k: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lanczos, repeated on what the eigenvectors found so far leave over until nothing larger remains.

    A Krylov space holds one vector of each eigenspace; further ones enter through rounding alone, so a single
    run can miss some of a repeated eigenvalue's and return smaller ones in their place.
    """
    values, vectors = _lanczos(operator, k)
    while values.any():
        rest = _deflated(operator, values, vectors)
        largest = _lanczos(rest, 1, 1e-4)[0]
        if largest[0] <= values.min() + _SAME_EIGENVALUE * np.abs(values).max():
            break
        more_vectors = _lanczos(rest, k)[1]
        basis = linalg.qr(np.column_stack([vectors, more_vectors]), mode="economic")[0]
        small = basis.T @ (operator @ basis)
        ritz_values, ritz_vectors = linalg.eigh((small + small.T) / 2)
        values, vectors = ritz_values[-k:], basis @ ritz_vectors[:, -k:]
    return values, vectors


def _lanczos(operator: LinearOperator, k: int, tol: float = _TOL) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    n = operator.shape[0]
    start = start_vector(n)
    if not np.any(operator @ start):
        # a zero operator, on which ARPACK stops with an error: every vector belongs to eigenvalue 0
        return np.zeros(k), np.eye(n, k)
    fixed = {"rng": np.random.default_rng(1)} if _TAKES_RNG else {}
    ncv = min(n, max(2 * k + 20, 40))
    restarts = _RESTARTS if n <= _RESCUE_LIMIT else _RESTARTS_BEYOND
    values, vectors = eigsh(operator, k=k, which="LA", v0=start, tol=tol, ncv=ncv, maxiter=restarts, **fixed)
    return values, vectors


def _deflated(operator: LinearOperator, values: NDArray[np.float64], vectors: NDArray[np.float64]) -> LinearOperator:
    """The operator with the given eigenvalues moved below all that may remain on top."""
    shift = 2.0 * float(np.abs(values).max())

    def product(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(operator @ x) - vectors @ (shift * (vectors.T @ x))

    return LinearOperator(operator.shape, matvec=product, matmat=product, dtype=np.float64)


def inverse_square_root(degrees: NDArray[np.float64]) -> NDArray[np.float64]:
    """degrees^-1/2, and 0 where a degree is not positive."""
    return np.divide(1.0, np.sqrt(np.maximum(degrees, 0)), out=np.zeros_like(degrees), where=degrees > 0)


def normalized_embedding(affinity: Any, k: int) -> NDArray[np.float64]:
    """Top k eigenvectors (n, k) of D^-1/2 W D^-1/2 for a nonnegative symmetric affinity W, dense or sparse.

    A sample without any similarity (zero degree) gets a zero row, and an eigenvalue of 0, of which any vector of a
    large space is an eigenvector, a zero column: equal samples stay equal.
    Cost: one copy of W and O(k) products with it.
    """
    weights = sparse.csr_array(affinity) if sparse.issparse(affinity) else np.asarray(affinity, dtype=np.float64)
    degrees = np.asarray(weights.sum(axis=1)).ravel()
    scale = inverse_square_root(degrees)
    if sparse.issparse(weights):
        diagonal = sparse.dia_array((scale[None, :], [0]), shape=weights.shape)
        normalized = sparse.csr_array(diagonal @ weights @ diagonal)
    else:
        normalized = weights * scale[:, None]
        normalized *= scale
    values, vectors = top_eigenvectors(normalized, k)
    vectors[degrees <= 0] = 0.0
    vectors[:, np.abs(values) <= NO_RANK] = 0.0
    return vectors
