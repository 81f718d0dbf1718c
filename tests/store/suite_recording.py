"""What is recorded comes back as it was, and stays."""

from __future__ import annotations

import math
from datetime import datetime, timedelta, timezone
from itertools import product

import numpy as np
import pytest
from sqlalchemy import select
from store_examples import STARTED, example_outcome, example_trial, plain, rows

from mvarena.contracts.outcome import Score, Status
from mvarena.errors import StoreError
from mvarena.numerics.kmeans import Labelling
from mvarena.store.database import Database
from mvarena.store.read_outcomes import labellings, outcome_of, truth
from mvarena.store.schema import attempts, environments, scores, truths
from mvarena.store.trials import counts
from mvarena.store.write_outcomes import add_scores, record


class RecordingSuite:
    """For `backend_suite.BackendSuite`."""

    def test_every_float_survives(self, db: Database) -> None:
        values = (math.nan, math.inf, -math.inf, 5e-324, 1.7976931348623157e308, np.float32(0.25))
        for trial, value in zip(map(example_trial, range(6)), values, strict=True):
            labels = (Labelling(np.zeros(3, dtype=int), value),)
            record(db, trial, example_outcome(labellings=labels, scores=(Score("acc", "1", value),), wall_s=value))
            back = outcome_of(db, trial.key)
            found = {repr(number) for number in (back.scores[0].value, back.labellings[0].inertia, back.wall_s)}
            assert found == {repr(float(value))}

    def test_numbers_of_numpy_are_numbers(self, db: Database) -> None:
        trial = example_trial()
        labels = Labelling(np.array([0, 1], dtype=np.uint8), np.float64(2))
        score = Score("acc", "1", np.float64(0.5))
        record(
            db, trial, example_outcome(labellings=(labels,), scores=(score,), n_iter=np.int32(4), signal=np.int64(9))
        )
        back = outcome_of(db, trial.key)
        assert (back.n_iter, back.signal, back.scores[0].value) == (4, 9, 0.5)
        assert (back.labellings[0].labels.tolist(), back.labellings[0].inertia) == ([0, 1], 2.0)

    def test_text_that_databases_refuse_is_kept_as_escapes(self, db: Database) -> None:
        trial = example_trial()
        record(db, trial, example_outcome(Status.CRASHED, stderr_tail="a\x00b\udcffc", reason="\ud800"))
        back = outcome_of(db, trial.key)
        assert (back.stderr_tail, back.reason) == ("a\\x00b\\udcffc", "\\ud800")

    def test_times_are_kept_in_utc(self, db: Database) -> None:
        trial = example_trial()
        elsewhere = STARTED.astimezone(timezone(timedelta(hours=5, minutes=30)))
        record(db, trial, example_outcome(started_at=elsewhere))
        back = outcome_of(db, trial.key).started_at
        assert back == STARTED
        assert back.utcoffset() == timedelta(0)

    def test_a_time_without_zone_is_refused_and_nothing_stored(self, db: Database) -> None:
        with pytest.raises(StoreError, match="no time zone"):
            record(db, example_trial(), example_outcome(started_at=datetime(2025, 1, 1)))
        assert counts(db) == {}

    def test_the_first_outcome_stays(self, db: Database) -> None:
        firsts = [status for status in Status if status is not Status.INTERRUPTED]
        pairs = list(product(firsts, (Status.DONE, Status.FAILED, Status.INTERRUPTED)))
        for repeat, (first, second) in enumerate(pairs):
            trial = example_trial(repeat)
            assert record(db, trial, example_outcome(first, wall_s=1.0))
            before = plain(outcome_of(db, trial.key))
            assert not record(db, trial, example_outcome(second, wall_s=2.0)), (first, second)
            assert plain(outcome_of(db, trial.key)) == before
        assert rows(db, attempts) == len(pairs)

    def test_a_done_trial_run_again_on_purpose_keeps_both_attempts_and_shows_the_new_one(self, db: Database) -> None:
        trial = example_trial()
        record(db, trial, example_outcome(wall_s=1.0))
        assert not record(db, trial, example_outcome(wall_s=2.0)), "nobody asked for it"
        assert not record(db, trial, example_outcome(Status.INTERRUPTED), replaces=1), "the old one still stands"
        assert record(db, trial, example_outcome(wall_s=3.0, source_hash="0ther"), replaces=1)
        assert not record(db, trial, example_outcome(wall_s=4.0), replaces=1), "another run was faster"
        found = outcome_of(db, trial.key)
        assert found is not None
        assert (found.wall_s, found.source_hash) == (3.0, "0ther")
        assert counts(db) == {Status.DONE: 1}
        with db.read() as connection:
            kept = connection.execute(select(attempts.c.number, attempts.c.wall_s).order_by(attempts.c.number)).all()
        assert [tuple(row) for row in kept] == [(1, 1.0), (2, 3.0)]

    def test_attempts_are_numbered_and_kept(self, db: Database) -> None:
        for replaces, status in enumerate((Status.CRASHED, Status.INTERRUPTED, Status.DONE)):
            record(db, example_trial(), example_outcome(status), replaces)
        with db.read() as connection:
            found = connection.execute(select(attempts.c.number, attempts.c.status).order_by(attempts.c.id)).all()
        assert [tuple(row) for row in found] == [(1, "CRASHED"), (2, "INTERRUPTED"), (3, "DONE")]

    def test_real_data_share_one_truth_and_one_environment(self, db: Database) -> None:
        for repeat in range(3):
            record(db, example_trial(repeat), example_outcome())
        record(db, example_trial(3), example_outcome(truth=np.array([5, 4, 3])))
        assert (rows(db, truths), rows(db, environments)) == (2, 1)
        assert truth(db, example_trial(3).key).tolist() == [5, 4, 3]
        assert truth(db, example_trial(0).key).tolist() == [2, 1, 0, 2, 1, 0]

    def test_there_may_be_no_truth_and_no_labels(self, db: Database) -> None:
        record(db, example_trial(), example_outcome(truth=None, labellings=(), scores=()))
        assert truth(db, example_trial().key) is None
        assert labellings(db, example_trial().key) == []
        assert truth(db, "unknown") is None
        assert outcome_of(db, "unknown") is None

    def test_labels_come_in_the_order_of_restarts(self, db: Database) -> None:
        many = tuple(Labelling(np.array([restart, 0]), 1.0 - restart) for restart in range(12))
        record(db, example_trial(), example_outcome(labellings=many))
        found = labellings(db, example_trial().key)
        assert [(one.labels.tolist(), one.inertia) for one in found] == [([i, 0], 1.0 - i) for i in range(12)]

    def test_a_record_that_fails_half_way_leaves_nothing(self, db: Database) -> None:
        twice = (Score("acc", "1", 0.5), Score("acc", "1", 0.6))
        with pytest.raises(Exception, match=r"(?i)unique"):
            record(db, example_trial(), example_outcome(scores=twice))
        assert rows(db, attempts) == rows(db, truths) == 0
        assert record(db, example_trial(), example_outcome())

    def test_scores_are_added_later_and_replaced_only_by_another_version(self, db: Database) -> None:
        key = example_trial().key
        record(db, example_trial(), example_outcome(scores=(Score("acc", "1", 0.5),)))
        assert add_scores(db, key, [Score("acc", "1", 0.9), Score("ari", "1", math.nan)]) == 1
        assert add_scores(db, key, [Score("acc", "2", 0.7)]) == 1
        found = {score.metric: (score.metric_version, score.value) for score in outcome_of(db, key).scores}
        assert found["acc"] == ("2", 0.7)
        assert math.isnan(found["ari"][1])
        assert rows(db, scores) == 2
        assert add_scores(db, key, []) == 0

    def test_only_a_trial_that_is_done_takes_scores(self, db: Database) -> None:
        for repeat, status in enumerate((None, Status.FAILED, Status.SKIPPED)):
            if status:
                record(db, example_trial(repeat), example_outcome(status))
            with pytest.raises(StoreError, match="is not done"):
                add_scores(db, example_trial(repeat).key, [Score("acc", "1", 0.5)])
