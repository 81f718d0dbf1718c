"""A whole report in one folder: tables as Markdown, LaTeX, CSV and more; figures as images, captions and points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import pandas as pd

from mvarena.errors import MvarenaError
from mvarena.report.data import ReportData
from mvarena.report.exports import csv_text
from mvarena.report.files import Format, file_stems, write_file
from mvarena.report.formats.latex import latex_figure, latex_table
from mvarena.report.formats.markdown import markdown_figure, markdown_table
from mvarena.report.formats.records import csv_table
from mvarena.report.kinds import FIGURES, MOST, draw, figures_of, tables_of
from mvarena.report.tables.model import Table
from mvarena.system.garbage_collection import uncollected

DEFAULT_FORMATS: tuple[Format, ...] = ("png", "svg")
TableFormat: TypeAlias = Literal["md", "tex", "csv"]
TABLE_FORMATS: tuple[TableFormat, ...] = get_args(TableFormat)
_TABLE_WRITERS: dict[TableFormat, Callable[[Table, str], str]] = {
    "md": lambda table, _: markdown_table(table),
    "tex": lambda table, label: latex_table(table, label=label),
    "csv": lambda table, _: csv_table(table),
}


def write_report(
    results: ReportData,
    out_dir: str | Path,
    *,
    tables: Sequence[str] | None = None,
    figures: Sequence[str] | None = None,
    formats: Sequence[Format] = DEFAULT_FORMATS,
    table_forms: Sequence[TableFormat] = TABLE_FORMATS,
    width: float = 7.0,
    on_left_out: Callable[[str, int, int], None] | None = None,
    on_nothing: Callable[[MvarenaError], None] | None = None,
) -> list[Path]:
    """Write tables and figures of `results` into `out_dir` and return the files' paths, tables first.

    tables, figures : names of kinds (`mvarena.report.kinds`); None: all that have something to show. formats : of
        figures: 'png', 'svg', 'pdf'. table_forms : of tables: 'md', 'tex', 'csv'; none: all.
        width : of figures, in inches.

    on_left_out : called with a kind, how many of its figures are drawn and how many there are, where no kinds are named
        and there are more than a report draws unasked (MOST).
    on_nothing : called with the error of each named kind that has nothing to show, where another has; None: raised.

    Files are named after what they show, so that a report written again replaces itself: table-KIND-... and
    figure-KIND-..., beside each image its caption as .md and .tex, and a .csv of what it shows.

    Raises UnknownName for a kind that there is none of, MvarenaError where nothing that is named has something to show
    (before any file is written), and InvalidSetting if a file cannot be written.
    """
    folder = Path(out_dir)
    empty: list[MvarenaError] = []
    note = None if on_nothing is None else empty.append
    shown = tables_of(results, tables, note)
    drawn = _first_figures(results, on_left_out) if figures is None else list(figures_of(results, figures, note))
    for error in empty:
        if on_nothing is None or not (shown or drawn):
            raise error
        on_nothing(error)
    written = _write_tables(shown, folder, table_forms or TABLE_FORMATS)
    for figure in drawn:
        written += write_figure(results, figure, folder, formats, width)
    return written


def _first_figures(
    results: ReportData, on_left_out: Callable[[str, int, int], None] | None
) -> list[tuple[str, str, pd.DataFrame]]:
    """The first MOST figures of all kinds."""
    result: list[tuple[str, str, pd.DataFrame]] = []
    every = list(figures_of(results, None))
    for kind in FIGURES:
        own = [figure for figure in every if figure[0] == kind]
        result += own[:MOST]
        if len(own) > MOST and on_left_out is not None:
            on_left_out(kind, MOST, len(own))
    return result


def table_file(table: Table, form: TableFormat, *, label: str) -> str:
    """The content of a table's file. label : what LaTeX refers to it by."""
    return _TABLE_WRITERS[form](table, label)


def _write_tables(tables: Sequence[Table], folder: Path, forms: Sequence[TableFormat]) -> list[Path]:
    stems = file_stems(table.name for table in tables)
    return [
        write_file(folder / f"table-{stems[table.name]}.{form}", table_file(table, form, label=stems[table.name]))
        for table in tables
        for form in forms
    ]


@uncollected()
def write_figure(
    results: ReportData,
    shown: tuple[str, str, pd.DataFrame],
    folder: Path,
    formats: Sequence[Format],
    width: float = 7.0,
) -> list[Path]:
    """Draw one figure: kind, stem of its files, and points; the paths of its images, captions and points as CSV."""
    from mvarena.report.drawing.canvas import image_bytes

    kind, stem, points = shown
    drawing = draw(kind, points, results.looks, width)
    images = [
        write_file(folder / f"{stem}.{item}", image_bytes(drawing.figure, item)) for item in dict.fromkeys(formats)
    ]
    return [
        *images,
        write_file(folder / f"{stem}.md", markdown_figure(images[0].name, drawing.caption)),
        write_file(folder / f"{stem}.tex", latex_figure(stem, drawing.caption, width)),
        write_file(folder / f"{stem}.csv", csv_text(points)),
    ]
