"""How trials were fitted, read back."""

from __future__ import annotations

import math

from store_examples import example_outcome, example_trial

from mvarena.contracts.outcome import Status
from mvarena.store.frames import FIT_COLUMNS, fits_frame
from mvarena.store.write_outcomes import record


def test_the_course_and_the_size_of_each_finished_trial(db) -> None:
    done = {"samples_by_missing_views": [5, 2], "memory_at_start_mb": 90.5}
    record(db, example_trial(0), example_outcome(achieved=done, objective=(3.0, math.nan, -math.inf), n_iter=2))
    record(db, example_trial(1), example_outcome())  # of an older mvarena, which kept less
    record(db, example_trial(2), example_outcome(Status.TIMEOUT))
    frame = fits_frame(db, [example_trial(repeat).key for repeat in range(4)]).set_index("key")
    first, second = frame.loc[example_trial(0).key], frame.loc[example_trial(1).key]
    assert len(frame) == 2
    assert (first["n_samples"], first["n_iter"]) == (7, 2)
    assert first["objective"][0] == 3.0
    assert math.isnan(first["objective"][1])
    assert first["objective"][2] == -math.inf
    assert second["objective"] == (3.0, 2.0, 1.5)
    assert first["started_mb"] == 90.5
    assert math.isnan(second["started_mb"])
    assert frame["n_samples"].isna().tolist().count(True) == 1


def test_without_trials_there_are_the_columns(db) -> None:
    assert tuple(fits_frame(db, []).columns) == FIT_COLUMNS
