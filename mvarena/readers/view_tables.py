"""One table as a view: its header, the columns to leave out, sample ids, and a column of classes."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from mvarena.contracts.reader import ReadOptions
from mvarena.errors import InvalidData, InvalidSetting, unknown_name
from mvarena.joining import counts
from mvarena.naming import is_counter_name, is_id_name, is_label_name, numbered, plain
from mvarena.readers.conversions import long_to_wide
from mvarena.readers.header import reasons_for_headers
from mvarena.readers.table_numbers import is_empty, is_fraction, is_measured, is_number, is_whole
from mvarena.readers.tables import Cells, Table
from mvarena.text import listed, plural

_FEWEST_ROWS = 5  # that a column must count to be one of row numbers
_WELL = "0123456789eE"  # of which names of wells such as 1E3 are made, which look like numbers


def tables_of(cells: Sequence[Cells], options: ReadOptions, label_ids: Sequence[str], n: int | None) -> list[Table]:
    """The tables of all views. label_ids, n : of a file of labels, ids and number, where known. Raises InvalidData."""
    if options.header is None:
        reasons = [why and f"because {why}" for why in reasons_for_headers(cells, n, label_ids)]
    else:
        reasons = ["as asked for" if options.header == "yes" else ""] * len(cells)
    tables = [_with_header(one, reason) for one, reason in zip(cells, reasons, strict=True)]
    gone = {name for one in cells for name in one.dropped}
    tables = [_with_own_ids(_with_classes(table)) for table in _without_dropped(tables, options.drop, gone)]
    return _with_common_ids(tables, label_ids)


def _with_header(cells: Cells, reason: str) -> Table:
    first, *body = cells.rows
    left = [f"{plural(cells.comments, 'line')} with # left out"] if cells.comments else []
    left += ["every second line, which is blank, left out"] if cells.double_spaced else []
    said = (*left, f"a header ({reason})" if reason else "no header")
    if not reason:
        names = tuple(map(str, range(1, len(first) + 1)))
        return Table(cells.path, names, cells.rows, named=False, said=said, turned=cells.turned)
    if not body:
        raise InvalidData(f"{cells.path} has a header and no rows.")
    names = (first[0], *(cell or str(j) for j, cell in enumerate(first[1:], 2)))
    return Table(cells.path, names, body, True, said=said, turned=cells.turned)


def _without_dropped(tables: Sequence[Table], drop: Sequence[str], gone: set[str]) -> list[Table]:
    """Tables without the columns to drop, some of which are `gone` from files whose samples are columns."""
    known = {table.called(j) for table in tables for j in range(len(table.names))}
    for name in drop:
        if name not in known | gone:
            raise unknown_name("column", name, known, f"The columns are {listed(sorted(known), most=8)}.")
    if not drop:
        return list(tables)
    kept = [table.without([j for j in range(len(table.names)) if table.called(j) in drop]) for table in tables]
    for table in kept:
        if not table.names:
            raise InvalidSetting(f"{table.path} has no other column; leave the file out instead.", field="drop")
    return kept


def _with_classes(table: Table) -> Table:
    """Table whose column of labels by name, with a few classes, has become its classes."""
    if not table.named or len(table.names) < 2:
        return table
    coordinates = {"x", "y"} <= set(map(plain, table.names))
    for j, name in enumerate(table.names):
        if is_label_name(name) and not (coordinates and plain(name) == "y"):
            column = table.column(j)
            known = [cell for cell in column if not is_empty(cell)]
            if 1 < len(set(known)) <= len(known) / 2 and not any(map(is_fraction, known)):
                return replace(table.without([j]), classes=(name, tuple(column)))
    return table


# Sample ids: a first column of text, or of numbers that are named as ids are, or count the rows.


def _with_own_ids(table: Table) -> Table:
    column, name = table.column(0), table.names[0] if table.named else ""
    if _has_counter(table, column):
        left = f"left out, as it numbers the rows beside ids: the first column{f', {name}' if name else ''}"
        return _with_own_ids(replace(table.without([0]), said=(*table.said, left)))
    if len(table.names) > 1 and (_are_ids(column, name, table.named) or _count_rows(column)):
        table = _with_ids(table, 0)
    elif len(table.names) > 1 and name and is_id_name(name) and not all(map(is_empty, column)):
        raise InvalidData(
            f"{table.path}: its first column, '{name}', is named as ids are and holds numbers that are not whole; "
            f"--drop {shlex.quote(name)} leaves it out, and another name makes it a feature."
        )
    spare: list[int] = []
    called_so = [j for j, other in enumerate(table.names) if table.named and other and is_id_name(other)]
    for j in called_so:
        if len(table.names) - len(spare) > 1 and _differ(table.column(j)):
            if table.ids is None:
                return _with_ids(table, j)
            spare.append(j)
    if not spare:
        return table
    names = listed(f"'{table.names[j]}'" for j in spare)
    return replace(table.without(spare), said=(*table.said, f"left out, as it is named as ids are: {names}"))


def _has_counter(table: Table, column: Sequence[str]) -> bool:
    """True if the first column numbers the rows, as its name says, and another one holds ids."""
    if not (table.named and len(table.names) > 2 and is_counter_name(table.names[0]) and _count_rows(column)):
        return False
    return any(is_id_name(name) and _differ(table.column(j)) for j, name in enumerate(table.names) if j and name)


def _are_ids(column: Sequence[str], name: str, named: bool) -> bool:
    if any(not is_measured(cell) and not is_empty(cell) for cell in column):
        return True
    if all(map(_WELL.__contains__, "".join(column))) and all(cell.isalnum() and not cell.isdigit() for cell in column):
        return True
    return named and is_id_name(name) and not any(map(is_fraction, column))


def _count_rows(column: Sequence[str]) -> bool:
    """True for whole numbers that rise by one, such as 0, 1, 2, ..."""
    start = int(column[0]) if is_whole(column[0]) and len(column[0]) < 16 else -1
    return start >= 0 and len(column) >= _FEWEST_ROWS and counts(column, (start,))


def _differ(column: Sequence[str]) -> bool:
    """True for text or whole numbers, another in every row."""
    return len(set(column)) == len(column) and all(cell and (is_whole(cell) or not is_number(cell)) for cell in column)


def _with_ids(table: Table, j: int) -> Table:
    """Table with a column as sample ids, without rows of empty cells. InvalidData: one is empty or occurs twice."""
    filled = [i for i, row in enumerate(table.rows) if any(row)]
    if table.classes is not None:
        class_name, classes = table.classes
        table = replace(table, classes=(class_name, tuple(classes[i] for i in filled)))
    table = replace(table, rows=[table.rows[i] for i in filled])
    ids, name = tuple(table.column(j)), table.names[j] if table.named else ""
    twice, times = Counter(ids).most_common(1)[0]
    if "" in ids:
        raise InvalidData(f"{table.path}: sample {ids.index('') + 1} has no id; each sample needs an id of its own.")
    if times > 1:
        _refuse_long_table(table)
        raise InvalidData(
            f"{table.path}: the sample id '{twice}' occurs twice; each sample needs an id of its own. If "
            f"column '{table.called(j)}' holds no ids, --drop {shlex.quote(table.called(j))} leaves it out."
        )
    said = (*table.said, f"sample ids in the {'first column' if j == 0 else f'column {name}'}")
    return replace(table.without([j]), ids=ids, id_name=name, said=said)


def _refuse_long_table(table: Table) -> None:
    """Raise InvalidData for a row per sample and feature, with the line that makes it a row per sample."""
    if len(table.names) != 3:
        return
    pairs = [tuple(row[:2]) for row in table.rows]
    features, values = table.column(1), table.column(2)
    named = 2 * len(set(features)) <= len(pairs) and all(is_whole(cell) or not is_number(cell) for cell in features)
    if named and len(set(pairs)) == len(pairs) and all(is_number(cell) or is_empty(cell) for cell in values):
        wide = table.path.with_name(f"{table.view}-wide.csv")
        raise InvalidData(
            f"{table.path} is a long table, a row per sample and feature. This makes it a row per sample: "
            f"{long_to_wide(table.path, wide, table.named)}"
        )


def _with_common_ids(tables: Sequence[Table], label_ids: Sequence[str]) -> list[Table]:
    """Tables with the first column as ids where it looks like a feature but holds ids of other files.

    That is so where its header is that of another file's ids; where all files have the same first header, and it holds
    another whole number in each row; and where it holds ids of the labels or of other files.
    """
    names = {table.id_name for table in tables if table.ids} - {""}
    firsts = {_first_name(table) for table in tables}
    generic = all(table.named and _in_a_series(table.names) for table in tables)
    if len(tables) > 1 and len(firsts) == 1 and not generic and all(_differ(table.column(0)) for table in tables):
        names |= firsts - {""}
    known = {identity for ids in (label_ids, *(table.ids or () for table in tables)) for identity in ids}
    result = []
    for table in tables:
        held = known.intersection(table.column(0)) if table.ids is None and len(table.names) > 1 else set()
        if (table.ids is None and _first_name(table) in names) or (
            2 * len(held) > len(table.rows) and _differ(table.column(0))
        ):
            table = _with_ids(table, 0)
        result.append(table)
    return result


def _first_name(table: Table) -> str:
    """The header of the first of several columns; '' where there is none."""
    return table.names[0] if table.named and len(table.names) > 1 else ""


def _in_a_series(names: Sequence[str]) -> bool:
    """True if the first two names are V1 and V2, or the like."""
    parts = [numbered(name) or ("", name) for name in names[:2]]
    return len(parts) == 2 and parts[0][0] == parts[1][0] and parts[0] != parts[1] and any(map(str.isdigit, names[0]))
