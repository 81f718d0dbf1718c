"""Tables whose samples are columns: by what is asked for, or by ids of the labels and of other files in a header."""

from __future__ import annotations

from collections.abc import Sequence

from mvarena.contracts.reader import Orientation
from mvarena.joining import spelling_hint
from mvarena.readers.orientation import Ambiguous
from mvarena.readers.table_numbers import is_number
from mvarena.readers.tables import Cells, stem
from mvarena.readers.view_tables import counts
from mvarena.text import listed

_MOST = 0.5  # of the cells of a header must be ids
_FEW = 0.1  # of the first columns may be the same where the headers are


def samples_as_rows(
    cells: Sequence[Cells], wanted: Orientation | None, label_ids: Sequence[str]
) -> tuple[list[Cells], list[str]]:
    """The files with samples as rows, and a sentence on those that were transposed.

    Raises Ambiguous where headers agree and first columns do not, so that either may name the samples.
    """
    if wanted == "columns":
        return [one.transposed() for one in cells], ["the samples are columns, as asked for"]
    sides = [(set(one.rows[0][1:]) - {""}, {row[0] for row in one.rows[1:]} - {""}) for one in cells]
    turned = [wanted is None and _are_columns(i, sides, label_ids) for i in range(len(cells))]
    if not any(turned):
        if wanted is None:
            _ask(cells, sides)
        return list(cells), []
    names = listed(one.path.name for one, turn in zip(cells, turned, strict=True) if turn)
    source = "labels" if label_ids else "other files"
    said = f"the samples are columns in {names}: the ids of the {source} stand in the header"
    return [one.transposed() if turn else one for one, turn in zip(cells, turned, strict=True)], [said]


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
        return not mere_rows and found >= _MOST * len(head) > 0 and column.isdisjoint(label_ids)
    meeting = [other for j, other in enumerate(sides) if j != i and _meet(head, other[1]) >= _MOST]
    return _texts(head) and bool(meeting) and all(column.isdisjoint(names) for other in meeting for names in other)


def _ask(cells: Sequence[Cells], sides: Sequence[tuple[set[str], set[str]]]) -> None:
    """Raise Ambiguous for files whose headers agree and whose first columns do not."""
    (head, column), *others = sides
    for other_head, other in others:
        alike = _meet(head, other_head) >= 1 - _FEW and _meet(column, other) <= _FEW
        named = all(map(_texts, (head, column, other)))
        if not (alike and named) or spelling_hint("", sorted(column), "", sorted(other)):
            return
    if others:
        raise Ambiguous(
            f"{listed(stem(one.path) for one in cells)} have the same header ('{cells[0].rows[0][1]}', ...) and other "
            f"first columns ('{cells[0].rows[-1][0]}', '{cells[1].rows[-1][0]}'), so that the samples seem to be "
            "columns; give the orientation, rows or columns."
        )
