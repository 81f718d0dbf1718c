"""What is recorded comes back as it was, and stays."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from itertools import count, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from store_examples import STARTED, example_outcome, example_trial, plain, rows

from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.errors import StoreError
from mvarena.numerics.kmeans import Labelling
from mvarena.store.database import Database, open_database
from mvarena.store.read_outcomes import labellings, outcome_of, truth
from mvarena.store.schema import attempts, environments, scores, truths
from mvarena.store.trials import FAILURES, counts
from mvarena.store.write_outcomes import add_scores, record


@st.composite
def outcomes(draw: st.DrawFn) -> Outcome:
    real = st.floats(width=64)
    text = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]))
    n = draw(st.integers(0, 5))
    labels = st.lists(st.integers(-1, 300), min_size=n, max_size=n).map(np.array).map(lambda a: a.astype(np.int64))
    restarts = range(draw(st.integers(0, 3)))
    return Outcome(
        status=draw(st.sampled_from([Status.DONE, *FAILURES])),
        started_at=draw(st.datetimes(min_value=datetime(1990, 1, 1), timezones=st.just(STARTED.tzinfo))),
        **{name: draw(real) for name in ("wall_s", "cpu_s", "fit_s", "peak_rss_mb")},
        **{name: draw(text) for name in ("reason", "traceback", "stderr_tail", "stopped_because")},
        signal=draw(st.none() | st.integers(1, 64)),
        labellings=tuple(Labelling(draw(labels), draw(real)) for _ in restarts),
        restart=draw(st.integers(0, max(0, len(restarts) - 1))) if len(restarts) else 0,
        scores=tuple(Score(metric, "1", draw(real), draw(real)) for metric in ("acc", "nmi")),
        truth=draw(st.none() | labels),
        objective=tuple(draw(st.lists(real, max_size=4))),
        n_iter=draw(st.integers(0, 10**9)),
        converged=draw(st.booleans()),
        achieved=draw(st.dictionaries(text, st.floats(0, 1))),
        environment=draw(st.dictionaries(text, text | st.integers() | st.booleans())),
        source_hash="5eed",
    )


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A database for all examples; each has a trial of its own."""
    with open_database(tmp_path_factory.mktemp("kept") / "results.db") as database:
        yield database


NUMBERS = count()


@given(outcomes())
def test_an_outcome_comes_back_as_it_was(kept: Database, outcome: Outcome) -> None:
    trial = example_trial(next(NUMBERS))
    assert record(kept, trial, outcome)
    assert plain(outcome_of(kept, trial.key)) == plain(outcome)


def test_every_float_survives(db: Database) -> None:
    values = (math.nan, math.inf, -math.inf, 5e-324, 1.7976931348623157e308, np.float32(0.25))
    for trial, value in zip(map(example_trial, range(6)), values, strict=True):
        labels = (Labelling(np.zeros(3, dtype=int), value),)
        record(db, trial, example_outcome(labellings=labels, scores=(Score("acc", "1", value),), wall_s=value))
        back = outcome_of(db, trial.key)
        found = {repr(number) for number in (back.scores[0].value, back.labellings[0].inertia, back.wall_s)}
        assert found == {repr(float(value))}


def test_numbers_of_numpy_odd_texts_and_times_come_back(db: Database) -> None:
    trial = example_trial()
    labels = Labelling(np.array([0, 1], dtype=np.uint8), np.float64(2))
    elsewhere = STARTED.astimezone(timezone(timedelta(hours=5, minutes=30)))
    odd = {"n_iter": np.int32(4), "signal": np.int64(9), "stderr_tail": "a\x00b\udcffc", "reason": "\ud800"}
    record(db, trial, example_outcome(labellings=(labels,), started_at=elsewhere, **odd))
    back = outcome_of(db, trial.key)
    assert (back.n_iter, back.signal) == (4, 9)
    assert (back.stderr_tail, back.reason) == ("a\\x00b\\udcffc", "\\ud800")
    assert (back.labellings[0].labels.tolist(), back.labellings[0].inertia) == ([0, 1], 2.0)
    assert (back.started_at, back.started_at.utcoffset()) == (STARTED, timedelta(0))


