"""The view `results`, as people with SQL see it."""

from __future__ import annotations

from pathlib import Path

import pytest
from store_examples import example_outcome, example_trial

from mvarena.contracts.outcome import Status
from mvarena.store.database import Database, open_database
from mvarena.store.frames import scores_frame
from mvarena.store.results_view import COLUMNS, DECODING
from mvarena.store.write_outcomes import record


def test_the_view_has_the_trials_of_the_long_form(db: Database) -> None:
    record(db, example_trial(0), example_outcome(Status.TIMEOUT))
    record(db, example_trial(0), example_outcome())
    record(db, example_trial(1), example_outcome(Status.FAILED))
    frame = scores_frame(db)
    with db.read() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM results ORDER BY key, metric").mappings().all()
    assert list(rows[0]) == list(COLUMNS)
    shared = ["key", "dataset", "algorithm", "protocol", "rate", "status", "metric", "value", "n_labels", "attempt"]
    seen = {tuple(row[name] for name in shared) for row in rows}
    frame = frame.astype(object).where(frame.notna(), None)
    assert seen == set(frame[shared].itertuples(index=False, name=None))


def test_five_documented_lines_decode_the_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = example_outcome()
    with open_database("results.db") as db:
        record(db, example_trial(), outcome)
    said: dict[str, object] = {}
    exec(DECODING, said)
    assert len(DECODING.strip().splitlines()) <= 6
    assert said["labels"].tolist() == outcome.labellings[0].labels.tolist()
