"""A whole report: every table as Markdown, LaTeX and CSV, every figure as PNG and SVG, in one folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from mvarena.analysis.aggregates import summarize
from mvarena.errors import MvarenaError
from mvarena.report.curves import curves
from mvarena.report.figures import by_rate, image_bytes
from mvarena.report.files import file_stems, write_file
from mvarena.report.latex import latex_table
from mvarena.report.markdown import markdown_table
from mvarena.report.numbers import csv_table
from mvarena.report.style import looks
from mvarena.report.tables import Table, build_tables


def write_report(
    frame: pd.DataFrame,
    out_dir: str | Path,
    *,
    metrics: Sequence[str] | None = None,
    directions: Mapping[str, bool],
    rate_meanings: Mapping[str, str],
    dataset_notes: Mapping[str, str],
    percent: frozenset[str] | None = None,
    every_variant: bool = False,
) -> list[Path]:
    """Write the report of `frame` into `out_dir` and return the files' paths, tables first.

    Parameters
    ----------
    frame : the store's long form, one row per trial x restart x metric.
    metrics, directions, every_variant : see `summarize`.
    rate_meanings : corruption -> what its rate is. dataset_notes : data set -> a few words. Both for captions.
    percent : metrics shown in percent; None: those whose means all lie within [-1, 1].

    Files, named after what they show, so that a report written again replaces itself:
    table-DATASET[-CORRUPTION][-METRIC].md, .tex, .csv (METRIC where there are several rates; no CORRUPTION where
    there is none), figure-METRIC-by-rate.png, .svg (all data sets), and with several metrics figure-by-rate.png,
    .svg (a row per data set, a column per metric).

    Raises MvarenaError if `frame` is empty or a file cannot be written.
    """
    if frame.empty:
        raise MvarenaError("there are no results to report; run something first, as in 'mvarena run --algo apmc "
                           "--data digits', or name other data sets and algorithms.")  # fmt: skip
    summary = summarize(frame, metrics, directions=directions, every_variant=every_variant)
    tables = build_tables(
        summary, directions=directions, rate_meanings=rate_meanings, dataset_notes=dataset_notes, percent=percent
    )
    folder = Path(out_dir)
    return [*_write_tables(tables, folder), *_write_figures(curves(summary, percent=percent), folder)]


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


def _write_figures(points: pd.DataFrame, folder: Path) -> list[Path]:
    styles = looks(points["contestant"].unique())
    metrics = list(dict.fromkeys(points["metric"]))
    shown = {
        f"figure-{stem}-by-rate": points[points["metric"] == metric] for metric, stem in file_stems(metrics).items()
    }
    if len(metrics) > 1:
        shown["figure-by-rate"] = points
    written = []
    for stem, part in shown.items():
        figure = by_rate(part, styles=styles)
        written += [
            write_file(folder / f"{stem}.png", image_bytes(figure, "png")),
            write_file(folder / f"{stem}.svg", image_bytes(figure, "svg")),
        ]
    return written
