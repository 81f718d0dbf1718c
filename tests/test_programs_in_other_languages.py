"""The examples in Octave, R and another Python pass every check where their interpreter is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mvarena.contracts.specs import AlgorithmSpec
from mvarena.registry.catalog import Catalog
from mvarena.registry.user_code import local_spec
from mvarena.testing import blobs, check_algorithm

EXAMPLES = Path(__file__).parents[1] / "examples"
PROGRAMS = {
    "octave/kernel-mean.toml": "octave-cli",
    "r/mean-linkage.toml": "Rscript",
    "python/mean-medoids.toml": "",
}


@pytest.fixture(params=PROGRAMS)
def spec(request: pytest.FixtureRequest, tmp_path: Path) -> AlgorithmSpec:
    """The spec of a copy of the example; for the one of another Python an environment is made beside it."""
    name, interpreter = request.param, PROGRAMS[request.param]
    if interpreter and not shutil.which(interpreter):
        pytest.skip(f"{interpreter} is not installed")
    source = EXAMPLES / name
    shutil.copytree(source.parent, tmp_path / "copy", ignore=shutil.ignore_patterns("environment"))
    if not interpreter:
        command = [sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "copy" / "environment")]
        subprocess.run(command, check=True, timeout=120)
    return local_spec(str(tmp_path / "copy" / source.name))


@pytest.mark.slow
def test_it_passes_every_check(spec: AlgorithmSpec):
    check_algorithm(spec)


def test_it_finds_plain_groups_though_samples_are_missing(spec: AlgorithmSpec):
    data = blobs(60, dims=(5, 8, 6, 7), missing=0.2, seed=2)
    assert not data.is_complete
    labels = Catalog(()).load(spec)(n_clusters=3, random_state=0).fit_predict(data)
    assert data.labels is not None
    assert len(set(zip(labels, data.labels, strict=True))) == 3


def test_a_seed_draws_the_same_again(spec: AlgorithmSpec):
    data = blobs(60, dims=(5, 8, 6, 7), missing=0.2, seed=2)
    kind = Catalog(()).load(spec)
    first, second = (kind(n_clusters=7, random_state=5).fit_predict(data) for _ in range(2))
    assert np.array_equal(first, second)


def test_a_file_has_at_most_twenty_lines():
    files = sorted(EXAMPLES.glob("*/*.toml"))
    assert len(files) == len(PROGRAMS)
    assert all(len(path.read_text("utf-8").splitlines()) <= 20 for path in files)
