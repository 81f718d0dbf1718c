"""Methods against methods over data sets, as tables: the share of wins, and the first against each other in tests."""

from __future__ import annotations

import math
from collections.abc import Mapping

from mvarena.analysis.claims import claim
from mvarena.analysis.significance import compared_pairs, practical_difference, win_rates
from mvarena.analysis.standings import Standings
from mvarena.report.context import Context
from mvarena.report.formatting import NOT_RUN
from mvarena.report.tables.model import Cell, Column, Row, Table

ROPE = 0.01  # half the width of the region of practical equivalence, of metrics up to 1: one point


def win_tables(tables: Mapping[str, Standings], context: Context) -> list[Table]:
    """Methods by methods: on what share of data sets the row is ahead of the column. One table per metric."""
    return [_wins(table, context) for table in tables.values()]


def against_first_tables(tables: Mapping[str, Standings], context: Context) -> list[Table]:
    """Each method against the first by mean rank: gain, wins, Wilcoxon's test, and the Bayesian signed-rank test."""
    return [_against_first(table, context) for table in tables.values()]


def _wins(standings: Standings, context: Context) -> Table:
    shares, metric = win_rates(standings), standings.metric
    labels = context.contestants(standings.contestants)
    columns = tuple(Column(labels[name], f"wins over {name}", math.nan) for name in standings.contestants)
    rows = tuple(
        Row(
            name,
            labels[name],
            False,
            tuple(_share(float(shares.loc[name, contestant])) for contestant in standings.contestants),
        )
        for name in standings.contestants
    )
    return Table(
        kind="wins",
        dataset="",
        corruption="",
        metric=metric,
        title=f"{context.metric(metric)}: wins over {standings.n_datasets} data sets",
        heading="against",
        columns=columns,
        rows=rows,
        measured=f"On what share of {standings.n_datasets} data sets, in percent, the row is ahead of the column; "
        "a tie is half a win",
        setting="Who did not finish is ranked last.",
        notes=standings.left_out,
    )


def _share(value: float) -> Cell:
    if math.isnan(value):
        return Cell(text=NOT_RUN, counts={})
    return Cell(text=f"{100 * value:.0f}", mean=value, status="DONE", counts={})


def _against_first(standings: Standings, context: Context) -> Table:
    metric, n_sets = standings.metric, standings.n_datasets
    labels = context.contestants(standings.contestants)
    first = standings.contestants[0]
    unit, rope = (100.0, ROPE) if context.in_percent(metric) else (1.0, 0.0)
    point = " by over 1 point" if rope else ""
    heads = {"gain": "gain of the first", "wins": "wins", "ties": "ties", "losses": "losses", "p": "p",
             "p_holm": "p, Holm", "better": f"P(first better{point})"}  # fmt: skip
    heads |= {"equivalent": "P(within 1 point)"} if rope else {}
    heads |= {"worse": f"P(first worse{point})"}
    columns = tuple(Column(head, name, math.nan) for name, head in heads.items())
    pairs = compared_pairs(standings)
    rows = []
    for pair in pairs[pairs["first"] == first].to_dict("records"):
        likely = practical_difference(standings.gains(first, pair["second"]), rope)._asdict()
        cells = tuple(_number(name, float((pair | likely)[name]), unit) for name in heads)
        rows.append(Row(pair["second"], labels[pair["second"]], False, cells))
    return Table(
        kind="against-first",
        head="against",
        dataset="",
        corruption="",
        metric=metric,
        title=f"{context.metric(metric)}: {labels[first]}, first by mean rank, against each other, {n_sets} data sets",
        heading="",
        columns=columns,
        rows=tuple(rows),
        measured=f"Gains{' in percentage points' if rope else ''} and tests over {n_sets} data sets",
        setting="p of Wilcoxon's signed-rank test, alone and after Holm's correction over all pairs; P: of the "
        f"Bayesian signed-rank test. {claim(standings, labels=labels)}",
        notes=standings.left_out,
    )


def _number(name: str, value: float, unit: float) -> Cell:
    if name == "gain":
        return Cell(text=f"{value * unit:+.2f}" if unit > 1 else f"{value:+.4g}", mean=value, status="DONE", counts={})
    text = f"{value:.0f}" if name in ("wins", "ties", "losses") else f"{value:.3f}" if value >= 0.001 else _least(value)
    return Cell(text=text, mean=value, status="DONE", counts={})


def _least(value: float) -> str:
    return "< 0.001" if value > 0 else "0"
