from __future__ import annotations

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_examples import STARTED, example_outcome, example_trial, plain, rows

from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.errors import StoreError
from mvarena.numerics.kmeans import Labelling
from mvarena.store.database import open_database
from mvarena.store.read_outcomes import outcome_of
from mvarena.store.schema import attempts
from mvarena.store.trials import counts, finished
from mvarena.store.write_outcomes import record

FAILURES = (Status.FAILED, Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.CRASHED)


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


@given(st.lists(outcomes(), min_size=1, max_size=3))
def test_an_outcome_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, given_: list[Outcome]) -> None:
    with open_database(tmp_path_factory.mktemp("db") / "results.db") as db:
        for repeat, outcome in enumerate(given_):
            assert record(db, example_trial(repeat), outcome)
        for repeat, outcome in enumerate(given_):
            assert plain(outcome_of(db, example_trial(repeat).key)) == plain(outcome)


@pytest.mark.slow
@given(st.lists(st.sampled_from(list(Status)), max_size=8))
def test_the_current_outcome_is_the_first_that_was_not_interrupted(
    tmp_path_factory: pytest.TempPathFactory, statuses: list[Status]
) -> None:
    trial, kept = example_trial(), []
    with open_database(tmp_path_factory.mktemp("db") / "results.db") as db:
        for index, status in enumerate(statuses):
            ended = bool(set(kept) - {Status.INTERRUPTED})
            assert record(db, trial, example_outcome(status, wall_s=float(index))) is not ended
            kept += [] if ended else [status]
        expected = (kept or [None])[-1]
        found = outcome_of(db, trial.key)
        assert (found and found.status) == expected
        assert counts(db) == ({expected: 1} if expected else {})
        assert rows(db, attempts) == len(kept)
        assert finished(db, [trial.key]) == (set() if expected in (None, Status.INTERRUPTED) else {trial.key})


def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path) -> None:
    with open_database(tmp_path / "results.db") as db:
        record(db, example_trial(0), example_outcome())
        with (
            db.read() as connection
        ):  # the same pooled connection writes next: SQLite's own limit stands for the disk's
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        big = Labelling(np.random.default_rng(0).integers(0, 100, 100_000), 1.0)
        with pytest.raises(StoreError, match=r"disk that holds .*results\.db is full; free some space"):
            record(db, example_trial(1), example_outcome(labellings=(big,)))
    with open_database(tmp_path / "results.db") as db:
        assert outcome_of(db, example_trial(0).key).status is Status.DONE
        assert outcome_of(db, example_trial(1).key) is None
