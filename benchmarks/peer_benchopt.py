"""benchopt on the same trivial grid: what a trial costs there that computes next to nothing."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import case
from benchmarks.watch import Watch

_FILES = {
    "objective.py": """
from benchopt import BaseObjective
import numpy as np

class Objective(BaseObjective):
    name = "clusters"

    def set_data(self, X):
        self.X = X

    def get_objective(self):
        return {"X": self.X}

    def evaluate_result(self, labels):
        return {"value": float(len(np.unique(labels)))}

    def get_one_result(self):
        return {"labels": np.zeros(len(self.X), dtype=int)}
""",
    "datasets/blobs.py": """
from benchopt import BaseDataset
import numpy as np

class Dataset(BaseDataset):
    name = "blobs"
    parameters = {"repeat": list(range(REPEATS))}

    def get_data(self):
        return {"X": np.random.default_rng(self.repeat).normal(size=(30, 4))}
""",
    "solvers/quick.py": """
from benchopt import BaseSolver
from sklearn.cluster import KMeans

class Solver(BaseSolver):
    name = "quick"
    sampling_strategy = "run_once"

    def set_objective(self, X):
        self.X = X

    def run(self, _):
        self.labels = KMeans(3, n_init=1, random_state=0).fit(self.X).labels_

    def get_result(self):
        return {"labels": self.labels}
""",
}


@case(
    "peer-benchopt", group="framework", package="benchopt", grid={"trials": [500]}, quick={"trials": [100]},
    threads=1,
)  # fmt: skip
def peer_benchopt(watch: Watch, trials: int) -> dict[str, float]:
    """A trial of k-means on 30 points, by benchopt: that of a run of so many less that of a run of one; beside
    trial-overhead, whose toy clusters as many points."""
    import benchopt  # noqa: F401  it is said here if it is not installed

    taken = {}
    for count in (1, trials):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in _FILES.items():
                path = Path(folder) / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(text.replace("REPEATS", str(count)))
            command = [sys.executable, "-m", "benchopt", "run", folder, "--no-plot", "--no-html", "-n", "1"]
            with watch(f"{count} trials"):
                subprocess.run(command, check=True, capture_output=True, cwd=folder)
            taken[count] = watch.steps.pop(f"{count} trials")
    a_trial = {kind: (taken[trials][kind] - taken[1][kind]) / (trials - 1) for kind in ("wall", "CPU")}
    watch.steps["a trial"] = a_trial
    return {"of one trial, s": taken[1]["wall"], "a trial, ms": 1000 * a_trial["wall"]}
