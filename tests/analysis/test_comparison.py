"""Two sides beside each other: pairs by repeat, intervals by hand, and what only one side finished."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

from mvarena.analysis.comparison import two_sides
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


def test_a_difference_within_its_interval_is_unclear(new_long_frame) -> None:
    assert one_row(side(new_long_frame, [0.5, 0.6]), side(new_long_frame, [0.9, 0.5])).verdict == "unclear"


def test_swapping_the_sides_turns_the_sign(new_long_frame) -> None:
    a, b = side(new_long_frame, [0.5, 0.6, 0.4]), side(new_long_frame, [0.3, 0.35, 0.2])
    there, back = one_row(a, b), one_row(b, a)
    assert (there.gain, there.low, there.high) == pytest.approx((-back.gain, -back.high, -back.low))
    assert (there.verdict, back.verdict) == ("worse", "better")


def test_lower_is_better_turns_the_verdict(new_long_frame) -> None:
    a, b = side(new_long_frame, [0.5, 0.6, 0.4]), side(new_long_frame, [0.3, 0.35, 0.2])
    assert one_row(a, b, higher_is_better=False).verdict == "better"


def test_only_repeats_that_both_have_are_paired(new_long_frame) -> None:
    row = one_row(side(new_long_frame, [0.5, 0.5, 0.9]), side(new_long_frame, [0.5, 0.5]))
    assert (row.n_pairs, row.before, row.verdict) == (2, 0.5, "same")


def test_equal_results_are_the_same_also_once(new_long_frame) -> None:
    assert one_row(side(new_long_frame, [0.5]), side(new_long_frame, [0.5])).verdict == "same"
    assert one_row(side(new_long_frame, [0.5]), side(new_long_frame, [0.6])).verdict == "unclear"


@pytest.mark.parametrize(("before", "after", "verdict"), [
    ([0.5, 0.6], [None, None], "worse"),
    ([None, 0.6], [0.5, 0.6], "better"),
    ([None, None], [None, None], "unclear"),
])  # fmt: skip
def test_what_only_one_side_finishes_is_no_detail(new_long_frame, before, after, verdict) -> None:
    row = one_row(side(new_long_frame, before), side(new_long_frame, after))
    assert row.verdict == verdict
    assert row.only_before == sum(b is not None and a is None for b, a in zip(before, after, strict=True))
    assert row.only_after == sum(b is None and a is not None for b, a in zip(before, after, strict=True))


def test_other_data_under_the_same_name_are_not_paired(new_long_frame) -> None:
    with pytest.raises(InvalidData, match="nothing in common"):
        two_sides(side(new_long_frame, [0.5]), side(new_long_frame, [0.5], content="beef"), "acc")


def test_several_results_for_one_repeat_are_refused(new_long_frame) -> None:
    twice = pd.concat([side(new_long_frame, [0.5]), side(new_long_frame, [0.6]).assign(key="f" * 64)])
    with pytest.raises(InvalidData, match="several results for repeat 0 of digits"):
        two_sides(twice, twice, "acc")


def test_the_restart_that_the_protocol_counts_counts(new_long_frame) -> None:
    frame = new_long_frame()
    frame.trial(values={"acc": [0.9, 0.2]}, inertia=[5.0, 1.0], pick="lowest-inertia")
    frame = frame.frame().assign(subject="apmc")
    assert one_row(frame, frame).before == 0.2
