"""What PIMVC needs of a view, once: its rows in as few coordinates as they take, and the graph of its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.neighbours import near_rows, nearest_rows
from mvarena.numerics.spectral import fix_signs

Array = NDArray[np.float64]

_RANK = 1e-12
_ALL_COMPARED = 20_000  # up to so many samples


@dataclass(frozen=True, eq=False, slots=True)
class RotatedView:
    """rows : X V (n, r), zero where missing, X the view and V (d, r) the eigenvectors of X^T X; r is at least k.

    squares : (r,) the eigenvalues of X^T X. principal : (r, k) the first principal directions of the centred rows.
    """

    rows: Array
    squares: Array
    principal: Array


def rotated(matrix: Any, seen: NDArray[np.bool_], k: int) -> RotatedView:
    """The view (n, d), dense or CSR, with zero rows where `seen` (n,) is False.

    PIMVC knows rows by their inner products alone, so X V, which has no more columns than X has rank, stands for X;
    with columns of zeros where that is below k. Cost O(n d min(n, d) + min(n, d)^3), memory min(n, d)^2.
    """
    observed = matrix[np.flatnonzero(seen)]
    wide = observed.shape[1] > observed.shape[0]
    gram = observed @ observed.T if wide else observed.T @ observed
    squares, vectors = np.linalg.eigh(gram.toarray() if sparse.issparse(gram) else gram)
    kept = squares > _RANK * max(float(squares[-1]), np.finfo(float).tiny)
    squares, vectors = squares[kept][::-1], fix_signs(vectors[:, kept][:, ::-1])
    small = vectors * np.sqrt(squares) if wide else np.asarray(observed @ vectors)
    rank = len(squares)
    rows = np.zeros((len(seen), max(rank, k)))
    rows[seen, :rank] = small
    centred = small - small.mean(axis=0)
    found = np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, :k]
    # the sign is that of the features, whose largest entry is positive, as long as these are at hand
    signs = _signs(np.asarray(observed.T @ vectors) / np.sqrt(squares) @ found if wide else vectors @ found)
    principal = np.eye(max(rank, k), k)
    principal[:rank, : found.shape[1]] = found * signs
    return RotatedView(rows, np.append(squares, np.zeros(rows.shape[1] - rank)), principal)


def _signs(directions: Array) -> Array:
    largest = np.abs(directions).argmax(axis=0)
    signs = np.sign(directions[largest, np.arange(directions.shape[1])])
    return np.where(signs == 0, 1.0, signs)


def neighbour_laplacian(
    matrix: Any, seen: NDArray[np.bool_], n_neighbors: int, *, block: int | None = None
) -> sparse.csr_array:
    """L (n, n) CSR of the graph with an edge of weight 1 wherever one observed sample is among the nearest of another.

    block : how many rows are compared with all at a time; None: as many as 32 MB hold. Of more than 20,000 samples the
    nearest are looked for in a few cells (`near_rows`). Cost O(n^2 d) time, and then O(n^1.5 d), memory n m, a copy of
    the points and a block of rows.
    """
    observed = np.flatnonzero(seen)
    points = matrix[observed]
    count = min(n_neighbors, len(observed) - 1)
    if len(observed) > _ALL_COMPARED:
        nearest = near_rows(points, count + 1)
    else:
        step = len(observed) if block is None else block
        blocks = [points[first : first + step] for first in range(0, len(observed), step)]
        nearest = np.vstack([nearest_rows(rows, points, count + 1)[0] for rows in blocks])
    others = nearest != np.arange(len(observed))[:, None]
    # among equal rows a row may not be the first of its own neighbours: the last one goes instead
    others[others.all(axis=1), -1] = False
    ends = observed[nearest[others]]
    starts = np.repeat(observed, count)
    shape = (len(seen), len(seen))
    W = sparse.csr_array((np.ones(len(ends)), (starts, ends)), shape=shape)
    W = sparse.csr_array(W.maximum(W.T))
    degrees = np.asarray(W.sum(axis=1)).ravel()
    return sparse.csr_array(sparse.dia_array((degrees[None, :], [0]), shape=shape) - W)
