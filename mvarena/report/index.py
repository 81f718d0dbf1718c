"""The short report: one page with places, what may be claimed, a few results, and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pandas as pd

from mvarena.report.data import ReportData
from mvarena.report.files import Format, write_file
from mvarena.report.formats.markdown import markdown_escape, markdown_table
from mvarena.report.kinds import figures_of
from mvarena.report.tables import quality
from mvarena.report.tables.model import Table
from mvarena.report.tables.results import each_table
from mvarena.report.write import table_file, write_figure
from mvarena.text import plural

INDEX = "index.md"
_MOST_RESULTS = 4  # tables, each of a metric and a condition
_MOST_PLACES = 20  # rows of a table of places on the page; files hold all
_HEADINGS = {
    "standings": "Standing",
    "rate": "By rate",
    "heatmap": "By data set",
    "bars": "By method",
    "pareto": "Quality against time",
    "survival": "Survival of the clusters",
    "embedding": "Embedding",
}


def printed_tables(results: ReportData) -> list[Table]:
    """The tables that a terminal prints: places where methods can be compared over data sets, and, where these are few,
    the results."""
    leading = results.place_tables
    return leading if leading and _are_many(results) else [*leading, *results.result_tables]


def _are_many(results: ReportData) -> bool:
    return len(results.methods[["metric", "corruption", "rate"]].drop_duplicates()) > _MOST_RESULTS


def write_index(
    results: ReportData,
    out_dir: str | Path,
    *,
    formats: Sequence[Format],
    width: float = 7.0,
) -> tuple[Path, list[Path]]:
    """Write the short report into `out_dir`; the path of its page, and all paths.

    The page holds, for each metric, the places over all conditions and what may be claimed, the results (of many the
    first by the metric that is shown first), the quality of the data sets, and a figure each of the standing, the
    rates, data sets or methods, of scores against seconds, of survival, and of the embedding, where the results have
    them. Beside it lie these tables as one .tex and .csv, and the captions and data of each figure.
    Raises InvalidSetting if a file cannot be written.
    """
    folder = Path(out_dir)
    leading = results.place_tables
    if leading and _are_many(results):
        tables = list(islice((one for one in each_table(results) if one.metric == results.main_metric), _MOST_RESULTS))
    else:
        tables = results.result_tables
    written = [
        write_file(
            folder / f"table.{form}",
            _joined(
                [table_file(table, form, label=f"{number}") for number, table in enumerate([*leading, *tables], 1)]
            ),
        )
        for form in ("tex", "csv")
    ]
    figures: list[tuple[str, str]] = []
    for kind, stem, points in _figures(results):
        paths = write_figure(results, (kind, stem, points), folder, formats, width)
        text = next(path for path in paths if path.suffix == ".md").read_text(encoding="utf-8")
        figures.append((kind, text))
        written += paths
    page = write_file(folder / INDEX, _page(results, leading, tables, figures))
    return page, [page, *written]


def _joined(texts: Sequence[str]) -> str:
    """Files of tables as one: CSV with one line of heads."""
    heads = {text.partition("\n")[0] for text in texts}
    if len(heads) == 1 and "," in next(iter(heads)):
        return texts[0] + "".join(text.partition("\n")[2] for text in texts[1:])
    return "\n".join(texts)


def _figures(results: ReportData) -> list[tuple[str, str, pd.DataFrame]]:
    """The figures of the short report: the first of each kind by the metric that is shown first.

    One at least has something to show: bars of one method beside the baselines, where there is nothing else.
    """
    from mvarena.report.figures.standings import of_board  # imports matplotlib

    metric = results.main_metric
    board = results.board(metric)

    def first(kind: str) -> list[tuple[str, str, pd.DataFrame]]:
        own = list(figures_of(results, [kind], lambda _: None))
        of_metric = [one for one in own if "metric" not in one[2] or (one[2]["metric"] == metric).all()]
        return [(kind, f"figure-{kind}", points) for _, _, points in (of_metric or own)[:1]]

    by_what: list[tuple[str, str, pd.DataFrame]] = first("rate") or first("heatmap") or first("bars")
    standing = [] if board is None else [("standings", "figure-standings", of_board(board, results))]
    return [*standing, *by_what, *first("pareto"), *first("survival"), *first("embedding")]


def _page(
    results: ReportData, leading: Sequence[Table], tables: Sequence[Table], figures: Sequence[tuple[str, str]]
) -> str:
    claims = [results.claim(board) for metric in results.metrics if (board := results.board(metric)) is not None]
    marks = max((table.marks for table in (*leading, *tables)), default="")
    parts = ["# Results", f"{_counts(results)} {marks}".rstrip(), *map(markdown_escape, claims)]
    for table in leading:
        more = len(table.rows) - _MOST_PLACES
        short = replace(table, rows=table.rows[:_MOST_PLACES], setting="", notes=())
        parts.append(markdown_table(short).rstrip())
        if more > 0:
            parts.append(f"{plural(more, 'more method')}: `table.csv`.")
    for kind, text in figures:
        parts += [f"## {_HEADINGS[kind]}", text.rstrip()]
    parts += ["## Results by condition", *(markdown_table(table).rstrip() for table in tables)]
    of_datasets = quality.of_datasets(results, results.main_metric)
    parts += ["## Quality", *_findings(results), markdown_table(of_datasets).rstrip()]
    parts += [
        "## More",
        "`mvarena report --table results` writes methods by data sets under each condition, "
        "`mvarena report --table all --figure all` every table and figure that has something to show, "
        "`mvarena report --html DIR` a site to sort and filter.",
    ]
    return "\n\n".join(parts) + "\n"


def _findings(results: ReportData) -> list[str]:
    """The errors and warnings on the results, and how many notes there are besides."""
    every = results.findings()
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
