"""Ratings over data sets as tables, with the sentence that says what may be claimed."""

from __future__ import annotations

import math
from collections.abc import Mapping

from mvarena.analysis.standings import Standings
from mvarena.report.context import Context
from mvarena.report.points.standings import standing_points
from mvarena.report.tables import Cell, Column, Row, Table
from mvarena.report.tabulation import ranked_rows
from mvarena.report.wording import listed

_HEADS = (("rating", "rating"), ("low", "95 % low"), ("high", "95 % high"), ("mean_rank", "mean rank"))


def rating_tables(tables: Mapping[str, Standings], context: Context) -> list[Table]:
    """One table per metric that has two contestants or more on two data sets or more."""
    points = standing_points(tables, context)
    columns = tuple(Column(head, name, math.nan) for name, head in _HEADS)
    found = []
    for metric, part in points.groupby("metric", sort=False):
        n_sets = int(part["n_datasets"].iloc[0])
        rows = [
            Row(str(row["contestant"]), str(row["label"]), False, tuple(_cell(float(row[name])) for name, _ in _HEADS))
            for row in part.sort_values("rating", ascending=False, kind="stable").to_dict("records")
        ]
        last = [f"{row.label} ({row.unfinished})" for row in part.itertuples() if row.unfinished]
        notes = [f"Ranked last where unfinished (under how many conditions): {listed(last)}."] if last else []
        table = Table(
            kind="ratings",
            dataset="",
            corruption="",
            metric=str(metric),
            title=f"{context.metric(str(metric))}: ratings over {n_sets} data sets",
            heading="",
            columns=columns,
            rows=ranked_rows(rows, columns, {"rating": True, "mean_rank": False}),
            measured=f"Elo-style ratings of {len(rows)} methods with 95 % intervals over {n_sets} data sets",
            setting="On each data set the better rank wins, each data set counts once; a lead of 400 points is odds of "
            f"ten to one, the mean is 1000. {part['claim'].iloc[0]}",
            notes=(*notes, *tables[str(metric)].left_out),
        )
        found.append(table)
    return found


def _cell(value: float) -> Cell:
    return Cell(text=f"{value:.0f}" if value > 100 else f"{value:.2f}", mean=value, status="DONE", counts={})
