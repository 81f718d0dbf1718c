"""The forms of file that a table is written in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, get_args

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


def table_file(table: Table, form: TableFormat, *, label: str) -> str:
    """The content of the file. label : what LaTeX refers to it by."""
    return _WRITERS[form](table, label)
