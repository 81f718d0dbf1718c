"""The short report: one page with one table, what may be claimed, and three figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd

from mvarena.registry.stale_results import stale_trials
from mvarena.report.data import ReportData
from mvarena.report.figures.kinds import FigureKind, figure_kinds
from mvarena.report.figures.pareto import pareto_over_datasets
from mvarena.report.figures.standings import standing_points
from mvarena.report.files import Format, write_file
from mvarena.report.formats.files import TableFormat, table_file
from mvarena.report.formats.markdown import markdown_escape, markdown_table
from mvarena.report.tables.overview import rows_at_main_condition
from mvarena.report.write import write_figure
from mvarena.text import plural

INDEX = "index.md"
_HEADINGS = {
    "rate": "By rate",
    "heatmap": "By data set",
    "subsets": "By subset of views",
    "critical-difference": "Standing",
    "pareto": "Quality against time",
    "survival": "Survival of the clusters",
}


def write_index(
    results: ReportData,
    out_dir: str | Path,
    *,
    formats: Sequence[Format],
    on_figure: Callable[[int, int], None],
) -> tuple[Path, list[Path]]:
    """Write the short report into `out_dir`; the path of its page, and all paths.

    The page holds the tables of methods by data sets (`results.overviews`), what may be claimed, the quality of the
    data sets, and a figure each of the rates, data sets or subsets of views, of mean ranks, of scores against seconds,
    and, where data have it, of survival (of the first data set and condition). Beside it lie the tables as .tex and
    .csv, and the data of each figure. At most 12 files with one format of figures where there is one table.
    on_figure : called with the number of figures written and of all, before the first and after each.
    Raises InvalidSetting if a file cannot be written.
    """
    folder = Path(out_dir)
    forms: tuple[TableFormat, ...] = ("tex", "csv")
    written = []
    for number, table in enumerate(results.overviews, start=1):
        end = "" if number == 1 else f"-{number}"
        written += [
            write_file(folder / f"table{end}.{form}", table_file(table, form, label=f"overview{end}")) for form in forms
        ]
    figures: dict[str, str] = {}
    shown = _figures(results)
    on_figure(0, len(shown))
    for number, (kind, points) in enumerate(shown, start=1):
        stem = f"figure-{kind.name}"
        written += write_figure(results, (kind.name, stem, points), folder, formats)
        figures[kind.name] = f"{stem}.{formats[0]}"
        on_figure(number, len(shown))
    page = write_file(folder / INDEX, _page(results, figures))
    return page, [page, *written]


def _figures(results: ReportData) -> list[tuple[FigureKind, pd.DataFrame]]:
    """The kinds of figures of the short report that have something to show, with the points of one figure each.

    Ranks and seconds are those of the table's condition; rates are all.
    """
    results = results.without_controls
    metric, standings = results.main_metric, results.main_standings
    subsets, rate, heatmap, ranks, pareto, survival = figure_kinds(
        ["subsets", "rate", "heatmap", "critical-difference", "pareto", "survival"]
    )
    shown: list[tuple[FigureKind, pd.DataFrame]] = []
    datasets = set(results.summary["dataset"])
    for kind in (subsets, rate, heatmap):
        points = kind.points(results)
        points = points[points["metric"] == metric]
        if kind is subsets and set(points["dataset"]) != datasets:  # of other data, too: rates or data sets show more
            continue
        if not points.empty:
            shown.append((kind, points))
            break
    if standings is not None:
        shown.append((ranks, standing_points({metric: standings}, results.context)))
        rows = rows_at_main_condition(results.summary, metric)
        shown.append((pareto, pareto_over_datasets(rows, standings, results.context)))
    else:
        points = pareto.points(results)
        shown.append((pareto, points[points["metric"] == metric]))
    curves = next((points for _, points in survival.figures(results)), None)
    if curves is not None:
        shown.append((survival, curves))
    return [(kind, points) for kind, points in shown if not points.empty]


def _page(results: ReportData, figures: dict[str, str]) -> str:
    metric = results.main_metric
    parts = ["# Results", _counts(results), *(markdown_table(table).rstrip() for table in results.overviews)]
    if results.claim:
        parts += ["## What can be claimed", markdown_escape(results.claim)]
    for name, path in figures.items():
        parts += [f"## {_HEADINGS[name]}", f"![{_HEADINGS[name]}]({path})"]
    quality = next((table for table in results.quality if table.metric == metric), None)
    if quality is not None:
        parts += ["## Quality", *_findings(results), markdown_table(quality).rstrip()]
    parts += [
        "## More",
        "`mvarena report --table all --figure all` writes every table and figure that has something to show, "
        "`mvarena report --html DIR` a site to sort and filter.",
    ]
    return "\n\n".join(parts) + "\n"


def _findings(results: ReportData) -> list[str]:
    """The errors and warnings on the results, and how many notes there are besides."""
    every = results.findings(stale_trials(results.scores))
    notes = sum(finding.severity == "note" for finding in every)
    lines = [f"- {item.severity}: {markdown_escape(item.text)}" for item in every if item.severity != "note"]
    if notes:
        lines.append(
            f"- {plural(notes, 'note')}: the quality page of the site (`mvarena report --html DIR`) shows all of them."
        )
    return ["\n".join(lines)] if lines else []


def _counts(results: ReportData) -> str:
    """Counts of methods, data sets, corpora and trials, those shown and all, and under which preparation."""
    summary = results.summary
    methods = summary.loc[~summary["algorithm"].isin(results.context.controls), "contestant"].nunique()
    sets, corpora = summary["dataset"].nunique(), summary["corpus"].nunique()
    of = "" if sets == corpora else f" of {plural(corpora, 'corpus') if corpora == 1 else f'{corpora} corpora'}"
    stored = results.scores if results.stored is None else results.stored
    shown, every = int(results.reported.kept["key"].nunique()), int(stored["key"].nunique())
    trials = plural(shown, "trial") if shown == every else f"{shown:,} of {every:,} trials"
    words = results.context.preparation.words
    sentence = results.context.left_out or (f"{words[:1].upper()}{words[1:]}." if words else "")
    return markdown_escape(f"{plural(methods, 'method')}, {plural(sets, 'data set')}{of}, {trials}. {sentence}".strip())
