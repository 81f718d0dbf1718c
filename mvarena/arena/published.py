"""Published scores beside those of a release, where data, mask and method fit its conditions."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd

from mvarena.arena.board import Board
from mvarena.arena.suites import METRICS
from mvarena.text import plural

_FILE = Path(__file__).with_name("published.toml")
PUBLISHED_COLUMNS = ("method", "metric", "paper", "here", "std")
FILE = "published.csv"
FILE_COLUMNS = ("source", "dataset", "corruption", "rate", *PUBLISHED_COLUMNS)


@dataclass(frozen=True, slots=True)
class Published:
    """Scores of one table under one condition.

    source : the paper and its table. where : the same in short.
    differs : in what the paper's conditions are not those of the arena. explained : where differences come from.
    scores : method -> metric -> score in percent.
    """

    source: str
    where: str
    data: str
    corruption: str
    rate: float
    differs: str
    explained: str
    scores: dict[str, dict[str, float]]

    def beside(self, board: Board) -> pd.DataFrame:
        """One row per method and metric that the board has, columns PUBLISHED_COLUMNS, in percent.

        here, std : mean and standard deviation over the repeats of the release; std is NaN where there is one repeat.
        """
        rows = board.competing
        rows = rows[(rows["dataset"] == self.data) & (rows["corruption"] == self.corruption)]
        rows = rows[
            (rows["rate"].fillna(0.0) == self.rate) & (rows["contestant"] == rows["algorithm"]) & rows["mean"].notna()
        ]
        here = rows.set_index(["algorithm", "metric"])[["mean", "std"]]
        table = [
            (method, metric, values[metric], *(100 * here.loc[(method, metric)]))
            for method, values in self.scores.items()
            for metric in METRICS
            if metric in values and (method, metric) in here.index
        ]
        return pd.DataFrame(table, columns=list(PUBLISHED_COLUMNS))


@cache
def published() -> tuple[Published, ...]:
    """The tables of published.toml."""
    return tuple(Published(**table) for table in tomllib.loads(_FILE.read_text(encoding="utf-8"))["table"])


def published_table(board: Board) -> pd.DataFrame:
    """All published scores that fit what was run, with where they are from; columns FILE_COLUMNS."""
    tables = [
        one.beside(board).assign(source=one.source, dataset=one.data, corruption=one.corruption, rate=one.rate)
        for one in published()
    ]
    table = pd.concat(tables, ignore_index=True)[list(FILE_COLUMNS)]
    return table.astype(dict.fromkeys(("rate", "paper", "here", "std"), float))


def published_part(board: Board) -> Iterator[str]:
    """The part of a release's page, in Markdown; nothing where no published score fits what was run."""
    tables = [(one, rows) for one in published() if len(rows := one.beside(board))]
    if not tables:
        return
    yield "**Beside published tables**"
    yield f"Scores here less those of papers, in points, for the same data and methods. Each score: [{FILE}]({FILE})."
    yield "\n".join(
        f"- **{one.where}**, {one.data} {_condition(one)}: {_differences(rows)}. {one.differs} {one.explained}"
        for one, rows in tables
    )


def _condition(one: Published) -> str:
    return "unchanged" if one.corruption == "none" else f"under {one.corruption} {one.rate:g}"


def _differences(rows: pd.DataFrame) -> str:
    """Of each metric the smallest and the largest difference, each with its method."""
    parts = []
    for metric, part in rows.groupby("metric", sort=False):
        off = (part["here"] - part["paper"]).set_axis(part["method"]).sort_values(kind="stable")
        ends = dict.fromkeys(f"{off[name]:+.1f} ({name})" for name in (off.index[0], off.index[-1]))
        parts.append(f"{str(metric).upper()} {' to '.join(ends)}")
    return f"{plural(rows['method'].nunique(), 'method')}, {', '.join(parts)}"