def test_a_time_without_zone_is_refused_and_nothing_stored(db: Database) -> None:
    with pytest.raises(StoreError, match="no time zone"):
        record(db, example_trial(), example_outcome(started_at=datetime(2025, 1, 1)))
    assert counts(db) == {}


def test_the_first_outcome_stays_but_for_interrupted_ones(db: Database) -> None:
    seconds = (Status.DONE, Status.FAILED, Status.INTERRUPTED)
    pairs = list(product(Status, seconds))
    for repeat, (first, second) in enumerate(pairs):
        trial, again = example_trial(repeat), first is Status.INTERRUPTED
        assert record(db, trial, example_outcome(first, wall_s=1.0))
        before = plain(outcome_of(db, trial.key))
        assert record(db, trial, example_outcome(second, wall_s=2.0)) is again, (first, second)
        assert (plain(outcome_of(db, trial.key)) == before) is not again
    assert rows(db, attempts) == len(pairs) + len(seconds)


def test_a_done_trial_run_again_on_purpose_keeps_both_attempts_and_shows_the_new_one(db: Database) -> None:
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


def test_real_data_share_one_truth_and_one_environment(db: Database) -> None:
    for repeat in range(3):
        record(db, example_trial(repeat), example_outcome())
    record(db, example_trial(3), example_outcome(truth=np.array([5, 4, 3])))
    assert (rows(db, truths), rows(db, environments)) == (2, 1)
    assert truth(db, example_trial(3).key).tolist() == [5, 4, 3]
    assert truth(db, example_trial(0).key).tolist() == [2, 1, 0, 2, 1, 0]


def test_labels_come_in_the_order_of_restarts_and_truth_if_there_is_any(db: Database) -> None:
    many = tuple(Labelling(np.array([restart, 0]), 1.0 - restart) for restart in range(12))
    record(db, example_trial(), example_outcome(labellings=many, truth=None))
    found = labellings(db, example_trial().key)
    assert [(one.labels.tolist(), one.inertia) for one in found] == [([i, 0], 1.0 - i) for i in range(12)]
    assert truth(db, example_trial().key) is None
    assert truth(db, "unknown") is None
    assert outcome_of(db, "unknown") is None


def test_a_record_that_fails_half_way_leaves_nothing(db: Database) -> None:
    twice = (Score("acc", "1", 0.5), Score("acc", "1", 0.6))
    with pytest.raises(Exception, match=r"(?i)unique"):
        record(db, example_trial(), example_outcome(scores=twice))
    assert rows(db, attempts) == rows(db, truths) == 0
    assert record(db, example_trial(), example_outcome())


def test_scores_are_added_later_and_replaced_only_by_another_version(db: Database) -> None:
    key = example_trial().key
    record(db, example_trial(), example_outcome(scores=(Score("acc", "1", 0.5),)))
    assert add_scores(db, key, [Score("acc", "1", 0.9), Score("ari", "1", math.nan)]) == 1
    assert add_scores(db, key, [Score("acc", "2", 0.7)]) == 1
    found = {score.metric: (score.metric_version, score.value) for score in outcome_of(db, key).scores}
    assert found["acc"] == ("2", 0.7)
    assert math.isnan(found["ari"][1])
    assert rows(db, scores) == 2
    assert add_scores(db, key, []) == 0


def test_only_a_trial_that_is_done_takes_scores(db: Database) -> None:
    for repeat, status in enumerate((None, Status.FAILED, Status.SKIPPED)):
        if status:
            record(db, example_trial(repeat), example_outcome(status))
        with pytest.raises(StoreError, match="is not done"):
            add_scores(db, example_trial(repeat).key, [Score("acc", "1", 0.5)])


def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path) -> None:
    with open_database(tmp_path / "results.db") as db:
        record(db, example_trial(0), example_outcome())
        with db.read() as connection:  # which writes next; SQLite's own limit stands for the disk's
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        big = Labelling(np.random.default_rng(0).integers(0, 100, 100_000), 1.0)
        with pytest.raises(StoreError, match=r"disk that holds .*results\.db is full; free some space"):
            record(db, example_trial(1), example_outcome(labellings=(big,)))
    with open_database(tmp_path / "results.db") as db:
        assert outcome_of(db, example_trial(0).key).status is Status.DONE
        assert outcome_of(db, example_trial(1).key) is None
