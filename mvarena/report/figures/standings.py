"""Data of critical-difference diagrams, comparison matrices and ratings: contestants over data sets by a metric."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from mvarena.analysis.claims import claim
from mvarena.analysis.rankings import METHODS, cliques, critical_difference, may_differ
from mvarena.analysis.ratings import ratings
from mvarena.analysis.significance import ALPHA, compared_pairs, win_rates
from mvarena.analysis.standings import Standings, Unfinished, standings
from mvarena.errors import InvalidData
from mvarena.report.context import Context

STANDING_COLUMNS = (
    "metric", "counted", "contestant", "label", "mean_rank", "rating", "low", "high", "cliques", "nemenyi",
    "critical_difference", "unfinished", "n_conditions", "n_corpora", "n_datasets", "over",
    "metric_axis", "claim", "left_out",
)  # fmt: skip
COMPARISON_COLUMNS = (
    "metric", "counted", "first", "second", "first_label", "second_label", "first_value", "second_value", "gain",
    "wins", "ties", "losses", "p", "p_holm", "told_apart", "n_datasets", "over", "metric_axis", "claim", "left_out",
)  # fmt: skip


WIN_COLUMNS = ("metric", "first", "second", "first_label", "second_label", "share", "n_datasets", "over", "metric_axis")


def standings_of(summary: pd.DataFrame, context: Context, *, unfinished: Unfinished = "last") -> dict[str, Standings]:
    """Metric -> the standings of all methods, where there are two or more on two data sets: without controls and what
    ground truth picked.

    unfinished : as for `mvarena.analysis.standings.standings`.
    """
    result = {}
    competing = ~summary["label_picked"].astype(bool) & ~summary["algorithm"].isin(context.controls)
    for metric, rows in summary[competing].groupby("metric", sort=False):
        try:
            higher = context.directions.get(str(metric), True)
            table = standings(rows, str(metric), higher_is_better=higher, unfinished=unfinished)
        except InvalidData:  # nothing that can be compared: the kinds that need it say so
            continue
        if table.n_datasets > 1:
            result[str(metric)] = table
    return result


def standing_points(tables: Mapping[str, Standings], context: Context, counted: str = "") -> pd.DataFrame:
    """One row per metric and contestant, columns STANDING_COLUMNS, the best mean rank first.

    counted : what the standings leave out, in words. cliques : the numbers of the groups that the contestant belongs
    to, in which Wilcoxon's test with Holm's correction tells no two apart, '' for none; nemenyi : the same by Nemenyi's
    test, whose critical_difference of mean ranks stands beside. rating, low, high : `mvarena.analysis.ratings.ratings`.
    claim : what may be claimed, in one sentence. left_out : who and what takes no part, in sentences.
    """
    rows = []
    for metric, table in tables.items():
        labels = context.contestants(table.contestants)
        rated, groups = ratings(table), {method: cliques(table, method) for method in METHODS}
        allowed = critical_difference(len(labels), table.n_corpora)
        counts = (sum(table.n_conditions.values()), table.n_corpora, table.n_datasets)
        shared = (*counts, table.over, context.metric_axis(metric))
        text = (claim(table, labels=labels, against=_taking_part(table, context)), _left_out(table))
        for name, mean_rank in table.mean_ranks.items():
            member = [_numbers(groups[method], str(name)) for method in METHODS]
            row = (metric, counted, name, labels[str(name)], mean_rank, *rated.loc[name], *member, allowed)
            rows.append((*row, table.unfinished[str(name)], *shared, *text))
    return pd.DataFrame(rows, columns=list(STANDING_COLUMNS))


def _taking_part(table: Standings, context: Context) -> str | None:
    """The contestant to compare with each other, where it takes part in these standings."""
    return context.against if context.against in table.contestants else None


def _left_out(table: Standings, most: int = 2) -> str:
    more = len(table.left_out) - most
    rest = [f"{more} more {'are' if more > 1 else 'is'} left out."] if more > 0 else []
    return " ".join([*table.left_out[:most], *rest])


def _numbers(groups: list[tuple[str, ...]], name: str) -> str:
    return " ".join(str(number) for number, group in enumerate(groups) if name in group)


def comparison_points(tables: Mapping[str, Standings], context: Context, counted: str = "") -> pd.DataFrame:
    """One row per metric and pair, columns COMPARISON_COLUMNS (`mvarena.analysis.significance.compared_pairs`).

    told_apart : whether the two differ by p_holm, where any may (`mvarena.analysis.rankings.may_differ`).
    first_value, second_value : means over corpora. These and gain are in percent where the metric is shown so.
    """
    parts = []
    for metric, table in tables.items():
        labels, pairs = context.contestants(table.contestants), compared_pairs(table)
        unit = 100.0 if context.in_percent(metric) else 1.0
        means = table.values.mean() * unit
        shown = pairs.assign(
            metric=metric,
            counted=counted,
            first_label=pairs["first"].map(labels),
            second_label=pairs["second"].map(labels),
            first_value=pairs["first"].map(means),
            second_value=pairs["second"].map(means),
            gain=pairs["gain"] * unit,
            told_apart=(pairs["p_holm"] <= ALPHA) & may_differ(table),
            n_datasets=table.n_datasets,
            over=table.over,
            metric_axis=context.metric_axis(metric),
            claim=claim(table, labels=labels, against=_taking_part(table, context)),
            left_out=_left_out(table),
        )
        parts.append(shown[list(COMPARISON_COLUMNS)])
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(COMPARISON_COLUMNS))


def win_points(tables: Mapping[str, Standings], context: Context) -> pd.DataFrame:
    """One row per metric and ordered pair, columns WIN_COLUMNS, the best mean rank first.

    share : on what share of corpora the first is ahead of the second, in percent; a tie is half.
    """
    rows = []
    for metric, table in tables.items():
        labels, shares = context.contestants(table.contestants), win_rates(table)
        text = (table.n_datasets, table.over, context.metric_axis(metric))
        rows += [
            (metric, item, other, labels[item], labels[other], 100 * float(shares.loc[item, other]), *text)
            for item in shares.index
            for other in shares.columns
            if item != other
        ]
    return pd.DataFrame(rows, columns=list(WIN_COLUMNS))
