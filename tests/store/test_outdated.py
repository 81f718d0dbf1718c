"""What is stored of another version, or with other parameters, is named when it runs again."""

from __future__ import annotations

from dataclasses import replace

from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import open_database
from mvarena.store.trials import outdated, register
from mvarena.study.model import Study
from mvarena.study.plan import plan_study


def test_other_versions_and_parameters_are_told_and_the_rest_is_not(tmp_path) -> None:
    study = Study(algorithms=("toy-quick",), datasets=("toy-blobs",), repeats=2)
    now = plan_study(study, installed_catalog()).trials
    older = [replace(trial, algorithm_version="0") for trial in now]
    renamed = [replace(trial, params={"factor": 1.0, "n_clusters": None}) for trial in now]
    elsewhere = [replace(trial, content="f" * 64, algorithm_version="7") for trial in now]
    with open_database(tmp_path / "r.db") as db:
        register(db, now)
        assert outdated(db, now) == []
        register(db, [*older, *renamed, *elsewhere])
        assert outdated(db, now) == [
            "2 stored trials of toy-quick are of one with other parameters (factor, scale): they are kept, and it runs "
            "again.",
            "2 stored trials of toy-quick are of version 0, and the installed version is 1: they are kept, and it "
            "runs again.",
            "2 stored trials of toy-blobs were of other content; reports show the two separately.",
        ]
