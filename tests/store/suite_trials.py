"""Which trials there are and which of them need no run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import func, select
from store_examples import example_outcome, example_trial

from mvarena.contracts.outcome import Status
from mvarena.contracts.source import Source
from mvarena.contracts.trial import Step
from mvarena.errors import InvalidSetting
from mvarena.store.database import Database
from mvarena.store.descriptions import described_trials
from mvarena.store.frames import scores_frame
from mvarena.store.schema import names, trials
from mvarena.store.trials import Attempt, counts, current_attempts, finished, register
from mvarena.store.write_outcomes import record
from mvarena.study.protocols import PROTOCOLS

UNFINISHED = {Status.INTERRUPTED}


class TrialsSuite:
    """For `backend_suite.BackendSuite`."""

    def test_which_outcomes_are_final(self, db: Database) -> None:
        for repeat, status in enumerate(Status):
            trial = example_trial(repeat)
            record(db, trial, example_outcome(status))
            assert (trial.key in finished(db, [trial.key])) is (status not in UNFINISHED), status

    def test_an_attempt_being_replaced_counts_no_more_and_the_next_one_does(self, db: Database) -> None:
        for repeat, status in enumerate(Status):
            trial = example_trial(repeat)
            record(db, trial, example_outcome())
            assert finished(db, [trial.key], {trial.key: 1}) == set()
            taken = record(db, trial, example_outcome(status), replaces=1)
            assert taken is (status not in UNFINISHED), "an interrupted run takes no settled attempt's place"
            assert finished(db, [trial.key]) == {trial.key}
            assert finished(db, [trial.key], {trial.key: 1}) == ({trial.key} if taken else set())

    def test_the_current_attempts_are_told_in_short(self, db: Database) -> None:
        done, failed, new = (example_trial(repeat) for repeat in range(3))
        record(db, done, example_outcome(wall_s=2.5))
        for replaces in range(2):
            record(db, failed, example_outcome(Status.TIMEOUT, wall_s=7.0), replaces)
        assert current_attempts(db, [done.key, failed.key, new.key]) == {
            done.key: Attempt(1, Status.DONE, "5eed"),
            failed.key: Attempt(2, Status.TIMEOUT, ""),
        }

    def test_an_interrupted_retry_of_a_failure_runs_again(self, db: Database) -> None:
        trial = example_trial()
        for replaces, status in enumerate((Status.FAILED, Status.INTERRUPTED)):
            record(db, trial, example_outcome(status), replaces)
        assert finished(db, [trial.key]) == set()

    def test_only_the_asked_for_are_answered(self, db: Database) -> None:
        done, other = example_trial(0), example_trial(1)
        for trial in (done, other):
            record(db, trial, example_outcome())
        assert finished(db, [done.key, "unknown"]) == {done.key}
        assert finished(db, []) == set()

    def test_more_keys_than_fit_into_one_statement(self, db: Database) -> None:
        done = [example_trial(repeat) for repeat in (0, 11_999)]
        for trial in done:
            record(db, trial, example_outcome())
        keys = [done[0].key, *(f"{i:064d}" for i in range(11_998)), done[1].key]
        assert finished(db, iter(keys)) == {trial.key for trial in done}

    def test_counts_are_of_current_outcomes(self, db: Database) -> None:
        assert counts(db) == {}
        for repeat, status in enumerate([Status.DONE, Status.FAILED, Status.FAILED, Status.CRASHED]):
            record(db, example_trial(repeat), example_outcome(status))
        record(db, example_trial(3), example_outcome(Status.DONE), replaces=1)
        assert counts(db) == {Status.DONE: 2, Status.FAILED: 2}

    def test_the_key_is_computed_from_what_is_stored(self, db: Database) -> None:
        steps = (Step("missing-blocks", "1", 1 / 3, {"n_groups": 2}), Step("gaussian", "2", 10))
        special = example_trial(corruptions=steps, prepare=(Step("minmax", "1", None, {"low": -1}),), seed=-(2**62))
        register(db, [special, *(example_trial(repeat) for repeat in range(3))])
        with db.read() as connection:
            found = list(described_trials(connection))
        assert len(found) == 4
        assert all(trial.key == key for key, trial in found)

    def test_registering_twice_changes_nothing(self, db: Database) -> None:
        for _ in range(2):
            register(db, [example_trial(0), example_trial(1)])
        with db.read() as connection:
            assert connection.scalar(select(func.count()).select_from(trials)) == 2
            assert connection.scalar(select(func.count()).select_from(names)) == 2
        assert counts(db) == {}, "what was only planned has no outcome"

    def test_a_done_trial_shows_under_every_name_that_studies_give_it(self, db: Database) -> None:
        trial = example_trial()
        same = replace(trial, source=Source(dataset="digits", views=("fac", "fou")), protocol=PROTOCOLS["mic"])
        assert same.key == trial.key
        record(db, trial, example_outcome())
        assert scores_frame(db, datasets=["digits[fac,fou]"]).empty
        register(db, [same])
        assert finished(db, [same.key])
        for asked in (trial, same):
            frame = scores_frame(db, datasets=[asked.dataset], protocols=[asked.protocol.name])
            assert len(frame) == 2
            assert set(frame["dataset"]) == {asked.dataset}
        assert len(scores_frame(db)) == 4

    def test_more_trials_than_fit_into_one_statement(self, db: Database) -> None:
        register(db, (example_trial(repeat) for repeat in range(5_100)))
        with db.read() as connection:
            assert connection.scalar(select(func.count()).select_from(trials)) == 5_100

    def test_a_data_set_may_be_called_by_any_file_name(self, db: Database) -> None:
        trial = example_trial(source=Source(dataset="digits", name="/data/\udcff.npz"))
        record(db, trial, example_outcome())
        assert len(scores_frame(db, datasets=[trial.dataset])) == 2

    def test_a_seed_beyond_64_bits_is_said(self, db: Database) -> None:
        register(db, [example_trial(seed=2**63 - 1)])
        for seed in (2**63, -(2**63) - 1):
            with pytest.raises(InvalidSetting, match="too large"):
                register(db, [example_trial(seed=seed)])
