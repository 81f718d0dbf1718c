"""What a run would execute: what the database does not hold yet, in the plan's order."""

from __future__ import annotations

from pathlib import Path

import pytest
from study_runs import run_study, toy_study
from toy_trials import planned

from mvarena.contracts.outcome import Status
from mvarena.engine.pending import pending, rerun_statuses
from mvarena.errors import InvalidSetting
from mvarena.store.database import open_database

pytestmark = pytest.mark.usefixtures("kept_workers")


def test_what_is_stored_stays_and_the_rest_runs_in_order(tmp_path: Path, monkeypatch) -> None:
    run_study(toy_study(repeats=4), db=tmp_path / "r.db")
    trials = planned(repeats=7)
    for together in (1, 3, 5000):
        monkeypatch.setattr("mvarena.store.trials._BATCH", together)
        with open_database(tmp_path / "r.db") as db:
            left = pending(db, trials)
            assert [trial.repeat for trial in left.trials] == [4, 5, 6]
            assert set(left.kept) == {trial.key for trial in trials[:4]}
    with open_database(tmp_path / "empty.db") as empty:
        assert pending(empty, trials) == pending(None, trials)
    assert list(pending(None, trials).trials) == trials


def test_what_is_done_runs_again_where_labels_of_all_restarts_are_asked_for_and_not_stored(tmp_path: Path) -> None:
    trials = planned()
    run_study(toy_study(repeats=1), db=tmp_path / "r.db")
    with open_database(tmp_path / "r.db") as db:
        assert not pending(db, trials).trials
        assert set(pending(db, trials, keep_restarts=True).replacing) == {trial.key for trial in trials}
    run_study(toy_study(repeats=1), db=tmp_path / "r.db", keep_restarts=True)
    with open_database(tmp_path / "r.db") as db:
        assert not pending(db, trials, keep_restarts=True).trials


@pytest.mark.parametrize(
    ("kinds", "statuses", "stale"),
    [
        ((), set(), False),
        (("failed",), {Status.FAILED, Status.OUT_OF_MEMORY}, False),
        (("timeout",), {Status.TIMEOUT}, False),
        (("crashed", "skipped"), {Status.CRASHED, Status.SKIPPED}, False),
        (("stale",), set(), True),
        (("all",), set(Status) - {Status.DONE, Status.INTERRUPTED}, True),
    ],
)
def test_each_word_means_its_outcomes(kinds, statuses, stale) -> None:
    assert rerun_statuses(kinds) == (statuses, stale)


def test_what_cannot_be_run_again_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="'done' cannot be run again; choose from failed"):
        pending(None, [], ["done"])
