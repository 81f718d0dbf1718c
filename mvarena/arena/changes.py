"""Changes from one release to another: who is new or gone, whose scores differ, who moved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from mvarena.analysis.comparison import BETTER, WORSE, over_corpora, sides_of_two, two_sides
from mvarena.arena.board import MAIN, SuiteBoard
from mvarena.errors import InvalidData
from mvarena.text import listed, plural

CHANGE_COLUMNS = (
    "contestant", "place_before", "place_after", "gain", "low", "high", "better", "worse", "points", "cause",
)  # fmt: skip
LARGE_MOVE = 5  # places: a larger move has a cause
_MOST_NAMED = 8
LEAST_GAIN = 0.1  # points of the first metric that are told


def changes(before: SuiteBoard, after: SuiteBoard) -> pd.DataFrame:
    """One row per method of either board, columns CHANGE_COLUMNS, by the place in the later one.

    place_before, place_after : <NA> for who is gone or new. gain, low, high : of the first metric in points, over
    corpora, where both releases finished the same repeat, with its 95 % t-interval. better, worse : of how many of the
    points (data sets under a condition) that is clear, repeat by repeat. cause : of a move of more than LARGE_MOVE
    places, in words: other defaults, a new version or preparation, more or fewer finished conditions, other scores on
    the same repeats, or the data and methods that only one of the releases has.
    A method is the same one whatever its defaults were in a release.
    """
    defaults = [_defaults(board) for board in (before, after)]
    before, after = (replace(board, scores=board.scores.assign(params="{}")) for board in (before, after))
    shared = _places_among_shared(before, after)
    places = [dict(zip(board.table["contestant"], board.table["place"], strict=True)) for board in (before, after)]
    sides = _sides(before, after)
    rows = []
    for name in sorted({*places[0], *places[1]}, key=lambda item: (places[1].get(item, len(places[1]) + 1), item)):
        own = sides[sides["subject"] == name]
        gain = over_corpora(own) if len(own) else None
        verdicts = own["verdict"].value_counts()
        nothing = float("nan")
        numbers = (nothing,) * 3 if gain is None else (100 * gain.gain, 100 * gain.low, 100 * gain.high)
        counts = (int(verdicts.get(BETTER, 0)), int(verdicts.get(WORSE, 0)), len(own))
        old, new = places[0].get(name), places[1].get(name)
        large = old is not None and new is not None and abs(old - new) > LARGE_MOVE
        causes = [*_other_defaults(name, *defaults), *_causes(name, before, after, numbers, shared)] if large else []
        cause = "; ".join(causes) or ("small changes of many scores" if large else "")
        rows.append((name, old, new, *numbers, *counts, cause))
    frame = pd.DataFrame(rows, columns=list(CHANGE_COLUMNS))
    return frame.astype({"place_before": "Int64", "place_after": "Int64"})


def _defaults(board: SuiteBoard) -> dict[str, dict[str, object]]:
    """Algorithm -> the values of its parameters that were its defaults and are so no longer."""
    known = board.scores.drop_duplicates("algorithm")
    return {name: json.loads(params) for name, params in zip(known["algorithm"], known["params"], strict=True)}


def _other_defaults(
    name: str, before: Mapping[str, dict[str, object]], after: Mapping[str, dict[str, object]]
) -> list[str]:
    old, new = (found.get(name.partition(" ")[0], {}) for found in (before, after))
    return [f"{key}={value} is no longer the default" for key, value in old.items() if new.get(key) != value]


def _causes(
    name: str,
    before: SuiteBoard,
    after: SuiteBoard,
    gain: tuple[float, float, float],
    shared: tuple[dict[str, int], ...],
) -> list[str]:
    """Reasons for the move of a method from one board to the next, beside its defaults."""
    causes = []
    for column, words in (("algorithm_version", "version"), ("steps", "preparation")):
        old, new = (_values(board, name, column) for board in (before, after))
        if old != new:
            gone, come = (listed(sorted(some)) or "none" for some in (old - new, new - old))
            causes.append(f"{words} {come} instead of {gone}")
    finished = [board.table.set_index("contestant").loc[name] for board in (before, after)]
    shares = [row["finished"] / row["conditions"] for row in finished]
    if abs(shares[0] - shares[1]) > _SHARE:
        causes.append(f"finished {shares[1]:.0%} of the conditions, before {shares[0]:.0%}")
    if gain[1] > 0 or gain[2] < 0 or (gain[1] != gain[1] and abs(gain[0]) >= LEAST_GAIN):
        causes.append(f"NMI {gain[0]:+z.1f} on the same repeats")
    if all(name in places for places in shared):
        first, second = (places[name] for places in shared)
        if abs(first - second) <= LARGE_MOVE:
            causes.append(f"other data and methods: place {first} to {second} on what both releases have")
    return causes


_SHARE = 0.02  # of the conditions


def _values(board: SuiteBoard, name: str, column: str) -> set[str]:
    """The versions or steps of a contestant's trials; the corruption's steps are left out."""
    kept = board.data.reported.kept
    texts = kept.loc[kept["contestant"] == name, column].astype(str)
    if column != "steps":
        return set(texts)
    prepare = {step for text in texts for step in text.split(",")}
    return {step for step in prepare if step and not step.startswith(("missing-", "gaussian", "outliers", "swapped"))}


def _places_among_shared(before: SuiteBoard, after: SuiteBoard) -> tuple[dict[str, int], ...]:
    """Places in both releases among the methods and under the conditions that both have; none where nothing is."""
    keys = [set(zip(*(board.competing[column] for column in _SHARED), strict=True)) for board in (before, after)]
    both = keys[0] & keys[1]
    places = []
    for board in (before, after):
        rows = board.competing
        found = board.of_group(rows[[key in both for key in zip(*(rows[name] for name in _SHARED), strict=True)]])
        places.append({} if found is None else found.places.to_dict())
    return tuple(places)


_SHARED = ("contestant", "dataset", "corruption", "rate")


def _sides(before: SuiteBoard, after: SuiteBoard) -> pd.DataFrame:
    directions = {MAIN: before.data.context.directions.get(MAIN, True)}
    frames = [
        board.data.scores[board.data.scores["algorithm"].isin(board.competing["algorithm"].unique())]
        for board in (before, after)
    ]
    try:
        first, second = sides_of_two(frames[0], frames[1])
        return two_sides(first, second, MAIN, higher_is_better=directions[MAIN])
    except InvalidData:  # nothing in common: everybody is new
        return pd.DataFrame(columns=["subject", "verdict", "gain", "corpus", "dataset"])


def changes_part(table: pd.DataFrame, name: str) -> str:
    """The part of a page on what changed since the release `name`. table : of `changes`, which may come from a file."""
    table = table.astype({"place_before": "Int64", "place_after": "Int64", "cause": "string"}).fillna({"cause": ""})
    new = table.loc[table["place_before"].isna(), "contestant"]
    gone = table.loc[table["place_after"].isna(), "contestant"]
    both = table.dropna(subset=["place_before", "place_after"])
    moved = both[both["place_before"] != both["place_after"]]
    other = both[both["gain"].abs() >= LEAST_GAIN]
    each = [
        f"{row.contestant} {row.gain:+z.1f} (place {row.place_before} to {row.place_after})"
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
    causes = [
        f"- {row.contestant}, place {row.place_before} to {row.place_after}: {row.cause}."
        for row in both[both["cause"] != ""].itertuples()
    ]
    large = [f"Moves of more than {LARGE_MOVE} places, with their causes:", "\n".join(causes)] if causes else []
    return "\n\n".join([f"## What changed since {name}", " ".join(filter(None, sentences)), *large])
