"""Trials whose algorithm reads classes are found, on data as the trial has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from toy_trials import one_trial

from mvarena.engine.peeking import peeking_of
from mvarena.errors import PluginError
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.user_code import local_spec
from mvarena.study.model import Contestant
from mvarena.testing import blobs

CATALOG = installed_catalog()
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
SPOILT = {"corruptions": ("missing-even",), "rates": (0.3,), "prepare": ("fill-mean", "zscore")}


def peeking_by(body: str, folder: Path, **study: object) -> str:
    path = folder / "method.py"
    path.write_text(METHOD.format(body=BODIES[body]).replace("FILE", str(folder / "data.npz")))
    trial = one_trial(Contestant(local_spec(str(path))), **({"corruptions": ("none",)} | study))
    return peeking_of(trial, CATALOG)


@pytest.mark.parametrize(
    ("body", "study", "sentence"),
    [
        ("sound", {}, ""),
        ("sound", SPOILT, ""),
        ("frames", {}, "its labels follow classes in the memory"),
        ("frames", SPOILT, "its labels follow classes in the memory"),
        ("loads", {}, "reads elsewhere"),
        ("few", {}, ""),
    ],
)
def test_what_a_method_does_is_found(body: str, study: dict, sentence: str, tmp_path: Path) -> None:
    found = peeking_by(body, tmp_path, **study)
    assert sentence in found
    assert bool(found) is bool(sentence)


def test_a_method_that_reads_the_users_file_is_found(tmp_path: Path) -> None:
    data = blobs(60, spread=2.0)
    path = tmp_path / "data.npz"
    np.savez(path, one=data.views[0].matrix, two=data.views[1].matrix, labels=data.labels)
    assert "reads elsewhere" in peeking_by("file", tmp_path, dataset=str(path))
    assert peeking_by("sound", tmp_path, dataset=str(path)) == ""


def test_a_method_that_raises_is_named(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match=r"^The algorithm 'method' failed: ZeroDivisionError: no cluster"):
        peeking_by("raises", tmp_path)


def test_controls_are_left_out() -> None:
    assert peeking_of(one_trial("truth"), CATALOG) == ""
