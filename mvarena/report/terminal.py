"""Tables for the terminal, folded into blocks of columns where they would not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from mvarena.report.tables import Table

_GAP = 2  # a column's own padding
_STYLES = {0: "", 1: "bold", 2: "underline"}


def terminal_tables(tables: Sequence[Table], *, width: int = 80) -> Group:
    """`tables` as something that rich prints; what is said below is said once for tables that share it.

    width : of the terminal, in characters. Best is bold, second underlined.
    """
    parts: list[RenderableType] = []
    for place, alike in groupby(tables, key=lambda table: (table.kind, table.dataset, table.corruption, table.setting)):
        group = list(alike)
        for table in group:
            parts += [Text(table.title, style="bold"), *_blocks(table, width), Text()]
        units = "; ".join(dict.fromkeys(table.measured for table in group))
        notes = dict.fromkeys(note for table in group for note in table.notes)
        parts += [
            Text(f"{units}. {place[-1]}".strip(), style="dim"),
            *(Text(note, style="dim") for note in notes),
            Text(),
        ]
    return Group(*parts)


def _blocks(table: Table, width: int) -> Iterator[RichTable]:
    names = max(len(label) for label in (table.head, *(row.head for row in table.rows))) + _GAP
    widths = [
        max(len(column.head), *(len(row.cells[i].shown(row.cells[i].text)) for row in table.rows)) + _GAP
        for i, column in enumerate(table.columns)
    ]
    for start, stop in pairwise(_edges(widths, width - names)):
        yield _block(table, range(start, stop))


def _edges(widths: Sequence[int], room: int) -> list[int]:
    """Where blocks of columns begin and end: as few as fit into `room`, of equal length where that fits, too."""
    edges = [0]
    for index in range(1, len(widths)):
        if sum(widths[edges[-1] : index + 1]) > room:
            edges.append(index)
    n_blocks = len(edges)
    even = [round(i * len(widths) / n_blocks) for i in range(n_blocks + 1)]
    return even if all(sum(widths[a:b]) <= room for a, b in pairwise(even)) else [*edges, len(widths)]


def _block(table: Table, columns: range) -> RichTable:
    block = RichTable(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False, pad_edge=False)
    block.add_column(Text(table.head), no_wrap=True)
    for index in columns:
        block.add_column(Text(table.columns[index].head), justify="right", no_wrap=True)
    for row in table.rows:
        cells = [row.cells[index] for index in columns]
        block.add_row(Text(row.head), *(Text.assemble((cell.shown(cell.text), _STYLES[cell.rank])) for cell in cells))
    return block
