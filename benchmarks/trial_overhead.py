"""What the framework costs per trial when the trial itself is next to nothing: `python benchmarks/trial_overhead.py`.

Runs the tests' toy algorithm on 30 points with one restart, many trials through the whole path (plan, claim, worker
process, record), and divides. Beside it, in the same run, the same trials executed in this process without worker
and store: the difference is what isolation and storage cost.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

TOYS = Path(__file__).parents[1] / "tests" / "toys"
sys.path.insert(0, str(TOYS))
os.environ["PYTHONPATH"] = os.pathsep.join([str(TOYS), os.environ.get("PYTHONPATH", "")])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=500, help="trials per round (default 500)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds (default 3)")
    arguments = parser.parse_args()

    from mvarena.arena import run_study
    from mvarena.engine.execute import execute
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.model import Study
    from mvarena.study.plan import plan_study

    whole, bare = [], []
    for seed in range(arguments.rounds):
        study = Study(
            algorithms=("toy-quick",), datasets=("toy-blobs",), trials=arguments.trials, restarts=1, seed=seed
        )
        trials = plan_study(study, installed_catalog()).trials
        execute(trials[0])
        started = time.perf_counter()
        for trial in trials:
            execute(trial)
        bare.append((time.perf_counter() - started) / len(trials))
        ended: list[float] = []
        with tempfile.TemporaryDirectory() as folder:
            run_study(
                study,
                db=Path(folder) / "results.db",
                on_progress=lambda progress, ended=ended: progress.trial and ended.append(time.perf_counter()),
            )
        whole.append((ended[-1] - ended[0]) / (len(ended) - 1))  # from the first end on: the worker's start is apart
    both = zip(whole, bare, strict=True)
    print("| per trial | median ms |\n|---|---|")
    print(f"| through worker and store | {1000 * statistics.median(whole):.2f} |")
    print(f"| executed in this process | {1000 * statistics.median(bare):.2f} |")
    print(f"| framework (the difference) | {1000 * statistics.median(w - b for w, b in both):.2f} |")


if __name__ == "__main__":
    main()
