"""Tables that show themselves: in a notebook as HTML, elsewhere as a terminal shows them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass, fields
from io import StringIO
from typing import Self

from rich.console import Console

from mvarena.report.formats.html import html_table
from mvarena.report.formats.terminal import terminal_tables
from mvarena.report.tables.model import Table


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
