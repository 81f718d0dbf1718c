"""Methods against methods over data sets, as tables: the share of wins, and the first against each other in tests."""

from __future__ import annotations

import math
from collections.abc import Mapping

from mvarena.analysis.claims import claim
from mvarena.analysis.significance import (
    LEAST_FOR_LIKELIHOODS,
    compared_pairs,
    compared_with,
    practical_difference,
    win_rates,
)
from mvarena.analysis.standings import Standings
from mvarena.report.context import Context
from mvarena.report.tables.model import Cell, Column, Row, Table, number_cell

_N_TESTS = 6  # columns before the likelihoods


def win_tables(tables: Mapping[str, Standings], context: Context) -> list[Table]:
    """Methods by methods: on what share of corpora the row is ahead of the column. One table per metric."""
    return [_wins(table, context) for table in tables.values()]


def against_first_tables(tables: Mapping[str, Standings], context: Context) -> list[Table]:
    """Each method against one: gain, wins, Wilcoxon's test, and the Bayesian signed-rank test.

    The one is `context.against`, where it takes part, else the first by mean rank.
    """
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
        metric=metric,
        title=f"{context.metric(metric)}: wins over {standings.over}",
        heading="against",
        columns=columns,
        rows=rows,
        measured=f"Percentage of {standings.over} on which the row is ahead of the column; a tie counts as half a win",
        setting="Methods that did not finish are ranked last.",
        notes=standings.left_out,
    )


def _share(value: float) -> Cell:
    return number_cell(f"{100 * value:.0f}", value)


def _against_first(standings: Standings, context: Context) -> Table:
    metric = standings.metric
    labels = context.contestants(standings.contestants)
    chosen = context.against if context.against in standings.contestants else None
    first = chosen or standings.contestants[0]
    unit, rope = 100.0 if context.in_percent(metric) else 1.0, context.margin(metric)
    point = " by over 1 point" if rope else ""
    heads = {"gain": "gain of the first", "wins": "wins", "ties": "ties", "losses": "losses", "p": "p",
             "p_holm": "p, Holm", "better": f"P(first better{point})"}  # fmt: skip
    heads |= {"equivalent": "P(within 1 point)"} if rope else {}
    heads |= {"worse": f"P(first worse{point})"}
    pairs = compared_with(standings, first) if chosen else compared_pairs(standings)
    likelihoods = standings.n_corpora >= LEAST_FOR_LIKELIHOODS
    heads = heads if likelihoods else {name: heads[name] for name in list(heads)[:_N_TESTS]}
    columns = tuple(Column(head, name, math.nan) for name, head in heads.items())
    rows = []
    for pair in pairs[pairs["first"] == first].to_dict("records"):
        gains = standings.gains(first, pair["second"])
        likely = practical_difference(gains, rope)._asdict() if likelihoods else {}
        cells = tuple(_number(name, float((pair | likely)[name]), unit) for name in heads)
        rows.append(Row(pair["second"], labels[pair["second"]], False, cells))
    return Table(
        kind="against-first",
        head="against",
        metric=metric,
        title=f"{context.metric(metric)}: {labels[first]}{'' if chosen else ', first by mean rank,'} against each "
        f"other, {standings.over}",
        columns=columns,
        rows=tuple(rows),
        measured=f"Gains{' in percentage points' if rope else ''} and tests over {standings.over}",
        setting="Gain, wins and p are computed from the means on each corpus. p of Wilcoxon's signed-rank test, "
        f"alone and after Holm's correction over {'these tests' if chosen else 'all pairs'}; P: of the Bayesian "
        f"signed-rank test{'' if likelihoods else f', from {LEAST_FOR_LIKELIHOODS} corpora'}. "
        f"{claim(standings, labels=labels, against=chosen)}",
        notes=standings.left_out,
    )


def _number(name: str, value: float, unit: float) -> Cell:
    if name == "gain":
        return number_cell(f"{value * unit:+.2f}" if unit > 1 else f"{value:+.4g}", value)
    least = "< 0.001" if value > 0 else "0"
    text = f"{value:.0f}" if name in ("wins", "ties", "losses") else f"{value:.3f}" if value >= 0.001 else least
    return number_cell(text, value)
