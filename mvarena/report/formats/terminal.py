"""Tables for the terminal, folded into blocks of columns where they would not fit."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from io import StringIO
from itertools import groupby, pairwise
from typing import Self

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from mvarena.report.formats.html import html_table
from mvarena.report.short_names import short_names
from mvarena.report.tables.model import Table
from mvarena.text import visible

_GAP = 2  # a column's own padding
_STYLES = {0: "", 1: "bold", 2: "underline"}
_MOST_WARNINGS = 6
_SHORTEST_NAME = 24  # a name is never cut below this, however narrow the terminal


def terminal_tables(tables: Sequence[Table], *, width: int = 80, verbose: bool = False) -> Group:
    """`tables` as something that rich prints: a line before each, and one after those that share what it says.

    width : of the terminal, in characters. Best is bold, second underlined. verbose : all definitions and notes in
    place of the one line. Warnings are always shown.
    """
    parts: list[RenderableType] = []
    for index, alike in groupby(tables, key=lambda table: (table.kind, table.dataset, table.corruption, table.setting)):
        group = list(alike)
        for table in group:
            below = [Text(visible(table.baselines), style="dim")] if table.baselines else []
            parts += [Text(visible(table.title), style="bold"), *_blocks(table, width), *below, Text()]
        units = "; ".join(dict.fromkeys(table.measured for table in group))
        notes = dict.fromkeys(note for table in group for note in table.notes)
        controlled = dict.fromkeys(table.controlled for table in group if table.controlled)
        warnings = dict.fromkeys(warning for table in group for warning in table.warnings)
        brief = dict.fromkeys(table.brief for table in group)
        sentences = (f"{units}. {index[-1]}".strip(), *controlled, *notes) if verbose else tuple(brief)
        sentences = (*sentences, *(warnings if verbose else _first(list(warnings))))
        parts += [*(Text(visible(sentence), style="dim") for sentence in sentences), Text()]
    return Group(*parts)


def _first(warnings: list[str]) -> list[str]:
    """A few warnings, and how many more there are."""
    more = len(warnings) - _MOST_WARNINGS
    return warnings if more <= 0 else [*warnings[:_MOST_WARNINGS], f"{more} more lines: mvarena report -v shows all."]


def _blocks(table: Table, width: int) -> Iterator[RichTable]:
    names = short_names((row.head for row in table.rows), max(_SHORTEST_NAME, width // 2), visible)
    heads = [names[row.head] for row in table.rows]
    wide = max(map(len, (table.head, *heads))) + _GAP
    widths = [
        max(len(column.full_head), *(len(row.cells[i].shown(row.cells[i].text)) for row in table.rows)) + _GAP
        for i, column in enumerate(table.columns)
    ]
    for start, stop in pairwise(_edges(widths, width - wide)):
        yield _block(table, heads, range(start, stop))


def _edges(widths: Sequence[int], room: int) -> list[int]:
    """Boundaries of blocks of columns: as few as fit into `room`, of equal length where possible."""
    edges = [0]
    for index in range(1, len(widths)):
        if sum(widths[edges[-1] : index + 1]) > room:
            edges.append(index)
    n_blocks = len(edges)
    even = [round(i * len(widths) / n_blocks) for i in range(n_blocks + 1)]
    return even if all(sum(widths[a:b]) <= room for a, b in pairwise(even)) else [*edges, len(widths)]


def _block(table: Table, heads: Sequence[str], columns: range) -> RichTable:
    block = RichTable(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False, pad_edge=False)
    block.add_column(Text(table.head), no_wrap=True)
    for index in columns:
        block.add_column(Text(visible(table.columns[index].full_head)), justify="right", no_wrap=True)
    for head, row in zip(heads, table.rows, strict=True):
        cells = [row.cells[index] for index in columns]
        block.add_row(Text(head), *(Text.assemble((cell.shown(cell.text), _STYLES[cell.rank])) for cell in cells))
    return block


# Tables that show themselves: in a notebook as HTML, elsewhere as a terminal shows them.


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ShownTable(Table):
    """One table; `repr` gives the text that `mvarena report` prints."""

    @classmethod
    def of(cls, table: Table) -> Self:
        return cls(**{item.name: getattr(table, item.name) for item in fields(Table)})

    def __repr__(self) -> str:
        return _printed([self])

    def _repr_html_(self) -> str:
        return html_table(self)


class ShownTables(list[ShownTable]):
    """Several tables, one below the other."""

    def __init__(self, tables: Iterable[Table] = ()) -> None:
        super().__init__(map(ShownTable.of, tables))

    def __repr__(self) -> str:
        return _printed(self)

    def _repr_html_(self) -> str:
        return "\n".join(map(html_table, self))


def _printed(tables: list[ShownTable]) -> str:
    if not tables:
        return "[]"
    width = shutil.get_terminal_size().columns
    console = Console(width=width, file=StringIO(), color_system=None)
    with console.capture() as text:
        console.print(terminal_tables(tables, width=width))
    return text.get().rstrip()
