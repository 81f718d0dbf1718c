"""Two sides of results beside each other: what got better or worse where, repeat by repeat under the same masks."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from mvarena.analysis.naming import name_contestants, natural_order
from mvarena.analysis.significance import holm
from mvarena.errors import InvalidData, InvalidSetting, unknown_name
from mvarena.store.frames import OF_TRIAL

_CASE = ["dataset", "content", "corpus", "corruption", "rate", "subject"]
_REPEAT = [*_CASE, "seed", "repeat"]
SIDE_COLUMNS = (
    "dataset", "corpus", "corruption", "rate", "subject", "metric", "before", "after", "gain", "low", "high", "n_pairs",
    "only_before", "only_after", "verdict",
)  # fmt: skip
LEVEL = 0.95  # of intervals, and of verdicts
BETTER, WORSE, SAME, UNCLEAR = "better", "worse", "same", "unclear"


def two_sides(before: pd.DataFrame, after: pd.DataFrame, metric: str, *, higher_is_better: bool = True) -> pd.DataFrame:
    """One row per data set, condition and subject that both sides have, columns SIDE_COLUMNS.

    before, after : the long form (`mvarena.store.frames`) with a column `subject`: what is compared with what, such as
        an algorithm and its parameters. On either side a subject has one trial for each seed and repeat.
    before, after (columns) : means over the repeats that both sides finished.
    gain, low, high : by how much the second side is better, mean over these repeats, and its t-interval; NaN where
        there are fewer than two repeats, or all gains are equal, which tells nothing of how they vary.
    only_before, only_after : repeats that one side finished and the other tried and did not.
    verdict : better or worse where paired t-tests, with Holm's correction over all rows, find the gain to be above or
        below 0, where all gains are equal and not 0, or where nothing but finishing tells the sides apart; same where
        all values are equal; else unclear.

    Raises InvalidData if there is nothing that both sides have. Cost O(rows log rows).
    """
    sides = [_by_repeat(frame, metric) for frame in (before, after)]
    both = sides[0].merge(sides[1], on=_REPEAT, suffixes=("_before", "_after"))
    if both.empty:
        raise InvalidData(
            "the two sides have nothing in common: there is no data set, corruption, rate, seed and repeat with "
            f"results of both by {metric}."
        )
    rows = [_row(case, part, metric, higher_is_better) for case, part in both.groupby(_CASE, sort=True)]
    return _corrected(pd.DataFrame(rows))[list(SIDE_COLUMNS)]


def n_absent(before: pd.DataFrame, after: pd.DataFrame) -> int:
    """Number of trials that are done on the first side and were never tried on the second; both as for `two_sides`."""
    done = before.loc[before["status"] == "DONE", _REPEAT].drop_duplicates()
    return len(done) - len(done.merge(after[_REPEAT].drop_duplicates(), on=_REPEAT))


def _corrected(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with the verdict 'unclear' where their interval alone leaves 0 out, but not their test among all."""
    tested = rows["p"].dropna()
    unsure = tested.index[holm(tested) > 1 - LEVEL]
    alone = (rows["low"] > 0) | (rows["high"] < 0)
    return rows.assign(verdict=rows["verdict"].mask(alone & rows.index.isin(unsure), UNCLEAR))


def _by_repeat(frame: pd.DataFrame, metric: str) -> pd.DataFrame:
    """One row per repeat: its value, NaN where it did not finish."""
    one_trial = ["key", "dataset", "protocol"]
    counted = frame.loc[(frame["metric"] == metric) & (frame["status"] == "DONE"), [*one_trial, "value"]]
    trials = frame.drop_duplicates(one_trial)[list(dict.fromkeys([*one_trial, "status", *_REPEAT]))]
    trials = trials.merge(counted.rename(columns={"value": "counted"}), on=one_trial, how="left")
    trials = trials[(trials["status"] != "DONE") | trials["counted"].notna()]
    twice = trials.duplicated(_REPEAT)
    if twice.any():
        row = trials[twice].iloc[0]
        raise InvalidData(
            f"{row['subject']} has several results for repeat {row['repeat']} of {row['dataset']}, which differ in "
            "parameters, preparation, protocol or version; choose one of them."
        )
    return trials[[*_REPEAT, "counted"]]


def _row(case: tuple[object, ...], part: pd.DataFrame, metric: str, higher_is_better: bool) -> dict[str, object]:
    """The columns SIDE_COLUMNS of one case, and p, of its t-test alone."""
    first, second = part["counted_before"].to_numpy(float), part["counted_after"].to_numpy(float)
    paired = ~np.isnan(first) & ~np.isnan(second)
    gains = (second - first)[paired] * (1 if higher_is_better else -1)
    test = _t_test(gains)
    only_before = int((~np.isnan(first) & np.isnan(second)).sum())
    only_after = int((np.isnan(first) & ~np.isnan(second)).sum())
    return {
        **dict(zip(_CASE, case, strict=True)),
        "metric": metric,
        "before": _mean(first[paired]),
        "after": _mean(second[paired]),
        **dict(zip(("gain", "low", "high", "p"), test, strict=True)),
        "n_pairs": len(gains),
        "only_before": only_before,
        "only_after": only_after,
        "verdict": _verdict(gains, *test[1:3], only_after - only_before),
    }


