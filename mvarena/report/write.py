"""A whole report in one folder: tables as Markdown, LaTeX, CSV and more; figures as images and their points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pandas as pd

from mvarena.errors import MvarenaError
from mvarena.report.data import ReportData
from mvarena.report.figures.kinds import KINDS as FIGURE_KINDS
from mvarena.report.figures.kinds import draw, figure_kinds
from mvarena.report.files import Format, file_stems, write_file
from mvarena.report.formats.files import DEFAULT_TABLE_FORMATS, TableFormat, table_file, table_formats
from mvarena.report.formats.records import points_csv
from mvarena.report.tables.kinds import KINDS as TABLE_KINDS
from mvarena.report.tables.kinds import nothing_to_show, table_kinds
from mvarena.report.tables.model import Table, with_short_caption
from mvarena.system.garbage_collection import uncollected

DEFAULT_FORMATS: tuple[Format, ...] = ("png", "svg")


def write_report(
    results: ReportData,
    out_dir: str | Path,
    *,
    tables: Sequence[str] | None = None,
    figures: Sequence[str] | None = None,
    formats: Sequence[Format] = DEFAULT_FORMATS,
    table_forms: Sequence[TableFormat] = DEFAULT_TABLE_FORMATS,
    short_captions: bool = False,
    on_left_out: Callable[[str, int, int], None] | None = None,
    on_figure: Callable[[int, int], None] | None = None,
    on_nothing: Callable[[MvarenaError], None] | None = None,
) -> list[Path]:
    """Write tables and figures of `results` into `out_dir` and return the files' paths, tables first.

    tables, figures : names of kinds (`mvarena.report.tables.kinds`, `figure_kinds`); None: all that have something to
        show. formats : of figures: 'png', 'svg', 'pdf'. table_forms : of tables: 'md', 'tex', 'csv', 'html', 'parquet'.

    short_captions : one line above each table in place of all definitions and notes.
    on_left_out : called with a kind, how many of its figures are drawn and how many there are, where no kinds are named
        and there are more than a report draws unasked (`FigureKind.first_figures`).
    on_figure : called with the number of figures written and of all, before the first and after each.
    on_nothing : called with the error of each named kind that has nothing to show, where another has; None: raised.

    Files are named after what they show, so that a report written again replaces itself: table-DATASET[-CORRUPTION]
    [-METRIC].md and so on (METRIC where there are several rates; no CORRUPTION where there is none), table-KIND-...
    of any other kind, regret.md and so on; figure-KIND[-...] with a .csv of what it shows beside each image, the kind
    'rate' as figure-METRIC-by-rate and, with several metrics, figure-by-rate.

    Raises UnknownName for a kind that there is none of, MvarenaError where nothing that is named has something to show
    (before any file is written), and InvalidSetting if a file cannot be written.
    """
    folder, forms = Path(out_dir), table_formats(table_forms)
    empty: list[MvarenaError] = []
    note = None if on_nothing is None else empty.append
    shown = tables_of(results, tables, note)
    drawn = _first_figures(results, on_left_out) if figures is None else list(figures_of(results, figures, note))
    for error in empty:
        if on_nothing is None or not (shown or drawn):
            raise error
        on_nothing(error)
    written = _write_tables([with_short_caption(table) for table in shown] if short_captions else shown, folder, forms)
    for done in range(len(drawn) + 1):
        if done:
            written += write_figure(results, drawn[done - 1], folder, formats)
        if on_figure is not None:
            on_figure(done, len(drawn))
    return written


@uncollected()
def tables_of(
    results: ReportData, names: Sequence[str] | None = None, on_nothing: Callable[[MvarenaError], None] | None = None
) -> list[Table]:
    """The tables of these kinds; None: of all kinds.

    on_nothing : called with the error of each named kind that has nothing to show; None: it is raised.
    """
    result: list[Table] = []
    for kind in TABLE_KINDS if names is None else table_kinds(names):
        tables = kind.tables(results)
        if names is not None and not tables:
            _nothing(nothing_to_show("table", kind), on_nothing)
        result += tables
    return result


def figures_of(
    results: ReportData, names: Sequence[str] | None, on_nothing: Callable[[MvarenaError], None] | None = None
) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Kind, file stem and points of each figure; None: of all kinds. on_nothing : as in `tables_of`."""
    for kind in FIGURE_KINDS if names is None else figure_kinds(names):
        figures = list(kind.figures(results))
        if names is not None and not figures:
            _nothing(nothing_to_show("figure", kind), on_nothing)
        yield from ((kind.name, stem, points) for stem, points in figures)


def _nothing(error: MvarenaError, on_nothing: Callable[[MvarenaError], None] | None) -> None:
    if on_nothing is None:
        raise error
    on_nothing(error)


def _first_figures(
    results: ReportData, on_left_out: Callable[[str, int, int], None] | None
) -> list[tuple[str, str, pd.DataFrame]]:
    """First figures of all kinds that are drawn by default, from `figures_of`."""
    result: list[tuple[str, str, pd.DataFrame]] = []
    for kind in FIGURE_KINDS:
        first, count = kind.first_figures(results)
        result += [(kind.name, stem, points) for stem, points in first]
        if count > len(first) and on_left_out is not None:
            on_left_out(kind.name, len(first), count)
    return result


def _write_tables(tables: Sequence[Table], folder: Path, forms: Sequence[TableFormat]) -> list[Path]:
    stems = file_stems(table.name for table in tables)
    written = []
    for table in tables:
        name = stems[table.name]
        stem = name if table.kind == "regret" else f"table-{name}"
        written += [write_file(folder / f"{stem}.{form}", table_file(table, form, label=name)) for form in forms]
    return written


@uncollected()
def write_figure(
    results: ReportData, shown: tuple[str, str, pd.DataFrame], folder: Path, formats: Sequence[Format]
) -> list[Path]:
    """Draw one figure: kind, stem of its files, and points; the paths of its images and of its data as CSV."""
    from mvarena.report.drawing.canvas import image_bytes

    kind, stem, points = shown
    figure = draw(kind, points, results.looks)
    return [
        *(write_file(folder / f"{stem}.{item}", image_bytes(figure, item)) for item in dict.fromkeys(formats)),
        write_file(folder / f"{stem}.csv", points_csv(points)),
    ]
