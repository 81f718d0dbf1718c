"""Kind of a square matrix (features, kernel, distances or links), to the precision of its file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.data import Kind
from mvarena.readers.limits import compact

_PRECISION = {2: 1e-2, 4: 1e-5}  # by bytes of a number: the asymmetry of rounding, relative to the largest entry
_DOUBLE = 1e-6
_NEGLIGIBLE = 1e-8  # `MultiViewData` takes kernels and distances of this asymmetry as they are
_NEARLY = 0.05  # asymmetry, relative to the spread of the entries, that no matrix of features has
_DENSE_SHARE = 0.5
_SMALL = 1000  # samples up to which all eigenvalues are computed
_STEPS = 60  # of Lanczos' method beyond
_NEGATIVE = 0.05  # of the mean diagonal: a graph with ones on the diagonal that is no union of cliques has -0.41
_PIVOTS = 16
_OFF_TRIANGLES = 0.01


def is_symmetric(matrix: Any) -> bool:
    """True for an n x n matrix equal to its transpose up to rounding. NaN counts as equal to NaN."""
    return matrix.shape[0] == matrix.shape[1] and asymmetry(matrix) <= _precision(matrix)


def asymmetry(matrix: Any) -> float:
    """The largest |m_ij - m_ji| of an n x n matrix, relative to the largest |m_ij|."""
    if not sparse.issparse(matrix) and (matrix == matrix.T).all():
        return 0.0
    gap, largest = (float(np.nanmax(np.abs(_stored(values)), initial=0.0)) for values in (_gap(matrix), matrix))
    return gap / largest if largest else 0.0


def is_nearly_symmetric(matrix: Any) -> bool:
    """True for an n x n matrix that is not symmetric, but closer to it than features are by chance."""
    if matrix.shape[0] != matrix.shape[1] or is_symmetric(matrix):
        return False
    gap, dense = _gap(matrix), matrix.toarray() if sparse.issparse(matrix) else matrix
    size = np.sqrt(np.nansum(np.square(_stored(gap))))
    return bool(size <= _NEARLY * np.sqrt(np.nansum(np.square(dense - np.nanmean(dense)))))


def symmetrised(matrix: Any, gap: float | None = None) -> tuple[Any, str]:
    """The mean of the matrix and its transpose, and a sentence, where rounding makes them differ; else the matrix.

    gap : their `asymmetry`, where it is known.
    """
    gap = asymmetry(matrix) if gap is None else gap
    if not _NEGLIGIBLE < gap <= _precision(matrix):
        return matrix, ""
    double = matrix.astype(np.float64)
    said = f"it differs from its transpose by up to {gap:.1g} of its largest entry and is averaged with it"
    return (double + double.T) / 2, said


def guess_kind(matrix: Any) -> tuple[Kind, Any, str]:
    """The kind of an n x d matrix, the matrix to use, and the reason, empty where there is nothing to say.

    A symmetric matrix is a kernel if its diagonal is positive, bounds its entries as an inner product does
    (K_ij^2 <= K_ii K_jj) and it has no negative eigenvalue; distances if its diagonal is zero, most other entries are
    positive and next to none is more than twice a sum d_ik + d_kj, which holds for squared distances, too; else (a
    graph, for instance) its rows are features. Kernels and distances are symmetric to the precision of the file: they
    are averaged with their transpose, and what is zero but for rounding becomes zero. Cost: O(n^2), and up to 1000
    samples O(n^3).
    """
    if matrix.shape[0] != matrix.shape[1] or matrix.shape[0] < 2 or (gap := asymmetry(matrix)) > _precision(matrix):
        return "features", matrix, ""
    averaged, rounding = symmetrised(matrix, gap)
    rounding = f"; {rounding}" if rounding else ""
    if _is_kernel(averaged):
        return "kernel", averaged, f"symmetric with a positive diagonal: a kernel{rounding}"
    entries = _stored(averaged)
    if bool(((entries == 0) | (entries == 1)).all()):
        return "features", matrix, "symmetric, of zeros and ones as links are: its rows are used as features"
    if np.count_nonzero(entries) > _DENSE_SHARE * averaged.shape[0] ** 2:
        found = _distances(averaged, _precision(matrix))
        if found is not None:
            zeroed = "" if not averaged.diagonal().any() else "; its diagonal is zero but for rounding"
            why = "symmetric, zero on the diagonal and positive elsewhere: distances"
            return "distance", found, f"{why}{zeroed}{rounding}"
    return "features", matrix, "symmetric but neither kernel nor distances: its rows are used as features"


def _precision(matrix: Any) -> float:
    return _PRECISION.get(matrix.dtype.itemsize, _DOUBLE) if matrix.dtype.kind == "f" else _DOUBLE


def _stored(matrix: Any) -> Any:
    return matrix.data if sparse.issparse(matrix) else matrix


def _gap(matrix: Any) -> Any:
    double = matrix if matrix.dtype.kind == "f" else matrix.astype(np.float64)
    return double - double.T


def _is_kernel(matrix: Any) -> bool:
    """True for a symmetric matrix that holds inner products; rows of zeros are missing samples."""
    scale = np.nan_to_num(np.asarray(matrix.diagonal(), dtype=np.float64))
    if not (scale >= 0).all() or not scale.any():
        return False
    full = compact(matrix if sparse.issparse(matrix) else np.nan_to_num(matrix))
    if sparse.issparse(full):
        entries = full.tocoo()
        bounded = entries.data**2 <= scale[entries.row] * scale[entries.col] * (1 + 1e-6) + 1e-12
    else:
        bounded = full**2 <= np.outer(scale, scale * (1 + 1e-6)) + 1e-12
    return bool(bounded.all()) and _least_eigenvalue(full) >= -_NEGATIVE * scale[scale > 0].mean()


def _least_eigenvalue(matrix: Any) -> float:
    """The least eigenvalue of a symmetric matrix, or beyond `_SMALL` rows a value above it, by Lanczos' method."""
    n = matrix.shape[0]
    if n <= _SMALL:
        return float(np.linalg.eigvalsh(matrix.toarray() if sparse.issparse(matrix) else matrix)[0])
    basis, images = np.zeros((_STEPS, n)), np.zeros((_STEPS, n))
    vector: NDArray[np.float64] = np.random.default_rng(0).standard_normal(n)
    for step in range(_STEPS):
        for _ in range(2):  # twice is enough to be orthogonal
            vector = vector - basis[:step].T @ (basis[:step] @ vector)
        basis[step] = vector / max(float(np.linalg.norm(vector)), np.finfo(float).tiny)
        vector = images[step] = matrix @ basis[step]
    return float(np.linalg.eigvalsh(basis @ images.T)[0])


def _distances(matrix: Any, precision: float) -> NDArray[np.float64] | None:
    """The matrix with a zero diagonal and no negative entry if it holds distances, up to rounding; else None."""
    dense = np.array(matrix.toarray() if sparse.issparse(matrix) else matrix, dtype=np.float64)
    off = ~np.eye(len(dense), dtype=bool) & np.isfinite(dense)
    others = dense[off]
    if not others.size or np.nanmax(np.abs(dense.diagonal()), initial=0.0) > np.sqrt(precision) * np.abs(others).mean():
        return None
    if others.min() < -precision * others.max() or (others > 0).mean() <= _DENSE_SHARE:
        return None
    np.fill_diagonal(dense, np.where(np.isnan(dense.diagonal()), np.nan, 0.0))
    dense = np.maximum(dense, 0.0)
    seen = np.flatnonzero((dense > 0).any(axis=1))
    pivots = seen[np.linspace(0, len(seen) - 1, min(_PIVOTS, len(seen)), dtype=int)]
    longer = [np.mean(dense > 2 * (dense[:, [k]] + dense[[k]]) * (1 + precision) + 1e-12) for k in pivots]
    return dense if np.mean(longer) <= _OFF_TRIANGLES else None
