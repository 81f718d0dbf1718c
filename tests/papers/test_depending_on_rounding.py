"""Trials run again with other rounding: cutting a circle in two depends on it, clusters far apart do not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mvarena.data import MultiViewData
from mvarena.papers import reproduce
from mvarena.papers.measure import evidence
from mvarena.papers.reproduce import depending_on_rounding, means, run_again
from mvarena.readers.npz import write_npz
from mvarena.registry.catalog import installed_catalog
from mvarena.running import preview_of_plan, run_plan
from mvarena.store.database import open_database
from mvarena.study.building import RunOptions
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.testing.examples import blobs


def circle() -> MultiViewData:
    """Two halves of a circle, of which no diameter cuts it better than another."""
    turns = 2 * np.pi * np.arange(40) / 40
    points = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return MultiViewData.from_arrays([points, points], labels=np.arange(40) // 20)


@pytest.mark.slow
def test_what_depends_on_rounding_is_told_from_what_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduce, "_OTHER_ROUTINES", ())  # perturbed data are enough here
    for name, data in {"circle": circle(), "blobs": blobs(60)}.items():
        write_npz(data, tmp_path / f"{name}.npz")
    study = Study(
        algorithms=("concat",),
        datasets=tuple(str(tmp_path / f"{name}.npz") for name in ("circle", "blobs")),
        repeats=1,
        restarts=2,
    )
    plan = plan_study(study, installed_catalog())
    how, metrics = RunOptions(jobs=1), ("acc", "nmi")
    with open_database(tmp_path / "r.db") as db:
        run_plan(db, preview_of_plan(db, plan, how), how)
        here = means(evidence(db, metrics))
    found = depending_on_rounding(plan, here, lambda *given: run_again(*given, metrics, how=how))
    assert [trial.dataset for trial in plan.trials if trial.key in found] == ["circle"]
