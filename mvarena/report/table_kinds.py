"""The kinds of tables: what each shows and what it needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mvarena.report.cost_tables import cost_tables, failure_tables
from mvarena.report.kinds import Kind, kinds_named
from mvarena.report.pair_tables import against_first_tables, win_tables
from mvarena.report.rank_tables import rank_tables
from mvarena.report.rating_tables import rating_tables
from mvarena.report.regret_tables import regret_tables
from mvarena.report.score_tables import aggregated_tables
from mvarena.report.tables import Table
from mvarena.report.tabulation import tabulate_datasets

if TYPE_CHECKING:
    from mvarena.report.results import Results


@dataclass(frozen=True, kw_only=True)
class TableKind(Kind):
    """One kind of table. tables : none where there is nothing to show."""

    tables: Callable[[Results], list[Table]]


def _cost(kind: str, summary: str) -> TableKind:
    return TableKind(
        name=kind,
        summary=f"{summary}, methods by data sets",
        needs="a finished trial" if kind != "iterations" else "a finished trial of a method that iterates",
        tables=lambda results: cost_tables(kind, results.values, results.fits, results.context),
    )


_STANDINGS = "two methods or more with the same metric on the same two data sets or more, under the same conditions"

KINDS = (
    TableKind(
        name="conditions",
        summary="methods by rates, a table per data set, corruption and metric",
        needs="a trial",
        tables=lambda results: results.tables,
    ),
    TableKind(
        name="datasets",
        summary="methods by data sets, a table per corruption, rate and metric",
        needs="two data sets or more at one corruption and rate",
        tables=lambda results: tabulate_datasets(results.summary, results.context, results.level),
    ),
    TableKind(
        name="aggregated",
        summary="methods by data sets, the mean over all rates as in Table 1 of EE-IMVC",
        needs="results at two rates or more",
        tables=lambda results: aggregated_tables(
            results.over_rates, results.summary, results.context, results.level_over_rates
        ),
    ),
    TableKind(
        name="ranks",
        summary="mean ranks over data sets",
        needs="two methods or more that are stored on the same two data sets or more, under one corruption",
        tables=lambda results: rank_tables(results.summary, results.context),
    ),
    TableKind(
        name="ratings",
        summary="Elo-style ratings over data sets with intervals, and what may be claimed",
        needs=_STANDINGS,
        tables=lambda results: rating_tables(results.standings, results.finished_standings, results.context),
    ),
    TableKind(
        name="wins",
        summary="on what share of data sets each method is ahead of each other",
        needs=_STANDINGS,
        tables=lambda results: win_tables(results.standings, results.context),
    ),
    TableKind(
        name="against-first",
        summary="the first by mean rank against each other: gain, wins, p-values, practical equivalence",
        needs=_STANDINGS,
        tables=lambda results: against_first_tables(results.standings, results.context),
    ),
    _cost("time", "seconds to fit"),
    _cost("memory", "peak memory"),
    _cost("iterations", "iterations"),
    TableKind(
        name="failures",
        summary="trials that did not finish and why, methods by data sets",
        needs="a trial that did not finish, and all have",
        tables=lambda results: failure_tables(results.values, results.context),
    ),
    TableKind(
        name="regret",
        summary="what each way to choose without labels loses (mvarena pick)",
        needs="a method with several values of a parameter on one data set that has classes",
        tables=lambda results: regret_tables(results.picks, results.context),
    ),
)


def table_kinds(names: Sequence[str]) -> list[TableKind]:
    """The kinds of these names, in order. Raises UnknownName for any other."""
    return kinds_named("table", KINDS, names)
