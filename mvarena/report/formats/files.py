"""The forms of file that a table is written in: what each holds, and what it needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, get_args

from mvarena.errors import unknown_name
from mvarena.report.exports import check_parquet
from mvarena.report.formats.html import html_page
from mvarena.report.formats.latex import latex_table
from mvarena.report.formats.markdown import markdown_table
from mvarena.report.formats.records import csv_table, parquet_table
from mvarena.report.tables.model import Table

TableFormat: TypeAlias = Literal["md", "tex", "csv", "html", "parquet"]
TABLE_FORMATS: tuple[TableFormat, ...] = get_args(TableFormat)
DEFAULT_TABLE_FORMATS: tuple[TableFormat, ...] = ("md", "tex", "csv")
_WRITERS: dict[TableFormat, Callable[[Table, str], str | bytes]] = {
    "md": lambda table, _: markdown_table(table),
    "tex": lambda table, label: latex_table(table, label=label),
    "csv": lambda table, _: csv_table(table),
    "html": lambda table, _: html_page(table),
    "parquet": lambda table, _: parquet_table(table),
}


def table_formats(names: Sequence[str]) -> tuple[TableFormat, ...]:
    """The forms of these names, each once; without names those that are written by default.

    Raises UnknownName for any other, InvalidSetting for parquet where pyarrow is not installed.
    """
    for name in names:
        if name not in TABLE_FORMATS:
            raise unknown_name("format of tables", name, TABLE_FORMATS, f"There are {', '.join(TABLE_FORMATS)}.")
    if "parquet" in names:
        check_parquet("table_format")
    return tuple(item for item in TABLE_FORMATS if item in names) or DEFAULT_TABLE_FORMATS


def table_file(table: Table, form: TableFormat, *, label: str) -> str | bytes:
    """The content of the file. label : what LaTeX refers to it by."""
    return _WRITERS[form](table, label)
