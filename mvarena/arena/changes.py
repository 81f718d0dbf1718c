"""Changes from one release to another: who is new or gone, whose scores differ, who moved."""

from __future__ import annotations

import pandas as pd

from mvarena.analysis.comparison import BETTER, WORSE, over_corpora, sides_of_two, two_sides
from mvarena.arena.board import MAIN, Board
from mvarena.errors import InvalidData
from mvarena.text import listed, plural

CHANGE_COLUMNS = ("contestant", "place_before", "place_after", "gain", "low", "high", "better", "worse", "points")
_MOST_NAMED = 8
LEAST_GAIN = 0.1  # points of the first metric that are told


def changes(before: Board, after: Board) -> pd.DataFrame:
    """One row per method of either board, columns CHANGE_COLUMNS, by the place in the later one.

    place_before, place_after : <NA> for who is gone or new. gain, low, high : of the first metric in points, over
    corpora, where both releases finished the same repeat, with its 95 % t-interval. better, worse : of how many of the
    points (data sets under a condition) that is clear, repeat by repeat.
    """
    places = [dict(zip(board.table["contestant"], board.table["place"], strict=True)) for board in (before, after)]
    sides = _sides(before, after)
    rows = []
    for name in sorted({*places[0], *places[1]}, key=lambda item: (places[1].get(item, len(places[1]) + 1), item)):
        own = sides[sides["subject"] == name]
        gain = over_corpora(own) if len(own) else None
        verdicts = own["verdict"].value_counts()
        numbers = (float("nan"),) * 3 if gain is None else tuple(100 * x for x in (gain.gain, gain.low, gain.high))
        counts = (int(verdicts.get(BETTER, 0)), int(verdicts.get(WORSE, 0)), len(own))
        rows.append((name, places[0].get(name), places[1].get(name), *numbers, *counts))
    frame = pd.DataFrame(rows, columns=list(CHANGE_COLUMNS))
    return frame.astype({"place_before": "Int64", "place_after": "Int64"})


def _sides(before: Board, after: Board) -> pd.DataFrame:
    directions = {MAIN: before.data.context.directions.get(MAIN, True)}
    frames = [
        board.data.scores[board.data.scores["algorithm"].isin(board.competing["algorithm"].unique())]
        for board in (before, after)
    ]
    try:
        first, second = sides_of_two(frames[0], frames[1], after.data.context.defaults)
        return two_sides(first, second, MAIN, higher_is_better=directions[MAIN])
    except InvalidData:  # nothing in common: everybody is new
        return pd.DataFrame(columns=["subject", "verdict", "gain", "corpus", "dataset"])


def changes_part(before: Board, after: Board, name: str) -> str:
    """The part of a page on what changed since the release `name`."""
    table = changes(before, after)
    new = table.loc[table["place_before"].isna(), "contestant"]
    gone = table.loc[table["place_after"].isna(), "contestant"]
    both = table.dropna(subset=["place_before", "place_after"])
    moved = both[both["place_before"] != both["place_after"]]
    other = both[both["gain"].abs() >= LEAST_GAIN]
    each = [
        f"{row.contestant} {row.gain:+.1f} (place {row.place_before} to {row.place_after})"
        for row in other.reindex(other["gain"].abs().sort_values(ascending=False, kind="stable").index).itertuples()
    ]
    sentences = [
        f"New: {listed(new, most=_MOST_NAMED)}." if len(new) else "No method is new.",
        f"Gone: {listed(gone, most=_MOST_NAMED)}." if len(gone) else "",
        f"Of {plural(len(both), 'method')} in both {len(moved)} {'is' if len(moved) == 1 else 'are'} at another place.",
        f"Mean NMI differs by {LEAST_GAIN:g} points or more, where both finished the same repeat, for "
        f"{listed(each, most=_MOST_NAMED)}."
        if each
        else f"No method's mean NMI differs by {LEAST_GAIN:g} points or more where both finished the same repeat.",
    ]
    return "\n\n".join([f"## What changed since {name}", " ".join(filter(None, sentences))])
