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

_FILE = Path(__file__).with_name("published.toml")
PUBLISHED_COLUMNS = ("method", "metric", "paper", "here", "std")


@dataclass(frozen=True, slots=True)
class Published:
    """Scores of one table under one condition.

    alike, differs : what the paper's conditions share with those of the arena, and what not.
    explained : where differences of the scores come from.
    scores : method -> metric -> score in percent.
    """

    source: str
    data: str
    corruption: str
    rate: float
    alike: str
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


def published_part(board: Board) -> Iterator[str]:
    """The part of a release's page, in Markdown; nothing where no published score fits what was run."""
    tables = [(one, rows) for one in published() if len(rows := one.beside(board))]
    if not tables:
        return
    yield "## Beside published tables"
    for one, rows in tables:
        yield f"{one.source}. Here: {one.data}, {one.corruption} {one.rate:g}. {one.alike} {one.differs}"
        yield _table(rows, board)
        off = (rows["here"] - rows["paper"]).groupby(rows["metric"], sort=False).agg(["min", "max"])
        said = ", ".join(f"{name.upper()} {low:+.1f} to {high:+.1f}" for name, low, high in off.itertuples())
        yield f"Here less the paper, in points: {said}. {one.explained}"


def _table(rows: pd.DataFrame, board: Board) -> str:
    metrics = list(dict.fromkeys(rows["metric"]))
    lines = [
        f"| method | {' | '.join(f'{name.upper()}, paper | here' for name in metrics)} |",
        f"|---|{'--:|' * (2 * len(metrics))}",
    ]
    for method, part in rows.groupby("method", sort=False):
        cells = [f"{row.paper:.1f} | {_with_deviation(row.here, row.std)}" for row in part.itertuples()]
        lines.append(f"| {board.labels.get(str(method), method)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _with_deviation(mean: float, std: float) -> str:
    return f"{mean:.1f}" if std != std else f"{mean:.1f} ± {std:.1f}"
