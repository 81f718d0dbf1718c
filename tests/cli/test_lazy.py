"""What a command does not use is not imported: a run of which everything is stored computes nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
from mvarena.cli.main import main

try:
    main("run --algo apmc toy-quick bsv-kmeans --data toy-blobs --repeats 1 --restarts 1".split())
except SystemExit as ended:
    assert not ended.code
print(*sorted(sys.modules), sep="\\n", file=open("modules", "w"))
import scipy.special, scipy.stats, numpy.testing
assert scipy.special.expit(0) == 0.5
from scipy.stats import norm
assert norm.cdf(0) == scipy.stats.norm.cdf(0) == 0.5
numpy.testing.assert_allclose(scipy.stats.rankdata([3, 1]), [2, 1])
"""
NOT_BEFORE_WORKERS = """
import sys
from mvarena.engine.local_engine import LocalEngine
from mvarena.cli.main import main

enter = LocalEngine.__enter__
def noted(engine):
    entered = enter(engine)
    print(*sorted(sys.modules), sep="\\n", file=open("modules", "w"))
    print(len(engine._workers), file=open("workers", "w"))
    return entered
LocalEngine.__enter__ = noted
main("run --no-controls --algo mine.py:Mine --data toy-blobs --repeats 3 --restarts 1 --jobs 2".split())
"""
MINE = """
import sys
from mvarena.contracts.algorithm import MultiViewClusterer, Representation

class Mine(MultiViewClusterer):
    def solve(self, data, n_clusters):
        print(*sorted(sys.modules), sep="\\n", file=open("FILE", "w"))
        return Representation(embedding=data.views[0].matrix)
"""
COMPUTES = {
    "sklearn.cluster",
    "scipy.stats._stats_py",
    "scipy.special._logsumexp",
    "matplotlib",
    "numpy.f2py.crackfortran",
    "alembic",
    "dask",
    "h5py",
    "mvarena.engine.rescore",
    "sqlalchemy.dialects.postgresql",
}
FOR_THE_TABLE = {"pandas", "pyarrow", "mvarena.report.data"}


@pytest.mark.slow
def test_a_run_of_what_is_stored_imports_nothing_that_computes(tmp_path: Path) -> None:
    for _ in range(2):
        said = said_by(PROGRAM, tmp_path)
    assert "were stored already" in said
    assert sorted(COMPUTES & set((tmp_path / "modules").read_text().split())) == []


@pytest.mark.slow
def test_workers_start_before_what_the_table_needs_is_imported_and_never_import_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE.replace("FILE", str(tmp_path / "trial")))
    assert "Ran 3 trials (3 done)" in said_by(NOT_BEFORE_WORKERS, tmp_path)
    assert (tmp_path / "workers").read_text().split() == ["2"]
    assert not FOR_THE_TABLE & set((tmp_path / "modules").read_text().split())
    of_a_trial = set((tmp_path / "trial").read_text().split())
    assert "sklearn.cluster" in of_a_trial
    assert not (FOR_THE_TABLE | {"matplotlib"}) & of_a_trial


def said_by(program: str, folder: Path) -> str:
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("words", ["list algorithms", "list datasets", "run --help", "plugin list", "--help"])
def test_what_computes_nothing_imports_nothing_that_computes(words: str) -> None:
    program = "import sys\nfrom mvarena.cli.main import main\ntry:\n    {}\nfinally:\n    print(*sys.modules)"
    code = program.format(f"main({words.split()})")
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(ended.stdout.splitlines()[-1].split())
    assert not imported & {"numpy", "scipy", "sklearn", "pandas", "sqlalchemy", "matplotlib", "mvarena.data"}
