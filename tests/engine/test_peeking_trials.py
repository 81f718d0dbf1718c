"""Trials whose algorithm reads classes are found, on data as the trial has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mvarena
from mvarena.contracts.trial import Trial
from mvarena.engine.peeking import peeking_of
from mvarena.errors import PluginError
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.user_code import local_spec
from mvarena.study.model import Contestant, Study
from mvarena.study.plan import plan_study
from mvarena.testing import blobs

METHOD = """
import sys
import numpy as np
import mvarena
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData


class Method(MultiViewClusterer):
    def solve(self, data, n_clusters):
        {body}

    def sound(self, data):
        return Representation(embedding=np.hstack([view.matrix for view in data.views]))
"""
BODIES = {
    "sound": "return self.sound(data)",
    "frames": """frame = sys._getframe()
        while (frame := frame.f_back) is not None:
            for value in list(frame.f_locals.values()):
                labels = value.labels if isinstance(value, MultiViewData) else None
                if labels is not None and len(labels) == data.n_samples:
                    return Representation(labels=labels)
        return self.sound(data)""",
    "loads": "return Representation(labels=mvarena.load_dataset(data.name).labels[: data.n_samples])",
    "file": "return Representation(labels=np.load('FILE')['labels'][: data.n_samples])",
    "raises": "raise ZeroDivisionError('no cluster')",
    "few": "raise mvarena.errors.Incompatible('no fewer samples') if data.n_samples < 30 else 1",
}


def trial_of(body: str, folder: Path, **study: object) -> Trial:
    path = folder / "method.py"
    path.write_text(METHOD.format(body=BODIES[body]).replace("FILE", str(folder / "data.npz")))
    asked = {"datasets": ("toy-blobs",), "corruptions": ("none",), "repeats": 1, "restarts": 2}
    plan = plan_study(Study(algorithms=(Contestant(local_spec(str(path))),), **(asked | study)), installed_catalog())
    return plan.trials[0]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [("sound", ""), ("frames", "its labels follow classes in the memory"), ("loads", "reads elsewhere")],
)
def test_what_a_method_does_is_found(body: str, sentence: str, tmp_path: Path) -> None:
    found = peeking_of(trial_of(body, tmp_path), installed_catalog())
    assert sentence in found
    assert bool(found) is bool(sentence)


def test_a_method_that_reads_the_users_file_is_found(tmp_path: Path) -> None:
    data = blobs(60, spread=2.0)
    path = tmp_path / "data.npz"
    np.savez(path, one=data.views[0].matrix, two=data.views[1].matrix, labels=data.labels)
    assert mvarena.load_dataset(str(path)).n_clusters == 3
    for body, expected in (("file", "reads elsewhere"), ("sound", "")):
        found = peeking_of(trial_of(body, tmp_path, datasets=(str(path),)), installed_catalog())
        assert (expected in found) is bool(expected) or found == expected


def test_data_as_a_corruption_and_a_preparation_leave_them(tmp_path: Path) -> None:
    study = {"corruptions": ("missing-even",), "rates": (0.3,), "prepare": ("fill-mean", "zscore")}
    assert peeking_of(trial_of("sound", tmp_path, **study), installed_catalog()) == ""
    assert peeking_of(trial_of("frames", tmp_path, **study), installed_catalog())


def test_a_method_that_raises_is_named(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match=r"^The algorithm 'method' failed: ZeroDivisionError: no cluster"):
        peeking_of(trial_of("raises", tmp_path), installed_catalog())


def test_nothing_is_found_out_of_a_method_that_refuses_fewer_samples(tmp_path: Path) -> None:
    assert peeking_of(trial_of("few", tmp_path), installed_catalog()) == ""


@pytest.mark.parametrize("algorithm", ["truth", "shuffled-truth", "random", "one-cluster"])
def test_controls_are_left_out(algorithm: str) -> None:
    study = Study(algorithms=(algorithm,), datasets=("toy-blobs",), corruptions=("none",), repeats=1)
    assert peeking_of(plan_study(study, installed_catalog()).trials[0], installed_catalog()) == ""


@pytest.mark.parametrize("algorithm", ["bsv-kmeans", "concat", "daimc", "mic", "mkkm-mf"])
def test_methods_of_mvarena_read_none(algorithm: str) -> None:
    study = Study(
        algorithms=(algorithm,), datasets=("toy-blobs",), corruptions=("missing-even",), rates=(0.2,), repeats=1
    )
    assert peeking_of(plan_study(study, installed_catalog()).trials[0], installed_catalog()) == ""
