"""Time, memory and scores of methods on one input, each in a fresh process: what the scripts of two families share.

The input is an .npz with views X0, X1, ... (samples x features, a missing sample is a row of NaN) and labels y;
missing rows get the view's mean and columns are z-scored first, outside of the clock. Clusters are those of the run
with the lowest inertia among 20 of k-means. Set the number of threads through OMP_NUM_THREADS.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from peer_input import accuracy, filled_and_scaled, views_and_classes
from sklearn.metrics import normalized_mutual_info_score

from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import MultiViewData


def load(path: Path) -> MultiViewData:
    """The file's views, mean-filled and z-scored."""
    views, classes = views_and_classes(str(path))
    return MultiViewData.from_arrays(filled_and_scaled(views), labels=classes, name=path.stem)


def measure(path: Path, spec: AlgorithmSpec) -> dict[str, Any]:
    """Fit one method, with its default parameters, in this process."""
    data = load(path)
    module, _, attribute = spec.target.partition(":")
    model = getattr(import_module(module), attribute)(random_state=0)
    before = resource.getrusage(resource.RUSAGE_SELF)
    start = time.perf_counter()
    found = model.represent(data.without_labels())
    represented = time.perf_counter()
    labels = min(found.assign(data.n_clusters or 1, range(20)), key=lambda a: a.inertia).labels
    end = time.perf_counter()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "represent": represented - start,
        "assign": end - represented,
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "squares": (after.ru_maxrss - before.ru_maxrss) * 1024 / (8 * data.n_samples**2),
        "n_iter": found.n_iter,
        "ended": found.stopped_because,
        "acc": accuracy(data.labels, labels),
        "nmi": normalized_mutual_info_score(data.labels, labels),
    }


def main(script: str, summary: str, specs: Sequence[AlgorithmSpec], default: Sequence[str]) -> None:
    """The command line of the script at path `script`: a Markdown table with a row for each method asked for."""
    by_name = {spec.name: spec for spec in specs}
    parser = argparse.ArgumentParser(
        description=f"{summary}\n\n{__doc__}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the .npz file")
    parser.add_argument("--methods", nargs="+", default=list(default), choices=list(by_name))
    parser.add_argument(
        "--polyview",
        metavar="PYTHON",
        help="an interpreter that has polyview: its co-regularised method in the same run",
    )
    parser.add_argument("--one", action="store_true", help="measure the single method given, here, and print JSON")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.data, by_name[options.methods[0]])))
        return
    print("| method | represent s | assign s | CPU s | peak n x n doubles | iterations | ACC | NMI | ended |")
    print("|---|---|---|---|---|---|---|---|---|")
    data = str(options.data)
    commands = {name: [sys.executable, script, "--data", data, "--one", "--methods", name] for name in options.methods}
    if options.polyview:
        commands["polyview CoReg"] = [options.polyview, str(Path(__file__).with_name("peer_coreg.py")), data]
    for name, command in commands.items():
        row = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(
            f"| {name} | {row['represent']:.2f} | {row['assign']:.2f} | {row['cpu']:.2f} | {row['squares']:.1f} | "
            f"{row['n_iter']} | {row['acc']:.3f} | {row['nmi']:.3f} | {row['ended']} |",
            flush=True,
        )
