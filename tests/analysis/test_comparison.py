"""Two sides beside each other: pairs by repeat, intervals by hand, and what only one side finished."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student
from scipy.stats import ttest_rel

from mvarena.analysis.comparison import over_corpora, two_sides
from mvarena.errors import InvalidData


def side(new_long_frame: Any, values: list[float | None], subject: str = "apmc", **columns: Any) -> pd.DataFrame:
    """One trial per repeat; None: it failed."""
    frame = new_long_frame()
    for repeat, value in enumerate(values):
        if value is None:
            frame.trial(values=None, repeat=repeat, status="FAILED", **columns)
        else:
            frame.trial(values={"acc": [value]}, repeat=repeat, **columns)
    return frame.frame().assign(subject=subject)


def one_row(before: pd.DataFrame, after: pd.DataFrame, **options: Any) -> Any:
    rows = two_sides(before, after, "acc", **options)
    assert len(rows) == 1
    return next(rows.itertuples(index=False))


def test_gain_and_interval_are_those_of_the_paired_t_test(new_long_frame) -> None:
    first, second = [0.5, 0.6, 0.55, 0.7], [0.58, 0.66, 0.65, 0.74]
    row = one_row(side(new_long_frame, first), side(new_long_frame, second))
    theirs = ttest_rel(second, first).confidence_interval()
    assert (row.low, row.high) == pytest.approx((theirs.low, theirs.high))
    assert (row.before, row.after, row.gain) == pytest.approx((np.mean(first), np.mean(second), 0.07))
    assert (row.verdict, row.n_pairs) == ("better", 4)


def test_of_many_rows_verdicts_are_corrected_and_intervals_are_not(new_long_frame) -> None:
    """A gain with p = .02 is better alone; among six rows one of such a p-value is what chance gives."""
    first, second = [0.5, 0.6, 0.55, 0.7], [0.53, 0.64, 0.61, 0.72]
    alone = one_row(side(new_long_frame, first), side(new_long_frame, second))
    assert alone.verdict == "better"
    assert 0.01 < ttest_rel(second, first).pvalue < 0.05
    sets = [f"s{number}" for number in range(6)]
    sides = [
        pd.concat([
            side(new_long_frame, values if name == "s0" else values[:1] + first[1:], dataset=name, content=name)
            for name in sets
        ])
        for values in (first, second)
    ]  # fmt: skip
    sides = [one.assign(key=one["dataset"] + one["key"]) for one in sides]
    rows = two_sides(*sides, "acc").set_index("dataset")
    assert rows.loc["s0", "verdict"] == "unclear"
    assert rows.loc["s0", "low"] == pytest.approx(alone.low)
    assert alone.low > 0
    sure = side(new_long_frame, [0.9, 0.97, 0.94, 0.99])
    assert one_row(side(new_long_frame, first), sure).verdict == "better"


def test_swapping_the_sides_turns_the_sign(new_long_frame) -> None:
    a, b = side(new_long_frame, [0.5, 0.6, 0.4]), side(new_long_frame, [0.3, 0.35, 0.2])
    there, back = one_row(a, b), one_row(b, a)
    assert (there.gain, there.low, there.high) == pytest.approx((-back.gain, -back.high, -back.low))
    assert (there.verdict, back.verdict) == ("worse", "better")
    assert one_row(a, b, higher_is_better=False).verdict == "better"


@pytest.mark.parametrize(("before", "after", "verdict"), [
    ([0.5, 0.6], [0.9, 0.5], "unclear"),  # within its interval
    ([0.5], [0.5], "same"),
    ([0.5], [0.6], "unclear"),  # once
    ([0.5, 0.5, 0.9], [0.5, 0.5], "same"),  # of the repeats that both have
    ([0.5, 0.6], [None, None], "worse"),
    ([None, 0.6], [0.5, 0.6], "better"),
    ([None, None], [None, None], "unclear"),
])  # fmt: skip
def test_verdicts_are_on_the_repeats_that_both_have_and_on_what_only_one_side_finishes(
    new_long_frame, before: list[float | None], after: list[float | None], verdict: str
) -> None:
    row = one_row(side(new_long_frame, before), side(new_long_frame, after))
    both = list(zip(before, after, strict=False))
    assert row.verdict == verdict
    assert row.n_pairs == sum(None not in pair for pair in both)
    assert (row.only_before, row.only_after) == tuple(
        sum(pair[missing] is None and pair[1 - missing] is not None for pair in both) for missing in (1, 0)
    )


def test_other_data_under_the_same_name_are_not_paired(new_long_frame) -> None:
    with pytest.raises(InvalidData, match="nothing in common"):
        two_sides(side(new_long_frame, [0.5]), side(new_long_frame, [0.5], content="beef"), "acc")


def test_several_results_for_one_repeat_are_refused(new_long_frame) -> None:
    twice = pd.concat([side(new_long_frame, [0.5]), side(new_long_frame, [0.6]).assign(key="f" * 64)])
    with pytest.raises(InvalidData, match="several results for repeat 0 of digits"):
        two_sides(twice, twice, "acc")


def sides_of(gains: dict[str, tuple[str, float]]) -> pd.DataFrame:
    """Data set -> its corpus and gain; two conditions each, whose mean the gain is."""
    rows = [
        {"dataset": dataset, "corpus": corpus, "gain": gain + off}
        for dataset, (corpus, gain) in gains.items()
        for off in (-0.05, 0.05)
    ]
    return pd.DataFrame(rows)


def test_over_corpora_each_counts_one_and_the_interval_is_students() -> None:
    gains = {"a": ("one", 0.1), "b1": ("two", 0.2), "b2": ("two", 0.4), "c": ("three", -0.1)}
    found = over_corpora(sides_of(gains | {"lost": ("two", float("nan"))}))
    assert found.gains == pytest.approx([0.1, -0.1, 0.3])
    assert (found.n_datasets, found.left_out) == (4, ("lost",)), "nobody finished it twice"
    half = student.ppf(0.975, 2) * np.std([0.1, 0.3, -0.1], ddof=1) / np.sqrt(3)
    assert (found.gain, found.low, found.high) == pytest.approx((0.1, 0.1 - half, 0.1 + half))


@pytest.mark.parametrize("gains", [{"a": ("one", 0.1), "b": ("one", 0.3)}, {"a": ("one", 0.1), "b": ("two", 0.1)}])
def test_over_corpora_there_is_no_interval_of_zero_width(gains: dict[str, tuple[str, float]]) -> None:
    found = over_corpora(sides_of(gains))
    assert np.isnan([found.low, found.high]).all()
    assert np.isfinite(found.gain)
