"""Methods of other libraries: announced without these, run in their environments, and said how to get."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from mvarena.errors import Incompatible
from mvarena.registry.catalog import Catalog
from mvarena.registry.plugins import load_plugins
from mvarena.registry.program_file import program_at
from mvarena.testing import blobs

from mvarena_peers import PEERS
from mvarena_peers.install import HOME, LIBRARIES, commands

FILES = sorted(PEERS.glob("*.toml"))


@pytest.fixture
def catalog() -> Catalog:
    plugins = load_plugins([EntryPoint("peers", "mvarena_peers", "mvarena")])
    assert not plugins.failed, plugins.failed[0].traceback
    return Catalog(plugins.loaded)


def test_each_file_announces_one_method(catalog: Catalog):
    assert catalog.names("algorithm") == [path.stem for path in FILES]
    assert len(FILES) == 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_method_runs_in_the_environment_of_its_library(path: Path):
    spec, program = program_at(path)
    library = path.stem.partition("-")[0]
    assert library in LIBRARIES
    assert program.command[0] == str(HOME / library / "bin" / "python")
    assert program.command[-2] == f"{library}.cluster"
    assert program.install == f"mvarena-peers install {library}"
    assert spec.capabilities.missing == (library == "imml")


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_environment_is_made_of_pinned_versions(library: str, tmp_path: Path):
    made, *installs = commands(library, tmp_path)
    assert made == [sys.executable, "-m", "venv", str(tmp_path)]
    assert all(command[0] == str(tmp_path / "bin" / "python") for command in installs)
    assert installs[-1][-2:] == ["-r", str(PEERS / f"{library}.txt")]
    assert "==" in (PEERS / f"{library}.txt").read_text()


def test_a_missing_environment_is_said_with_the_command_that_makes_it(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(Incompatible, match="build it with: mvarena-peers install polyview"):
        catalog.load(catalog.algorithm("polyview-kmeans"))(n_clusters=3).fit(blobs(30))


LIBRARY = """
import numpy as np
class Peer:
    def __init__(self, n_clusters=8, weight=1.0, random_state=None):
        self.given = n_clusters, weight, random_state
    def fit_predict(self, Xs):
        assert [X.shape for X in Xs] == [(6, 2), (6, 3)] and np.isnan(Xs[1][5]).all()
        return np.array([*self.given, 0, 0, 0], dtype=int)
"""


def test_a_class_gets_the_views_the_parameters_and_the_seed(tmp_path: Path):
    (tmp_path / "library.py").write_text(LIBRARY)
    X2 = np.zeros((6, 3))
    X2[5] = np.nan
    params = np.array(json.dumps({"weight": 2.0}))
    np.savez(tmp_path / "in.npz", X1=np.ones((6, 2)), X2=X2, n_views=2, n_clusters=4, seed=9, params=params)
    command = [sys.executable, str(PEERS / "run_peer.py"), "in.npz", "out.npz", "library", "Peer"]
    subprocess.run(command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)}, check=True, timeout=60)
    with np.load(tmp_path / "out.npz") as file:
        assert file["labels"].tolist() == [4, 2, 9, 0, 0, 0]


@pytest.mark.parametrize("name", ["polyview-kmeans", "polyview-coreg", "imml-opimc", "imml-nemo", "mvlearn-spectral"])
def test_a_peer_finds_plain_groups(catalog: Catalog, name: str):
    library = name.partition("-")[0]
    if not (HOME.expanduser() / library / "bin" / "python").exists():
        pytest.skip(f"{library} is not installed: mvarena-peers install {library}")
    data = blobs(60, missing=0.1 if library == "imml" else 0.0)
    assert data.labels is not None
    labels = catalog.load(catalog.algorithm(name))(n_clusters=3, random_state=0).fit_predict(data)
    pairs, counts = np.unique(np.stack([labels, data.labels]), axis=1, return_counts=True)
    assert pairs.shape[0] == 2
    assert np.sort(counts)[-3:].sum() >= 50
