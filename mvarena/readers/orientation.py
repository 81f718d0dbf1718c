"""Samples as rows or columns: of matrices by the number of labels or the size that they share, of tables by ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mvarena.contracts.reader import ORIENTATIONS, Orientation
from mvarena.errors import InvalidData
from mvarena.joining import counts, spelling_hint
from mvarena.readers.kinds import asymmetry, is_nearly_symmetric, is_symmetric
from mvarena.readers.table_numbers import is_empty, is_measured, is_number
from mvarena.readers.tables import Cells, stem
from mvarena.text import listed

_MOST_IDS = 0.5  # of the cells of a header must be ids
_FEW_IDS = 0.1  # of the first columns may be the same where the headers are


class Ambiguous(InvalidData):
    """A file that can be read in two ways; the message asks for the orientation, which decides."""

    def __init__(self, message: str) -> None:
        super().__init__(message, field="orientation")


def shape_text(matrices: Sequence[Any]) -> str:
    """The shapes in words: '100 x 20, 100 x 35'."""
    shown = [" x ".join(map(str, matrix.shape)) for matrix in matrices[:6]]
    return ", ".join(shown) + (f" and {len(matrices) - 6} more" if len(matrices) > 6 else "")


def refuse_nearly_symmetric(names: Sequence[str], matrices: Sequence[Any], where: str) -> None:
    """Raise InvalidData for a matrix that is a kernel or distances but for more than rounding."""
    for name, matrix in zip(names, matrices, strict=True):
        if is_nearly_symmetric(matrix):
            raise InvalidData(
                f"{where}: {name} ({shape_text([matrix])}) is nearly symmetric (it differs from its transpose by up to "
                f"{asymmetry(matrix):.1g} of its largest entry): a kernel or distances? Then save (K + K.T) / 2 in its "
                "place; if its rows are features, give the orientation, rows."
            )


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
    first = [possible[0] for possible in sides if possible]
    if all(len(possible) == 1 for possible in sides):
        return first, f"the samples are rows in some views, columns in others, as {reason}"
    if all(len(possible) == 1 or is_symmetric(m) for possible, m in zip(sides, matrices, strict=True)):
        return first, "the matrices are symmetric, so rows and columns are the same"
    raise Ambiguous(
        f"{where}: the views are {shape_text(matrices)}, so either rows or columns could be the samples; give the "
        "orientation, rows or columns."
    )


def share_a_side(matrices: Sequence[Any]) -> bool:
    """True if one number is on a side of every matrix."""
    return bool(set.intersection(*(set(matrix.shape) for matrix in matrices)))


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
    if len(matrices) == 1:
        shared -= {1}  # a single sample is none
    if len(shared) == 1:
        (n,) = shared
        if len(matrices) > 1 or matrices[0].shape[0] == matrices[0].shape[1] or 1 in matrices[0].shape:
            return n
    raise Ambiguous(
        f"{where}: there are no labels and the matrices are {shape_text(matrices)}, so either rows or columns could "
        "be the samples; give the orientation, rows or columns."
    )


# Tables whose samples are columns: by what is asked for, or by ids of the labels and of other files in a header.


def samples_as_rows(
    cells: Sequence[Cells], wanted: Orientation | None, label_ids: Sequence[str], drop: Sequence[str] = ()
) -> tuple[list[Cells], list[str]]:
    """The files with samples as rows, and sentences on those that were transposed, and on columns left out of them.

    Raises Ambiguous where headers agree and first columns do not, so that either may name the samples.
    """
    if wanted == "columns":
        return _transposed(cells, [True] * len(cells), label_ids, drop, "the samples are columns, as asked for")
    sides = [(set(one.rows[0][1:]) - {""}, {row[0] for row in one.rows[1:]} - {""}) for one in cells]
    turned = [wanted is None and _are_columns(i, sides, label_ids) for i in range(len(cells))]
    if not any(turned):
        if wanted is None:
            _ask(cells, sides)
        return list(cells), []
    names = listed(one.path.name for one, turn in zip(cells, turned, strict=True) if turn)
    source = "labels" if label_ids else "other files"
    said = f"the samples are columns in {names}: the ids of the {source} stand in the header"
    return _transposed(cells, turned, label_ids, drop, said)


def _transposed(
    cells: Sequence[Cells], turned: Sequence[bool], label_ids: Sequence[str], drop: Sequence[str], said: str
) -> tuple[list[Cells], list[str]]:
    """The files, some `turned`, without their columns to drop and those that describe features, and what was done."""
    result, sentences = [], [said]
    for one, turn in zip(cells, turned, strict=True):
        others = (other.rows[0][1:] if also else [row[0] for row in other.rows] for other, also in
                  zip(cells, turned, strict=True) if other is not one)  # fmt: skip
        left = _annotations(one, set(label_ids) or set().union(*others)) if turn else []
        if left:
            sentences.append(f"left out of {one.path.name}, as they describe features: {listed(left, most=8)}")
        result.append(one.transposed({*left, *(name for name in drop if name in one.rows[0][1:])}) if turn else one)
    return result, sentences


def _annotations(one: Cells, known: set[str]) -> list[str]:
    """Names of the columns of text behind the first one, and of those before the first that is of a `known` sample."""
    names, columns = one.rows[0], list(zip(*one.rows[1:], strict=True))
    first = next((j for j, name in enumerate(names) if j and name in known), 1)
    texts = [not any(map(is_measured, column)) and not all(map(is_empty, column)) for column in columns]
    return [name for j, name in enumerate(names) if name and j > 0 and (j < first or (texts and texts[j]))]


def _texts(names: set[str]) -> bool:
    return 2 * sum(not is_number(name) for name in names) > len(names)


def _meet(names: set[str], ids: set[str]) -> float:
    """Share of the smaller set that is in the other."""
    return len(names & ids) / max(1, min(len(names), len(ids)))


def _are_columns(i: int, sides: Sequence[tuple[set[str], set[str]]], label_ids: Sequence[str]) -> bool:
    """True if ids of the labels, or of other files, stand in the header and not in the first column."""
    head, column = sides[i]
    if label_ids:
        mere_rows = counts(label_ids) or counts(label_ids[1:])
        found = len(head.intersection(label_ids))
        return not mere_rows and found >= _MOST_IDS * len(head) > 0 and column.isdisjoint(label_ids)
    meeting = [other for j, other in enumerate(sides) if j != i and _meet(head, other[1]) >= _MOST_IDS]
    return _texts(head) and bool(meeting) and all(column.isdisjoint(names) for other in meeting for names in other)


def _ask(cells: Sequence[Cells], sides: Sequence[tuple[set[str], set[str]]]) -> None:
    """Raise Ambiguous for files whose headers agree and whose first columns do not."""
    (head, column), *others = sides
    for other_head, other in others:
        alike = _meet(head, other_head) >= 1 - _FEW_IDS and _meet(column, other) <= _FEW_IDS
        named = all(map(_texts, (head, column, other)))
        if not (alike and named) or spelling_hint("", sorted(column), "", sorted(other)):
            return
    if others:
        raise Ambiguous(
            f"{listed(stem(one.path) for one in cells)} have the same header ('{cells[0].rows[0][1]}', ...) and other "
            f"first columns ('{cells[0].rows[-1][0]}', '{cells[1].rows[-1][0]}'), so that the samples seem to be "
            "columns; give the orientation, rows or columns."
        )