class OverCorpora(NamedTuple):
    """By how much the second side is better over corpora: the mean, its 95 % t-interval (NaN where there is none), and
    the gains themselves, one for each corpus.

    n_datasets : of how many data sets. left_out : the data sets without a repeat that both sides finished.
    """

    gain: float
    low: float
    high: float
    gains: np.ndarray
    n_datasets: int
    left_out: tuple[str, ...]


def over_corpora(sides: pd.DataFrame) -> OverCorpora:
    """Gains of `two_sides` of one subject, averaged over conditions, data sets and corpora in turn."""
    of_datasets = sides.groupby(["corpus", "dataset"])["gain"].mean()
    known = of_datasets.dropna()
    gains = known.groupby(level="corpus").mean().to_numpy(float)
    left_out = tuple(of_datasets.index.difference(known.index).unique("dataset"))
    return OverCorpora(*mean_interval(gains), gains, len(known), left_out)


def why_no_interval(n_gains: int, one: str) -> str:
    """The reason that n gains have no interval, in words. one : of what a gain is, as 'repeat'."""
    return f"one {one}" if n_gains < 2 else "equal gains"


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else float("nan")


def mean_interval(gains: np.ndarray) -> tuple[float, float, float]:
    """The mean with its 95 % t-interval, NaN of fewer than two numbers and where all are equal."""
    return _t_test(gains)[:3]


def _t_test(gains: np.ndarray) -> tuple[float, float, float, float]:
    """`mean_interval` and the two-sided p-value that the mean is 0."""
    if len(gains) < 2 or np.ptp(gains) <= 1e-12:
        return _mean(gains), np.nan, np.nan, np.nan
    found = stats.ttest_1samp(gains, 0.0)
    low, high = found.confidence_interval(LEVEL)
    return _mean(gains), float(low), float(high), float(found.pvalue)


def _verdict(gains: np.ndarray, low: float, high: float, finished_more: int) -> str:
    constant = len(gains) > 1 and np.ptp(gains) <= 1e-12 and abs(gains[0]) > 1e-12
    if low > 0 or high < 0 or constant:
        return BETTER if low > 0 or (constant and gains[0] > 0) else WORSE
    if finished_more and (not len(gains) or not gains.any()):
        return BETTER if finished_more > 0 else WORSE
    return SAME if len(gains) and not gains.any() else UNCLEAR


# What two sides of a comparison are: contestants of one database by name, or all contestants of two databases.

_VERSIONED = re.compile(r"(?P<name>[^@]+)@(?P<version>.+)")


def side_named(frame: pd.DataFrame, name: str, subject: str) -> pd.DataFrame:
    """The rows of one contestant, with `subject` in the column of that name, for `two_sides`.

    name : as tables show it, 'apmc' or 'apmc (n_neighbors=7)', or 'apmc@2' for a version.

    Raises UnknownName for what is not stored, InvalidSetting for a name of several contestants.
    """
    versioned = _VERSIONED.fullmatch(name)
    if versioned:
        of_version = (frame["algorithm"] == versioned["name"]) & (frame["algorithm_version"] == versioned["version"])
        return _one(_named(frame[of_version]), name, subject) if of_version.any() else _unknown(frame, name)
    named = _named(frame)
    exact = named[named["contestant"] == name]
    rows = exact if len(exact) else named[named["algorithm"] == name]
    return _one(rows, name, subject) if len(rows) else _unknown(frame, name)


def sides_of_two(before: pd.DataFrame, after: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows of two databases, whose subjects are the contestants; an algorithm's version is no part of a name."""
    plain = [frame.assign(algorithm_version="") for frame in (before, after)]
    both = _named(pd.concat(plain, keys=("before", "after"), names=["side"]).reset_index(level="side"))
    both = both.assign(subject=both["contestant"])
    return both[both["side"] == "before"], both[both["side"] == "after"]


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    place = [*(["side"] if "side" in frame.columns else []), "key", "dataset", "protocol"]
    trials = frame.drop_duplicates(place)[[*(["side"] if "side" in frame.columns else []), *OF_TRIAL]]
    return frame.merge(name_contestants(trials)[[*place, "contestant"]], on=place)


def _one(rows: pd.DataFrame, name: str, subject: str) -> pd.DataFrame:
    contestants = sorted(rows["contestant"].unique(), key=natural_order)
    if len(contestants) > 1:
        raise InvalidSetting(
            f"'{name}' matches {len(contestants)} contestants; name one of them: "
            f"{', '.join(repr(contestant) for contestant in contestants)}."
        )
    return rows.assign(subject=subject)


def _unknown(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    stored = {*frame["algorithm"].unique(), *_named(frame)["contestant"].unique()}
    stored |= (
        {f"{row.algorithm}@{row.algorithm_version}" for row in frame.itertuples(index=False)} if "@" in name else set()
    )
    known = sorted(stored, key=natural_order)
    raise unknown_name(
        "contestant", name, known, f"Stored are {', '.join(known[:12])}{' ...' if len(known) > 12 else ''}."
    )
