"""Two sides of results beside each other: what got better or worse where, repeat by repeat under the same masks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy import stats

from mvarena.analysis.picks import counted_runs
from mvarena.errors import InvalidData

_CASE = ["dataset", "content", "corruption", "rate", "subject"]
_REPEAT = [*_CASE, "seed", "repeat"]
SIDE_COLUMNS = (
    *("dataset", "corruption", "rate", "subject", "metric", "before", "after", "gain", "low", "high", "n_pairs"),
    *("only_before", "only_after", "verdict"),
)
BETTER, WORSE, SAME, UNCLEAR = "better", "worse", "same", "unclear"


def two_sides(
    before: pd.DataFrame, after: pd.DataFrame, metric: str, *, higher_is_better: bool = True, level: float = 0.95
) -> pd.DataFrame:
    """One row per data set, condition and subject that both sides have, columns SIDE_COLUMNS.

    before, after : the long form (`mvarena.store.frames`) with a column `subject`: what is compared with what, such as
        an algorithm and its parameters. On either side a subject has one trial for each seed and repeat.
    before, after (columns) : means over the repeats that both sides finished.
    gain, low, high : by how much the second side is better, mean over these repeats, and its t-interval; without width
        (NaN) where there are fewer than two.
    only_before, only_after : repeats that one side finished and the other tried and did not.
    verdict : better or worse where the interval is above or below 0, or where nothing but finishing tells the sides
        apart; same where all values are equal; else unclear.

    Raises InvalidData if there is nothing that both sides have. Cost O(rows log rows).
    """
    sides = [_by_repeat(frame, metric, higher_is_better) for frame in (before, after)]
    both = sides[0].merge(sides[1], on=_REPEAT, suffixes=("_before", "_after"))
    if both.empty:
        raise InvalidData(
            "the two sides have nothing in common: no data set, corruption, rate, seed and repeat that both have run."
        )
    rows = [_row(case, part, metric, higher_is_better, level) for case, part in both.groupby(_CASE, sort=True)]
    return pd.DataFrame(rows, columns=list(SIDE_COLUMNS))


def _by_repeat(frame: pd.DataFrame, metric: str, higher_is_better: bool) -> pd.DataFrame:
    """One row per repeat: its value by what the protocol counts, NaN where it did not finish."""
    frame = frame.assign(trial_id=frame["key"])
    scored = frame[(frame["metric"] == metric) & (frame["status"] == "DONE")]
    directions: Mapping[str, bool] = {metric: higher_is_better}
    counted = counted_runs(scored, directions).groupby("trial_id")["value"].mean().rename("counted")
    trials = frame.drop_duplicates("trial_id")[["trial_id", "status", *_REPEAT]]
    trials = trials.merge(counted.reset_index(), on="trial_id", how="left")
    trials = trials[(trials["status"] != "DONE") | trials["counted"].notna()]
    twice = trials.duplicated(_REPEAT)
    if twice.any():
        one = trials[twice].iloc[0]
        raise InvalidData(
            f"{one['subject']} has several results for repeat {one['repeat']} of {one['dataset']}, which differ in "
            "parameters, preparation, protocol or version; choose one of them."
        )
    return trials[[*_REPEAT, "counted"]]


def _row(
    case: tuple[object, ...], part: pd.DataFrame, metric: str, higher_is_better: bool, level: float
) -> list[object]:
    dataset, _, corruption, rate, subject = case
    first, second = part["counted_before"].to_numpy(float), part["counted_after"].to_numpy(float)
    paired = ~np.isnan(first) & ~np.isnan(second)
    gains = (second - first)[paired] * (1 if higher_is_better else -1)
    gain, low, high = _interval(gains, level)
    only_before = int((~np.isnan(first) & np.isnan(second)).sum())
    only_after = int((np.isnan(first) & ~np.isnan(second)).sum())
    means = (_mean(first[paired]), _mean(second[paired]))
    verdict = _verdict(gains, low, high, only_after - only_before)
    return [
        dataset,
        corruption,
        rate,
        subject,
        metric,
        *means,
        gain,
        low,
        high,
        len(gains),
        only_before,
        only_after,
        verdict,
    ]


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _interval(gains: np.ndarray, level: float) -> tuple[float, float, float]:
    n = len(gains)
    if n < 2:
        return _mean(gains), float("nan"), float("nan")
    half = float(stats.t.ppf((1 + level) / 2, n - 1) * gains.std(ddof=1) / np.sqrt(n))
    return float(gains.mean()), float(gains.mean() - half), float(gains.mean() + half)


def _verdict(gains: np.ndarray, low: float, high: float, finished_more: int) -> str:
    if low > 0 or high < 0:
        return BETTER if low > 0 else WORSE
    if finished_more and (not len(gains) or not gains.any()):
        return BETTER if finished_more > 0 else WORSE
    return SAME if len(gains) and not gains.any() else UNCLEAR
