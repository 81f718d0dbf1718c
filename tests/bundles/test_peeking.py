"""Verification refuses a bundle whose method reads classes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mvarena.bundles.expected import blocks_for
from mvarena.bundles.files import InvalidBundle
from mvarena.bundles.submit import submit
from mvarena.bundles.verify import verify
from mvarena.engine.execute import execute
from mvarena.engine.rerun import codes_of
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import open_database
from mvarena.store.write_outcomes import record
from mvarena.study.file import study_at
from mvarena.study.plan import plan_blocks

STUDY = 'title = "toy"\ndata = ["synthetic-apmc"]\ncorrupt = "none"\nrepeats = 2\nrestarts = 2\n'
METHOD = """
import gc
import numpy as np
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData


class Method(MultiViewClusterer):
    def solve(self, data, n_clusters):
        {body}
        return Representation(embedding=np.hstack([view.matrix for view in data.views]))
"""
PEEKS = """for one in gc.get_objects():
            if isinstance(one, MultiViewData) and one.labels is not None and one.n_samples == data.n_samples == 180:
                return Representation(labels=one.labels)"""


def bundle_of(body: str, folder: Path) -> tuple[Path, str]:
    """A bundle of two trials, and its study; shuffled nine tenths of their 200 samples are 180."""
    path = folder / "method.py"
    path.write_text(METHOD.format(body=body))
    study = folder / "toy.toml"
    study.write_text(STUDY)
    method, catalog = f"{path}:Method", installed_catalog()
    with open_database(folder / "results.db") as db:
        for trial in plan_blocks(blocks_for(study_at(study), method, catalog), catalog).trials:
            outcome = execute(trial, catalog)
            record(db, trial, replace(outcome, source_hash=codes_of([trial], catalog)[trial.algorithm]))
        return submit(db, str(study), method, folder / "submissions", catalog)[0], str(study)


def test_a_method_that_reads_classes_is_refused(tmp_path: Path) -> None:
    bundle, study = bundle_of(PEEKS, tmp_path)
    with pytest.raises(InvalidBundle, match="method reads classes: on synthetic-apmc, its labels follow classes"):
        verify(bundle, installed_catalog(), sample=2, seed=0, study=study, jobs=1)
    assert verify(bundle, installed_catalog(), sample=0, seed=0, study=study).rerun == 0


def test_a_method_that_reads_none_is_verified(tmp_path: Path) -> None:
    bundle, study = bundle_of("pass", tmp_path)
    assert verify(bundle, installed_catalog(), sample=2, seed=0, study=study, jobs=1).rerun == 2
