"""What automatic scaling did is said from what the outcomes keep."""

from __future__ import annotations

import math

import pandas as pd

from mvarena.report.formatting import scaling_words
from mvarena.store.frames import FIT_COLUMNS

COUNTS, SPARSE = "counts -> tfidf, unit-rows", "sparse -> unit-rows"


def fits(frame: pd.DataFrame, *decided: dict[str, str]) -> pd.DataFrame:
    keys = frame["key"].unique()
    rows = [(key, 10, 1, True, "", (), {"scale-auto": said}, math.nan) for key, said in zip(keys, decided, strict=True)]
    return pd.DataFrame(rows, columns=list(FIT_COLUMNS))


def test_views_with_one_decision_stand_together(long_frame) -> None:
    frame = long_frame.trial("apmc", {"acc": [0.5]}).frame()
    said = scaling_words(frame, fits(frame, {"a": COUNTS, "b": COUNTS, "c": SPARSE}))
    assert said == {("digits", "missing-even"): f"a and b: {COUNTS}; c: {SPARSE}"}


def test_where_trials_differ_each_decision_is_counted(long_frame) -> None:
    for rate in (0.1, 0.3, 0.5):
        long_frame.trial("apmc", {"acc": [0.5]}, rate=rate)
    frame = long_frame.frame()
    said = scaling_words(frame, fits(frame, {"a": COUNTS}, {"a": SPARSE}, {"a": COUNTS}))
    assert said == {("digits", "missing-even"): f"a: {COUNTS} (in 2 of 3 trials) or {SPARSE} (in 1 of 3 trials)"}


def test_very_many_views_are_not_all_named(long_frame) -> None:
    frame = long_frame.trial("apmc", {"acc": [0.5]}).frame()
    (said,) = scaling_words(frame, fits(frame, {f"v{i}": SPARSE for i in range(100)})).values()
    assert said == f"v0, v1, v2, v3, v4, v5 and 94 more views: {SPARSE}"


def test_the_caption_says_it_and_keeps_quiet_where_nothing_is_stored(results_of, long_frame) -> None:
    frame = long_frame.trial("apmc", {"acc": [0.5]}, prepare="scale-auto").frame()
    said = results_of(long_frame, fits=fits(frame, {"fou": SPARSE})).result_tables[0].caption
    assert f"Scaling of the data for all methods: auto (fou: {SPARSE})." in said
    assert "Scaling of the data for all methods: auto." in results_of(long_frame).result_tables[0].caption
    assert "auto." in results_of(long_frame, fits=fits(frame, {}).assign(decided=[{}])).result_tables[0].caption


def test_scalings_compared_say_it_too(results_of, long_frame) -> None:
    long_frame.trial("apmc", {"acc": [0.5]}, prepare="scale-auto").trial("apmc", {"acc": [0.5]}, prepare="minmax")
    frame = long_frame.frame()
    caption = results_of(long_frame, fits=fits(frame, {"fou": SPARSE}, {})).result_tables[0].caption
    assert f"Types of the views by auto: fou: {SPARSE}." in caption
