"""A whole report: every table as Markdown, LaTeX and CSV, every figure as PNG and SVG, in one folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mvarena.report.csv_tables import csv_table
from mvarena.report.figures import by_rate, image_bytes
from mvarena.report.files import file_stems, write_file
from mvarena.report.latex import latex_table
from mvarena.report.markdown import markdown_table
from mvarena.report.results import Results
from mvarena.report.tables import Table


def write_report(results: Results, out_dir: str | Path) -> list[Path]:
    """Write the tables and figures of `results` into `out_dir` and return the files' paths, tables first.

    Files, named after what they show, so that a report written again replaces itself:
    table-DATASET[-CORRUPTION][-METRIC].md, .tex, .csv (METRIC where there are several rates; no CORRUPTION where
    there is none), figure-METRIC-by-rate.png, .svg (all data sets), and with several metrics figure-by-rate.png,
    .svg (a row per data set, a column per metric).

    Raises InvalidSetting if a file cannot be written.
    """
    folder = Path(out_dir)
    return [*_write_tables(results.tables, folder), *_write_figures(results, folder)]


def _write_tables(tables: Sequence[Table], folder: Path) -> list[Path]:
    names = {id(table): _table_name(table) for table in tables}
    stems = file_stems(names.values())
    written = []
    for table in tables:
        stem = f"table-{stems[names[id(table)]]}"
        written += [
            write_file(folder / f"{stem}.md", markdown_table(table)),
            write_file(folder / f"{stem}.tex", latex_table(table, label=stem.removeprefix("table-"))),
            write_file(folder / f"{stem}.csv", csv_table(table)),
        ]
    return written


def _table_name(table: Table) -> str:
    corruption = "" if table.corruption == "none" else table.corruption
    return " ".join(part for part in (table.dataset, corruption, table.metric) if part)


def _write_figures(results: Results, folder: Path) -> list[Path]:
    points = results.curves
    metrics = list(dict.fromkeys(points["metric"]))
    shown = {
        f"figure-{stem}-by-rate": points[points["metric"] == metric] for metric, stem in file_stems(metrics).items()
    }
    if len(metrics) > 1:
        shown["figure-by-rate"] = points
    written = []
    for stem, part in shown.items():
        figure = by_rate(part, results.looks)
        written += [
            write_file(folder / f"{stem}.png", image_bytes(figure, "png")),
            write_file(folder / f"{stem}.svg", image_bytes(figure, "svg")),
        ]
    return written
