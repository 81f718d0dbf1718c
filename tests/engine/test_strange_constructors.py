"""Constructors that strangers write: they run in workers, and whatever they do ends their own trials alone."""

from __future__ import annotations

import os

import pytest
from study_runs import run_study

from mvarena.contracts.outcome import Status
from mvarena.engine.skips import refusals
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.user_code import local_spec
from mvarena.study.model import Contestant, Study

METHOD = """
import os
from pathlib import Path

import numpy as np

from mvarena.contracts.algorithm import MultiViewClusterer, Representation


class Strange(MultiViewClusterer):
    def __init__(self, *, n_clusters=None, n_init=20, random_state=None):
        with Path({notes!r}).open("a") as file:
            file.write(f"{{os.getpid()}}\\n")
        {deed}
        self.n_clusters, self.n_init, self.random_state = n_clusters, n_init, random_state

    {more}

    def solve(self, data, n_clusters):
        return Representation(labels=np.arange(data.n_samples) % n_clusters)
"""
CHECKS = "def check_settings(self): pass"


@pytest.mark.slow
@pytest.mark.usefixtures("kept_workers")
@pytest.mark.parametrize(
    ("deed", "more", "status"),
    [
        ("", "", Status.DONE),
        ("os._exit(0)", "", Status.CRASHED),
        ("raise SystemExit(0)", "", Status.FAILED),
        ("raise ZeroDivisionError", CHECKS, Status.FAILED),
    ],
)
def test_a_constructor_runs_in_workers_alone(tmp_path, deed, more, status):
    path = tmp_path / "strange.py"
    path.write_text(METHOD.format(deed=deed, more=more, notes=str(tmp_path / "notes")))
    own = Contestant(local_spec(f"{path}:Strange"))
    study = Study(algorithms=(own, "toy-quick"), datasets=("toy-blobs",), corruptions=("none",), repeats=1, restarts=1)
    result = run_study(study, db=tmp_path / "r.db")
    statuses = dict(zip(result.scores["algorithm"], result.scores["status"], strict=False))
    assert statuses == {"strange": status.value, "toy-quick": "DONE"}
    if status is Status.CRASHED:
        assert set(result.scores["reason"]) == {"The worker process ended with exit code 0.", ""}
    where = {int(line) for line in (tmp_path / "notes").read_text().split()}
    assert where
    assert bool(more) == (os.getpid() in where), "to check its settings, a plan makes one"
    if status is Status.FAILED:
        assert refusals(result.plan.trials, installed_catalog()) == {}
