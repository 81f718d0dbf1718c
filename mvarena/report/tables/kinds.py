"""The kinds of tables, what each shows and needs; and what kinds of tables and of figures share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from mvarena.errors import MvarenaError, unknown_name
from mvarena.report.tables.costs import cost_tables, failure_tables
from mvarena.report.tables.model import Table
from mvarena.report.tables.pairs import against_first_tables, win_tables
from mvarena.report.tables.paper import paper_tables
from mvarena.report.tables.preparations import preparation_tables
from mvarena.report.tables.ranks import rank_tables, rating_tables
from mvarena.report.tables.regret import regret_tables
from mvarena.report.tables.scores import aggregated_tables, tabulate_datasets

if TYPE_CHECKING:
    from mvarena.report.data import ReportData


# What kinds of tables and kinds of figures share: found by their names, with one sentence where one shows nothing.


@dataclass(frozen=True, kw_only=True)
class Kind:
    """name, and in words what it shows. needs : what must be stored for it, as the sentence says that refuses it."""

    name: str
    summary: str
    needs: str


OneKind = TypeVar("OneKind", bound=Kind)


def kinds_named(what: str, known: Iterable[OneKind], names: Sequence[str]) -> list[OneKind]:
    """Subset of `known` with these names, in order, each once. what : 'table', 'figure'.

    Raises UnknownName for any other.
    """
    by_name = {kind.name: kind for kind in known}
    for name in names:
        if name not in by_name:
            raise unknown_name(f"kind of {what}", name, by_name, f"There are {', '.join(by_name)}.")
    return [by_name[name] for name in dict.fromkeys(names)]


def nothing_to_show(what: str, kind: Kind) -> MvarenaError:
    """The error for a kind of table or figure that was asked for and has nothing to show."""
    return MvarenaError(
        f"there is nothing to show in the {what} '{kind.name}'; it needs {kind.needs}.", field=what, value=kind.name
    )


@dataclass(frozen=True, kw_only=True)
class TableKind(Kind):
    """One kind of table. tables : none where there is nothing to show."""

    tables: Callable[[ReportData], list[Table]]


def _cost(kind: str, summary: str) -> TableKind:
    return TableKind(
        name=kind,
        summary=f"{summary}, methods by data sets",
        needs="a finished trial" if kind != "iterations" else "a finished trial of a method that iterates",
        tables=lambda results: cost_tables(kind, results.values, results.fits, results.context),
    )


PREPARATIONS = "two methods or more under two scalings or fillings or more, on the same data"
_STANDINGS = "two methods or more with the same metric on the same two data sets or more, under the same conditions"

KINDS = (
    TableKind(
        name="overview",
        summary="methods by data sets at the condition with the most results, with mean ranks",
        needs="a trial",
        tables=lambda results: results.overviews,
    ),
    TableKind(
        name="paper",
        summary="methods by data sets and rates, all metrics side by side, mean ranks last, for a paper",
        needs="a trial",
        tables=lambda results: paper_tables(results.summary, results.standings, results.context, results.worse),
    ),
    TableKind(
        name="quality",
        summary="data sets and methods: what is missing, failed, collapsed, or not above a control",
        needs="a trial",
        tables=lambda results: results.quality,
    ),
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
        tables=lambda results: tabulate_datasets(results.summary, results.context, results.worse),
    ),
    TableKind(
        name="aggregated",
        summary="methods by data sets, the mean over all rates as in Table 1 of EE-IMVC",
        needs="results at two rates or more",
        tables=lambda results: aggregated_tables(
            results.over_rates, results.summary, results.context, results.worse_over_rates
        ),
    ),
    TableKind(
        name="preparations",
        summary="methods by scalings and fillings, over the conditions common to all",
        needs=PREPARATIONS,
        tables=lambda results: preparation_tables(results.preparations, results.context),
    ),
    TableKind(
        name="ranks",
        summary="mean ranks over data sets",
        needs="two methods or more with results on the same two data sets or more, under one corruption",
        tables=lambda results: rank_tables(results.summary, results.context),
    ),
    TableKind(
        name="ratings",
        summary="Elo-style ratings over data sets with intervals, and what can be claimed",
        needs=_STANDINGS,
        tables=lambda results: rating_tables(results.standings, results.finished_standings, results.context),
    ),
    TableKind(
        name="wins",
        summary="share of data sets on which each method is ahead of each other",
        needs=_STANDINGS,
        tables=lambda results: win_tables(results.standings, results.context),
    ),
    TableKind(
        name="against-first",
        summary="the first by mean rank against each other: gain, wins, p-values, practical equivalence",
        needs=_STANDINGS,
        tables=lambda results: against_first_tables(results.standings, results.context),
    ),
    _cost("time", "seconds per trial"),
    _cost("memory", "peak memory"),
    _cost("iterations", "iterations"),
    TableKind(
        name="failures",
        summary="trials that did not finish and why, methods by data sets",
        needs="at least one trial that did not finish",
        tables=lambda results: failure_tables(results.values, results.context),
    ),
    TableKind(
        name="regret",
        summary="what each picker loses (mvarena pick)",
        needs="a method with several values of a parameter on one data set that has classes",
        tables=lambda results: regret_tables(results.picks, results.context),
    ),
)


def table_kinds(names: Sequence[str]) -> list[TableKind]:
    """The kinds of these names, in order. Raises UnknownName for any other."""
    return kinds_named("table", KINDS, names)
