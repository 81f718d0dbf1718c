"""What critical-difference diagrams, comparison matrices and ratings show: contestants over data sets by a metric."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from mvarena.analysis.claims import claim
from mvarena.analysis.pairs import compared_pairs
from mvarena.analysis.rankings import cliques
from mvarena.analysis.ratings import ratings
from mvarena.analysis.standings import Standings, standings
from mvarena.errors import InvalidData
from mvarena.report.context import Context

STANDING_COLUMNS = (
    "metric", "contestant", "label", "mean_rank", "rating", "low", "high", "cliques", "unfinished", "n_conditions",
    "n_datasets", "metric_axis", "claim",
)  # fmt: skip
COMPARISON_COLUMNS = (
    "metric", "first", "second", "first_label", "second_label", "first_value", "second_value", "gain", "wins", "ties",
    "losses", "p", "p_holm", "n_datasets", "metric_axis", "claim",
)  # fmt: skip


def standings_of(summary: pd.DataFrame, context: Context) -> dict[str, Standings]:
    """Metric -> the standings of all that ground truth did not pick, where there are two or more on two data sets."""
    found = {}
    for metric, rows in summary[~summary["label_picked"].astype(bool)].groupby("metric", sort=False):
        try:
            table = standings(rows, str(metric), higher_is_better=context.directions.get(str(metric), True))
        except InvalidData:  # nothing that can be compared: the kinds that need it say so
            continue
        if table.n_datasets > 1:
            found[str(metric)] = table
    return found


def standing_points(tables: Mapping[str, Standings], context: Context) -> pd.DataFrame:
    """One row per metric and contestant, columns STANDING_COLUMNS, the best mean rank first.

    cliques : the numbers of the groups that the contestant belongs to, in which Wilcoxon's test with Holm's correction
        tells no two apart, '' for none. rating, low, high : `mvarena.analysis.ratings.ratings`. claim : what may be
        claimed, in one sentence.
    """
    rows = []
    for metric, table in tables.items():
        labels = context.contestants(table.contestants)
        groups, rated = cliques(table), ratings(table)
        for name, mean_rank in table.mean_ranks.items():
            member = " ".join(str(number) for number, group in enumerate(groups) if name in group)
            row = (metric, name, labels[str(name)], mean_rank, *rated.loc[name], member, table.unfinished[str(name)])
            shared = (sum(table.n_conditions.values()), table.n_datasets, context.metric_axis(metric), claim(table))
            rows.append((*row, *shared))
    return pd.DataFrame(rows, columns=list(STANDING_COLUMNS))


def comparison_points(tables: Mapping[str, Standings], context: Context) -> pd.DataFrame:
    """One row per metric and pair, columns COMPARISON_COLUMNS (`mvarena.analysis.pairs.compared_pairs`).

    first_value, second_value : means over data sets. These and gain are in percent where the metric is shown so.
    """
    parts = []
    for metric, table in tables.items():
        labels, pairs = context.contestants(table.contestants), compared_pairs(table)
        unit = 100.0 if context.in_percent(metric) else 1.0
        means = table.values.mean() * unit
        shown = pairs.assign(
            metric=metric,
            first_label=pairs["first"].map(labels),
            second_label=pairs["second"].map(labels),
            first_value=pairs["first"].map(means),
            second_value=pairs["second"].map(means),
            gain=pairs["gain"] * unit,
            n_datasets=table.n_datasets,
            metric_axis=context.metric_axis(metric),
            claim=claim(table),
        )
        parts.append(shown[list(COMPARISON_COLUMNS)])
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(COMPARISON_COLUMNS))
