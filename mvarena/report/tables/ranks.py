"""Mean ranks and ratings over corpora as tables; where something did not finish, also among what finished."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from mvarena.analysis.rankings import worse_than_first
from mvarena.analysis.significance import joined
from mvarena.analysis.standings import Standings
from mvarena.report.context import Context
from mvarena.report.figures.standings import standing_points, standings_of
from mvarena.report.tables.model import (
    BY_CORPORA,
    NO_NUMBER,
    Cell,
    Column,
    Row,
    Table,
    marked_rows,
    number_cell,
    ranked_rows,
)
from mvarena.text import listed

FINISHED_ONLY = "finished only"
FINISHED_WORDS = (
    f"'{FINISHED_ONLY}': trials that did not finish are left out instead of ranked last, and so are methods without "
    "any finished trial."
)


def rank_tables(summary: pd.DataFrame, context: Context) -> list[Table]:
    """Mean ranks over corpora, a table for each corruption with two methods or more on two data sets or more."""
    tables = []
    for corruption, part in summary.groupby("corruption", sort=False):
        result = standings_of(part, context)
        if result:
            tables.append(_table(str(corruption), result, finished_only(part, result, context), context))
    return tables


def finished_only(
    summary: pd.DataFrame, ranked_last: Mapping[str, Standings], context: Context
) -> dict[str, Standings]:
    """The standings of what finished, by the metrics in which something did not."""
    result = standings_of(summary, context, unfinished="left-out")
    return {
        metric: result[metric]
        for metric, item in ranked_last.items()
        if any(item.unfinished.values()) and metric in result
    }


def last_notes(table: Standings, labels: Mapping[str, str]) -> list[str]:
    """Contestants ranked last, and how often."""
    each = [f"{labels[name]} ({count})" for name, count in table.unfinished.items() if count]
    return (
        [f"Ranked last where a trial did not finish (number of rates and data sets): {listed(each)}."] if each else []
    )


def _table(
    corruption: str, found: Mapping[str, Standings], finished: Mapping[str, Standings], context: Context
) -> Table:
    names = list(dict.fromkeys(name for item in found.values() for name in item.contestants))
    labels = context.contestants(names)
    parts = [(item, "") for item in found.values()] + [(item, FINISHED_ONLY) for item in finished.values()]
    parts.sort(key=lambda part: list(found).index(part[0].metric))
    columns = tuple(_column(item, words, corruption, context) for item, words in parts)
    lines = [Row(name, labels[name], False, tuple(_cell(item, name) for item, _ in parts)) for name in names]
    ranked = ranked_rows(lines, columns, dict.fromkeys((column.metric for column in columns), False))
    worse = joined(worse_than_first(item, context.margin(item.metric)) for item in found.values())
    rows, tested = marked_rows(
        ranked, columns, worse, lambda row, column: (column.metric.removeprefix("rank of "), row.name), BY_CORPORA
    )
    over = max(found.values(), key=lambda item: item.n_datasets).over
    under = "" if corruption == "none" else f" under {context.corruption(corruption)}"
    left_out = dict.fromkeys(sentence for item in found.values() for sentence in item.left_out)
    said = f" {FINISHED_WORDS}" if finished else ""
    return Table(
        kind="ranks",
        corruption=corruption,
        title=f"Mean ranks over {over}{under}",
        heading="metric",
        columns=columns,
        rows=rows,
        measured=f"Mean rank of {len(names)} methods over {over}, 1 is best",
        setting="Methods are ranked at each rate by their mean over the repeats, where methods that did not finish "
        "are last; the mean over the rates is averaged over the data sets of a corpus and ranked again, so "
        "that each corpus counts once. Tied methods get the mean of their "
        f"ranks.{_spread(found)}{said}",
        tested=tested,
        notes=(*left_out, *last_notes(next(iter(found.values())), labels)),
    )


def _column(table: Standings, words: str, corruption: str, context: Context) -> Column:
    sets = f" ({table.over})" if words else ""
    head = ", ".join(filter(None, (context.metric(table.metric), words)))
    return Column(f"{head}{sets}", " ".join(filter(None, ("rank of", table.metric, words))), math.nan, "", corruption)


def _spread(found: Mapping[str, Standings]) -> str:
    several = any(item.n_corpora > 1 for item in found.values())
    return " ± is one standard deviation (n − 1) over corpora." if several else ""


def _cell(table: Standings, name: str) -> Cell:
    if name not in table.ranks:
        return NO_NUMBER
    mean, std = float(table.ranks[name].mean()), float(table.ranks[name].std())
    deviation = "" if math.isnan(std) else f"{std:.2f}"
    return Cell(text=f"{mean:.2f}", deviation=deviation, mean=mean, std=std, status="DONE")


# Ratings over corpora as tables, with the sentence that says what may be claimed.

_HEADS = {"rating": "rating", "low": "95 % low", "high": "95 % high", "mean_rank": "mean rank"}
_BESIDE = {"rating": "rating", "mean_rank": "mean rank"}  # of what finished
_NO_INTERVAL = "No interval is shown where all bootstrap samples of the corpora give the same rating."
_BETTER_IF_HIGHER = {"rating": True, "mean_rank": False}


def rating_tables(tables: Mapping[str, Standings], finished: Mapping[str, Standings], context: Context) -> list[Table]:
    """One table per metric that has two contestants or more on two data sets or more.

    finished : of the metrics in which something did not finish, the standings of what did.
    """
    points, beside = standing_points(tables, context), standing_points(finished, context, FINISHED_ONLY)
    return [
        _rating_table(tables[str(metric)], part, beside[beside["metric"] == metric], context)
        for metric, part in points.groupby("metric", sort=False)
    ]


def _rating_table(standings: Standings, part: pd.DataFrame, beside: pd.DataFrame, context: Context) -> Table:
    metric = standings.metric
    columns = [Column(head, name, math.nan) for name, head in _HEADS.items()]
    parts = [(part.set_index("contestant"), name) for name in _HEADS]
    if len(beside):
        sets = f"{FINISHED_ONLY} ({beside['over'].iloc[0]})"
        columns += [Column(f"{head}, {sets}", name, math.nan) for name, head in _BESIDE.items()]
        parts += [(beside.set_index("contestant"), name) for name in _BESIDE]
    lines = [
        Row(name, label, False, tuple(_rating_cell(values, name, column) for values, column in parts))
        for name, label in zip(part["contestant"], part["label"], strict=True)
    ]
    ranked = tuple(map(_without_ends, ranked_rows(lines, tuple(columns), _BETTER_IF_HIGHER)))
    rows, tested = marked_rows(
        ranked,
        tuple(columns),
        worse_than_first(standings, context.margin(metric)),
        lambda row, column: (metric if column.head == _HEADS["mean_rank"] else "", row.name),
        BY_CORPORA,
    )
    intervals = " with 95 % intervals" if part["low"].notna().any() else ""
    last = [f"{row.label} ({row.unfinished})" for row in part.itertuples() if row.unfinished]
    notes = [f"Ranked last where unfinished (number of conditions): {listed(last)}."] if last else []
    notes += [_NO_INTERVAL] if part["low"].isna().any() else []
    text = f" {FINISHED_WORDS}" if len(beside) else ""
    return Table(
        kind="ratings",
        metric=metric,
        title=f"{context.metric(metric)}: ratings over {standings.over}",
        columns=tuple(columns),
        rows=rows,
        measured=f"Elo-style ratings of {len(rows)} methods{intervals} over {standings.over}",
        setting="On each corpus the better rank wins; a lead of 400 points means odds of ten to one; the mean is "
        f"1000.{text} {part['claim'].iloc[0]}",
        tested=tested,
        notes=(*notes, *standings.left_out),
    )


def _rating_cell(values: pd.DataFrame, name: str, column: str) -> Cell:
    if name not in values.index:
        return NO_NUMBER
    value = float(values.loc[name, column])
    text = f"{value:.2f}" if column == "mean_rank" else f"{value:.0f}"
    return number_cell(text, value)


def _without_ends(row: Row) -> Row:
    """The row in which the ends of intervals are neither best nor second."""
    names = list(_HEADS)
    cells = (
        replace(cell, rank=0) if index < len(names) and names[index] in ("low", "high") else cell
        for index, cell in enumerate(row.cells)
    )
    return replace(row, cells=tuple(cells))
