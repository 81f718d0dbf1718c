"""The forms of file that a table is written in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, get_args

from mvarena.errors import unknown_name
from mvarena.report.formats.latex import latex_table
from mvarena.report.formats.markdown import markdown_table
from mvarena.report.formats.records import csv_table
from mvarena.report.tables.model import Table

TableFormat: TypeAlias = Literal["md", "tex", "csv"]
TABLE_FORMATS: tuple[TableFormat, ...] = get_args(TableFormat)
_WRITERS: dict[TableFormat, Callable[[Table, str], str]] = {
    "md": lambda table, _: markdown_table(table),
    "tex": lambda table, label: latex_table(table, label=label),
    "csv": lambda table, _: csv_table(table),
}


def table_formats(names: Sequence[str]) -> tuple[TableFormat, ...]:
    """The forms of these names, each once; without names all. Raises UnknownName for any other."""
    for name in names:
        if name not in TABLE_FORMATS:
            raise unknown_name("format of tables", name, TABLE_FORMATS, f"There are {', '.join(TABLE_FORMATS)}.")
    return tuple(item for item in TABLE_FORMATS if item in names or not names)


def table_file(table: Table, form: TableFormat, *, label: str) -> str:
    """The content of the file. label : what LaTeX refers to it by."""
    return _WRITERS[form](table, label)
