"""What a run would execute: what the database does not hold yet, in the plan's order."""

from __future__ import annotations

from pathlib import Path

import pytest
from study_runs import run_study

from mvarena.cli import progress
from mvarena.cli.main import main
from mvarena.engine.pending import pending
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import open_database
from mvarena.study.model import Study
from mvarena.study.plan import plan_study

pytestmark = pytest.mark.usefixtures("kept_workers")


def study(repeats: int, **changes: object) -> Study:
    return Study(
        **{"algorithms": ("toy-quick",), "datasets": ("toy-blobs",), "repeats": repeats, "restarts": 1} | changes
    )


def planned(repeats: int):
    return plan_study(study(repeats), installed_catalog()).trials


def test_what_is_stored_stays_and_the_rest_runs_in_order(tmp_path: Path, monkeypatch) -> None:
    run_study(study(4), db=tmp_path / "r.db")
    trials = planned(7)
    for together in (1, 3, 5000):
        monkeypatch.setattr("mvarena.store.trials._BATCH", together)
        with open_database(tmp_path / "r.db") as db:
            left = pending(db, trials)
            assert [trial.repeat for trial in left.trials] == [4, 5, 6]
            assert (left.trials[-1].repeat, [one.repeat for one in left.trials[:2]], len(left.trials)) == (6, [4, 5], 3)
            assert set(left.kept) == {trial.key for trial in trials[:4]}
    assert [trial.key for trial in pending(None, trials).trials] == [trial.key for trial in trials]


@pytest.mark.slow
def test_what_is_stored_is_counted_over_all_batches(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("mvarena.store.trials._BATCH", 2)
    command = ["run", "--algo", "toy-quick", "--data", "toy-blobs", "--restarts", "1", "--jobs", "1", "--no-controls"]
    command += ["--repeats"]
    main([*command, "5"])
    monkeypatch.setattr(progress, "_EVERY_S", 0.0)
    capsys.readouterr()
    main([*command, "7"])
    shown = capsys.readouterr()
    assert "Ran 2 trials (2 done); 5 were stored already." in shown.out
    assert "stored first by another run" not in shown.out


def test_what_is_done_runs_again_where_labels_of_all_restarts_are_asked_for_and_not_stored(tmp_path: Path) -> None:
    several = study(1, algorithms=("concat",), restarts=2)
    trials = plan_study(several, installed_catalog()).trials
    run_study(several, db=tmp_path / "r.db")
    with open_database(tmp_path / "r.db") as db:
        assert not pending(db, trials).trials
        assert set(pending(db, trials, keep_restarts=True).replacing) == {trial.key for trial in trials}
    run_study(several, db=tmp_path / "r.db", keep_restarts=True)
    with open_database(tmp_path / "r.db") as db:
        assert not pending(db, trials, keep_restarts=True).trials
