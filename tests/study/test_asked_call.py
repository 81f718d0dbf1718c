"""A call of mvarena.run as a study file: it asks for the same trials."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans

import mvarena
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import open_database
from mvarena.store.runs import keys_of_runs, runs_of
from mvarena.study.file import study_at
from mvarena.study.plan import plan_blocks
from mvarena.study.request import BY_PYTHON, asked_by_call

pytestmark = pytest.mark.usefixtures("kept_workers")

CALLS: tuple[tuple[Any, Any, dict[str, Any]], ...] = (
    ("concat", "digits[fou,mor]", {"repeats": 1, "restarts": 2}),
    ("concat", "digits[fou,mor]", {"repeats": 1, "restarts": 2, "controls": True}),
    (["apmc", "concat"], ["digits[fou,mor]"], {
        "rates": np.array([0.1, 0.3]), "repeats": 1, "restarts": np.int64(2), "seed": 3, "scale": ("none", "auto"),
        "params": {"apmc": {"n_neighbors": [5, 7], "n_anchors": None}}, "timeout": "10m", "memory": 2**33, "jobs": 1,
    }),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("algorithms", "datasets", "given"), CALLS)
def test_the_study_that_is_kept_asks_for_the_same_trials(algorithms, datasets, given, tmp_path: Path) -> None:
    mvarena.run(algorithms, datasets, db=tmp_path / "r.db", **given)
    with open_database(tmp_path / "r.db", readonly=True) as db:
        (run,) = runs_of(db)
        asked = {key for _, keys in keys_of_runs(db) for key in keys}
    assert run.command == BY_PYTHON.command
    (tmp_path / "again.toml").write_text(run.study)
    again = plan_blocks(study_at(tmp_path / "again.toml").blocks(installed_catalog()), installed_catalog())
    assert {trial.key for trial in again.trials} == asked


def test_what_is_of_the_machine_is_not_kept() -> None:
    said = asked_by_call("concat", {"faces": "/home/me/faces.mat"}, {"db": "/home/me/r.db", "jobs": 4, "seed": None})
    assert tomllib.loads(said.study) == {
        "algo": "concat",
        "data": ["/home/me/faces.mat"],
        "name": ["faces=/home/me/faces.mat"],
    }


@pytest.mark.parametrize(
    ("algorithms", "datasets"), [(KMeans(), "digits"), (["concat", KMeans()], "digits"), ("concat", [np.eye(3)] * 2)]
)
def test_what_no_file_can_name_is_not_kept(algorithms, datasets) -> None:
    assert asked_by_call(algorithms, datasets, {"repeats": 2}) == BY_PYTHON
