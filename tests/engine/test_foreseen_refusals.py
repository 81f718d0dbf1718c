"""What is foretold to be skipped is what is skipped, for the same reason."""

from __future__ import annotations

import pytest

from mvarena.contracts.outcome import Status
from mvarena.engine.execute import execute
from mvarena.engine.skips import refusals
from mvarena.errors import InvalidSetting
from mvarena.readers.npz import write_npz
from mvarena.registry.catalog import installed_catalog
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.testing.examples import KINDS, blobs

CATALOG = installed_catalog()


@pytest.mark.parametrize(
    "settings",
    [
        {"algorithms": ("toy-picky", "toy-quick", "toy-hungry", "mic", "pvc")},
        {"algorithms": ("pvc", "img", "mic"), "rates": (0.1, 0.9), "prepare": ("none",)},
        {"algorithms": ("toy-quick", "concat"), "n_clusters": (31,)},
    ],
)
def test_what_is_foretold_is_what_happens(settings):
    study = Study(**({"datasets": ("toy-blobs",), "repeats": 1, "restarts": 1} | settings))
    trials = plan_study(study, CATALOG).trials
    foretold = refusals(trials, CATALOG)
    happened = {trial.key: outcome.reason for trial in trials if (outcome := execute(trial)).status is Status.SKIPPED}
    assert foretold == happened
    assert foretold


@pytest.fixture(scope="module")
def other_kinds(tmp_path_factory):
    """Files of kernels, of distances and of features, whose samples are all there."""
    folder = tmp_path_factory.mktemp("kinds")
    for kind in KINDS:
        write_npz(blobs(24, kind=kind, dims=(4, 5, 6)), folder / f"{kind}.npz")
    return folder


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("corruption", "fill"), [("none", "knn"), ("missing-even:0.5", "knn"), ("missing-even:0.5", "zero")]
)
def test_it_is_what_happens_for_all_kinds_of_data(other_kinds, kind, corruption, fill):
    study = Study(
        algorithms=("toy-quick", "concat", "mic", "pvc", "kernel-addition", "mkkm-ik", "simplemkkm", "toy-picky"),
        datasets=(str(other_kinds / f"{kind}.npz"),), corruptions=(corruption,), fill=(fill,), repeats=1, restarts=1,
    )  # fmt: skip
    try:
        trials = plan_study(study, CATALOG).trials
    except InvalidSetting as refusal:
        pytest.skip(str(refusal))
    happened = {trial.key: outcome.reason for trial in trials if (outcome := execute(trial)).status is Status.SKIPPED}
    assert refusals(trials, CATALOG) == happened


def test_nothing_is_filled_to_foretell(monkeypatch):
    def fill(*_, **__):
        raise AssertionError("filled")

    study = Study(algorithms=("concat", "pvc"), datasets=("toy-blobs",), repeats=1, restarts=1, fill=("knn",))
    trials = [one for one in plan_study(study, CATALOG).trials if any(step.name == "fill-knn" for step in one.prepare)]
    assert trials
    monkeypatch.setattr("mvarena.transforms.filling.fill_knn", fill)
    assert refusals(trials, CATALOG) == {}
