"""What the pages call the trials that they hold, shown or not."""

from __future__ import annotations

from typing import Any

from mvarena.report.data import ReportData
from mvarena.site.data import named_as_shown, parts_of


def test_a_preparation_is_no_part_of_a_name_even_of_a_trial_that_nothing_shows(long_frame: Any) -> None:
    """One method needs no filling, and was run with one all the same: wherever it is shown, it is shown without."""
    for method, prepared in (
        ("amgl", ("scale-auto", "scale-auto,fill-knn")),
        ("concat", ("scale-auto,fill-knn", "fill-mean")),
    ):
        for prepare in prepared:
            long_frame.trial(method, {"acc": [0.5]}, prepare=prepare)
    whole = ReportData.of_scores(long_frame.frame(), metrics=["acc"], every_preparation=True)
    assert "amgl (prepare=scale-auto,fill-knn)" in set(whole.reported.trials["contestant"])
    parts = parts_of(whole)
    reported = named_as_shown(whole.reported, parts)
    assert sorted(reported.trials["contestant"]) == ["amgl", "amgl", "concat", "concat"]
    assert [part.context.preparation.words for part in parts] == [
        "scaling auto, filling knn",
        "scaling none, filling mean",
    ]
    assert len(reported.kept) == 3
