"""What a command does not use is not imported: a run of which everything is stored computes nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
COMPUTES = {
    "sklearn.cluster",
    "scipy.stats._stats_py",
    "scipy.special._logsumexp",
    "matplotlib",
    "numpy.f2py.crackfortran",
    "alembic",
    "dask",
    "h5py",
}


def test_a_run_of_what_is_stored_imports_nothing_that_computes(tmp_path: Path) -> None:
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert not COMPUTES & set((tmp_path / "modules").read_text().split())
    assert "were stored already" in done.stdout
