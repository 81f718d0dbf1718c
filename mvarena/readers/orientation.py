"""Orientation of matrices: samples as rows or columns, by the number of labels or the size that the views share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.contracts.reader import ORIENTATIONS, Orientation
from mvarena.data import Kind
from mvarena.errors import InvalidData


class Ambiguous(InvalidData):
    """A file that can be read in two ways; the message asks for the orientation, which decides."""

    def __init__(self, message: str) -> None:
        super().__init__(message, field="orientation")


def is_symmetric(matrix: Any) -> bool:
    """True for an n x n matrix equal to its transpose up to rounding. NaN counts as equal to NaN."""
    if matrix.shape[0] != matrix.shape[1]:
        return False
    gap = abs(matrix - matrix.T)
    if sparse.issparse(gap):
        return bool(gap.max() <= 1e-8 * abs(matrix).max()) if gap.nnz else True
    finite = gap[np.isfinite(gap)]
    return bool(finite.size == 0 or finite.max() <= 1e-8 * np.nanmax(np.abs(matrix)))


def shape_text(matrices: Sequence[Any]) -> str:
    """The shapes in words: '100 x 20, 100 x 35'."""
    shown = [f"{matrix.shape[0]} x {matrix.shape[1]}" for matrix in matrices[:6]]
    return ", ".join(shown) + (f" and {len(matrices) - 6} more" if len(matrices) > 6 else "")


def decide(
    matrices: Sequence[Any], n: int | None, wanted: Orientation | None, where: str
) -> tuple[list[Orientation], str]:
    """Orientation of each matrix, and the reason.

    n : the number of samples if labels tell it. Raises Ambiguous if both sides are possible and it matters,
    InvalidData if none is.
    """
    if wanted is not None:
        _check_wanted(matrices, n, wanted, where)
        return [wanted] * len(matrices), f"the samples are {wanted}, as asked for"
    if n is None:
        n = _shared(matrices, where)
        reason = f"the views share the number {n}"
    else:
        reason = f"there are {n} labels"
    sides = [tuple(side for side, size in zip(ORIENTATIONS, m.shape, strict=True) if size == n) for m in matrices]
    for side in ORIENTATIONS:
        if all(side in possible for possible in sides) and any(len(possible) == 1 for possible in sides):
            return [side] * len(matrices), f"the samples are {side}, as {reason}"
    if all(len(possible) == 1 for possible in sides):
        return [
            possible[0] for possible in sides
        ], f"the samples are rows in some views, columns in others, as {reason}"
    if all(len(possible) == 1 or is_symmetric(m) for possible, m in zip(sides, matrices, strict=True)):
        return [possible[0] for possible in sides], "the matrices are symmetric, so rows and columns are the same"
    raise Ambiguous(
        f"{where}: the views are {shape_text(matrices)}, so either rows or columns could be the samples; give the "
        "orientation, rows or columns."
    )


def fits(matrix: Any, n: int) -> bool:
    """True if the samples can be on one of the sides."""
    return n in matrix.shape


def _check_wanted(matrices: Sequence[Any], n: int | None, wanted: Orientation, where: str) -> None:
    axis = ORIENTATIONS.index(wanted)
    sizes = {int(matrix.shape[axis]) for matrix in matrices} | ({n} if n is not None else set())
    if len(sizes) > 1:
        labels = f" and there are {n} labels" if n is not None else ""
        raise InvalidData(
            f"{where}: the samples cannot be {wanted}, as the views are {shape_text(matrices)}{labels}; "
            "leave the orientation out or choose the other one.",
            field="orientation",
            value=wanted,
        )


def _shared(matrices: Sequence[Any], where: str) -> int:
    """The one number that every matrix has on a side."""
    shared = set.intersection(*({int(size) for size in matrix.shape} for matrix in matrices))
    if not shared:
        raise InvalidData(
            f"{where}: the views are {shape_text(matrices)} and have no dimension in common, so they cannot be of the "
            "same samples; give all views the same samples, with rows of NaN where a sample is missing."
        )
    if len(shared) == 1:
        (n,) = shared
        if len(matrices) > 1 or matrices[0].shape[0] == matrices[0].shape[1]:
            return n
    raise Ambiguous(
        f"{where}: there are no labels and the matrices are {shape_text(matrices)}, so either rows or columns could "
        "be the samples; give the orientation, rows or columns."
    )


# Features, kernel or distance: what an n x n matrix is.

_DENSE_SHARE = 0.5


def guess_kind(matrix: Any) -> tuple[Kind, str]:
    """The kind of an n x d matrix and the reason, empty where there is nothing to say.

    A symmetric matrix is a kernel if its diagonal is positive and bounds its entries as an inner product does
    (K_ij^2 <= K_ii K_jj), a distance if its diagonal is zero and most other entries are positive; else (a graph,
    for instance) its rows are features. Cost: O(n^2).
    """
    if matrix.shape[0] != matrix.shape[1] or matrix.shape[0] < 2 or not is_symmetric(matrix):
        return "features", ""
    diagonal = np.asarray(matrix.diagonal(), dtype=np.float64)
    observed = diagonal[np.isfinite(diagonal)]
    positive = observed[observed != 0]  # zero rows and columns: samples that the kernel misses
    if positive.size and (positive > 0).all() and _is_bounded(matrix, diagonal):
        return "kernel", "symmetric with a positive diagonal: a kernel"
    dense = matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)
    others = dense[~np.eye(len(dense), dtype=bool)]
    others = others[np.isfinite(others)]
    if not positive.size and (others >= 0).all() and (others > 0).mean() > _DENSE_SHARE:
        return "distance", "symmetric, zero on the diagonal and positive elsewhere: distances"
    return "features", "symmetric but neither kernel nor distances: its rows are used as features"


def _is_bounded(matrix: Any, diagonal: Any) -> bool:
    entries = sparse.coo_array(matrix) if sparse.issparse(matrix) else sparse.coo_array(np.nan_to_num(matrix))
    scale = np.nan_to_num(diagonal)
    bound = scale[entries.row] * scale[entries.col]
    return bool((entries.data.astype(np.float64) ** 2 <= bound * (1 + 1e-6) + 1e-12).all())
