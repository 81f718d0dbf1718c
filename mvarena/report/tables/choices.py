"""Tables of choices: what each picker picks among the results on data without classes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import pandas as pd

from mvarena.report.context import Context
from mvarena.report.tables.model import NO_NUMBER, Cell, Column, Row, Table
from mvarena.report.tables.regret import left_out_notes

_POINT = ["corruption", "rate", "seed", "repeat"]
_ANY = "any"
_MOST = 2  # different choices that a cell names
_MOST_TIED = 3  # candidates that are named as one choice


def choice_tables(picks: pd.DataFrame, context: Context) -> list[Table]:
    """For each data set without classes, pickers down and algorithms across.

    picks : what `mvarena.analysis.picking.picked` returns.
    """
    rows = picks[~picks["labelled"].astype(bool)].drop_duplicates(["dataset", "algorithm", *_POINT, "picker"])
    return [_table(str(dataset), part, context) for dataset, part in rows.groupby("dataset", sort=False)]


def _table(dataset: str, rows: pd.DataFrame, context: Context) -> Table:
    algorithms = list(dict.fromkeys(rows["algorithm"]))
    lines = []
    for picker in dict.fromkeys(rows["picker"]):
        own = rows[rows["picker"] == picker]
        cells = tuple(_cell(own[own["algorithm"] == name]) for name in algorithms)
        lines.append(Row(str(picker), str(picker), False, cells))
    points = int(rows.drop_duplicates(_POINT).shape[0])
    several = f"; a/b: in a of {points} conditions and repeats" if points > 1 else ""
    return Table(
        kind="choices",
        head="picker",
        dataset=dataset,
        title=f"Chosen on {context.dataset(dataset)}",
        heading="method",
        columns=tuple(Column(context.contestant(name), name, math.nan, dataset) for name in algorithms),
        rows=tuple(lines),
        measured=f"The candidate that each picker chooses{several}; {_ANY}: it tells no candidates apart",
        setting="",
        notes=tuple(left_out_notes(rows)),
    )


def _cell(rows: pd.DataFrame) -> Cell:
    seen = rows["n_candidates"] - rows["n_left_out"]
    choices = Counter(filter(None, map(_words, rows["choice"], rows["keys"], seen)))
    if not choices:
        return NO_NUMBER
    total = len(rows)
    texts = [f"{choice} ({count}/{total})" if count < total else choice for choice, count in choices.most_common(_MOST)]
    more = ", ..." if len(choices) > _MOST else ""
    return Cell(text=f"{', '.join(texts)}{more}")


def _words(choice: str, keys: Sequence[str], seen: int) -> str:
    """The choice as a cell names it: of many candidates that tie, how many they are."""
    if len(keys) > 1 and len(keys) == seen:
        return _ANY
    return choice if len(keys) <= _MOST_TIED else f"{len(keys)} of {seen}"
