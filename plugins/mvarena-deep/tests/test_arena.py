"""The methods as the arena runs them: announced without torch, the same labels twice, ended at their limit."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from importlib import metadata

import mvarena
from mvarena.engine.execute import execute
from mvarena.registry.catalog import installed_catalog
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.testing import blobs

from mvarena_deep.base import DeepClusterer

SMALL = {"rates": 0.3, "repeats": 1, "restarts": 2, "jobs": 1}


def stored(path, query):
    with sqlite3.connect(path) as connection:
        return connection.execute(query).fetchall()


def test_the_catalog_is_read_without_torch():
    program = """
import sys
from mvarena.registry.catalog import installed_catalog
from mvarena_deep.specs import ALGORITHMS
assert set(spec.name for spec in ALGORITHMS) <= set(installed_catalog().names("algorithm"))
print("torch" in sys.modules)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout == "False\n"


def test_two_runs_with_one_seed_give_the_same_labels(tmp_path):
    data = blobs(60, dims=(12, 9), spread=3.0)
    names = ["ae-km", "completer", "simvc"]
    labels = []
    for run in ("first", "second"):
        path = tmp_path / f"{run}.db"
        params = {name: {"max_iter": 20} for name in names}
        scores = mvarena.run(names, {"blobs": data}, **SMALL, params=params, db=path).scores
        assert set(scores["status"]) == {"DONE"}
        peeks = scores[scores["metric"] == "acc-best-epoch"].set_index("algorithm")["value"]
        # the protocol counts the restart of lowest inertia: whatever it is, the end of the fit is a checkpoint, too
        assert (peeks >= scores[scores["metric"] == "acc"].groupby("algorithm")["value"].min()).all()
        (environment,) = stored(path, "select json from environments where json like '%trial_threads%'")
        assert json.loads(environment[0])["plugins"]["mvarena-deep:deep"]["torch"] == metadata.version("torch")
        query = (
            "select trials.key, labellings.labels from labellings "
            "join attempts on attempts.id = labellings.attempt join trials on trials.id = attempts.trial"
        )
        labels.append(stored(path, query))
    assert sorted(labels[0]) == sorted(labels[1])
    assert len(labels[0]) == len(names)  # of the restart that counts


def test_a_fit_that_runs_out_of_time_leaves_its_outcome_alone(tmp_path):
    data, path = blobs(400, dims=(60, 50), spread=3.0), tmp_path / "r.db"
    params = {"completer": {"size": "paper", "max_iter": 100_000}}
    scores = mvarena.run("completer", {"blobs": data}, **SMALL, params=params, timeout=6, db=path).scores
    assert scores["status"].unique().tolist() == ["TIMEOUT"]
    for table in ("labellings", "scores"):
        assert stored(path, f"select count(*) from {table}") == [(0,)], table


def test_classes_are_not_there_when_a_method_fits(monkeypatch):
    seen = []
    original = DeepClusterer.solve
    monkeypatch.setattr(
        DeepClusterer, "solve", lambda self, data, k: seen.append(data.labels) or original(self, data, k)
    )
    settings = {"datasets": ("synthetic-apmc",), "repeats": 1, "restarts": 1, "params": {"simvc": {"max_iter": (4,)}}}
    catalog = installed_catalog()
    outcome = execute(plan_study(Study(algorithms=("simvc",), **settings), catalog).trials[0], catalog)
    assert [score.metric for score in outcome.scores if "epoch" in score.metric] == ["acc-best-epoch", "nmi-best-epoch"]
    assert seen == [None]
