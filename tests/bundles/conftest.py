"""A true bundle, made once: twelve trials of a toy method on two data sets, of which six failed."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from bundle_tools import method_in

from mvarena.bundles.expected import blocks_for
from mvarena.bundles.submit import submit
from mvarena.engine.execute import execute
from mvarena.engine.rerun import codes_of
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import open_database
from mvarena.store.write_outcomes import record
from mvarena.study.file import study_at
from mvarena.study.plan import plan_blocks

STUDY = """\
title = "toy"
data = ["synthetic-apmc", "synthetic-emvc"]
corrupt = "missing-even"
rates = [0.1, 0.5]
repeats = 3
restarts = 3
"""


@pytest.fixture(scope="session")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the method, the study and the database of its trials, each executed in this process."""
    folder = tmp_path_factory.mktemp("newcomer")
    shutil.copy(Path(__file__).with_name("toy_method.py"), folder)
    (folder / "toy.toml").write_text(STUDY)
    catalog = installed_catalog()
    with open_database(folder / "results.db") as db:
        for trial in plan_blocks(blocks_for(study_at(folder / "toy.toml"), method_in(folder), catalog), catalog).trials:
            outcome = execute(trial, catalog)
            record(db, trial, replace(outcome, source_hash=codes_of([trial], catalog)[trial.algorithm]))
    return folder


@pytest.fixture(scope="session")
def true_bundle(newcomer: Path) -> Path:
    with open_database(newcomer / "results.db") as db:
        study = str(newcomer / "toy.toml")
        return submit(db, study, method_in(newcomer), newcomer / "submissions", installed_catalog())[0]


@pytest.fixture
def copied(true_bundle: Path, tmp_path: Path) -> Path:
    """A copy of the bundle, to be changed; in a repository of results."""
    return Path(shutil.copytree(true_bundle, tmp_path / "submissions" / true_bundle.parent.name / true_bundle.name))
