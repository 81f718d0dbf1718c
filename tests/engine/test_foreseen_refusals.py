"""What is foretold to be skipped is what is skipped, for the same reason."""

from __future__ import annotations

import pytest

from mvarena.contracts.outcome import Status
from mvarena.engine.execute import execute
from mvarena.engine.pending import pending
from mvarena.engine.refusals import refusals
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import open_database
from mvarena.study.model import Study
from mvarena.study.plan import plan_study

CATALOG = installed_catalog()


@pytest.mark.parametrize(
    "settings",
    [
        {"algorithms": ("toy-picky", "toy-quick", "toy-hungry", "mic", "pvc")},
        {"algorithms": ("pvc", "img", "mic"), "rates": (0.1, 0.9), "prepare": ("none",)},
        {"algorithms": ("toy-quick", "concat"), "n_clusters": 31},
    ],
)
def test_what_is_foretold_is_what_happens(settings):
    study = Study(**({"datasets": ("toy-blobs",), "repeats": 1, "restarts": 1} | settings))
    trials = plan_study(study, CATALOG).trials
    foretold = refusals(trials, CATALOG)
    happened = {trial.key: outcome.reason for trial in trials if (outcome := execute(trial)).status is Status.SKIPPED}
    assert foretold == happened
    assert foretold


def test_without_a_database_everything_is_pending(tmp_path):
    study = Study(algorithms=("toy-quick",), datasets=("toy-blobs",), repeats=2)
    trials = plan_study(study, CATALOG).trials
    assert list(pending(None, trials).trials) == list(trials)
    with open_database(tmp_path / "r.db") as empty:
        assert pending(empty, trials) == pending(None, trials)
