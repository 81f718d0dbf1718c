"""python -m benchmarks.cluster_numbers: the suggested number of clusters beside the number of classes.

Runs what `mvarena cluster DATA --clusters 2:12` does on data sets with classes, which it does not see, and writes the
tables of reports/numbers/README.md from numbers.json, which it keeps: what is measured is not measured again.

    python -m benchmarks.cluster_numbers                     # all sets below that are at hand
    python -m benchmarks.cluster_numbers --data cub msrcv1   # these anew
    python -m benchmarks.cluster_numbers --only-page         # the tables from what is measured
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score

import mvarena
from mvarena.analysis.clusters import number_of_clusters
from mvarena.cli.cluster.command import combined_clusters, scaled_data, study_of
from mvarena.running import run_blocks
from mvarena.study.sources import load_source

REPORT = Path(__file__).parents[1] / "reports" / "numbers"
NUMBERS = range(2, 13)
# while the criterion was chosen, these were looked at
CHOSEN_ON = (
    "bbcsport", "3sources-complete", "msrcv1", "newsgroups", "synthetic3d", "webkb-cornell", "webkb-texas",
    "webkb-washington", "webkb-wisconsin", "prokaryotic", "bbc-4view", "digits[fou,fac]", "reuters1200", "cub",
)  # fmt: skip
# of another corpus each, and not looked at
OTHERS = (
    "fox", "cnn", "bdgp", "kernel-cornell", "usps-mnist", "digits[kar,mor]", "wikipedia", "cora", "citeseer",
)  # fmt: skip
WAYS = ("modularity", "silhouette", "agreement")


def measured(name: str, database: Path) -> dict[str, Any]:
    """The curve of a data set, with the adjusted Rand index of each number's clusters."""
    blocks, how = study_of(name, f"{NUMBERS[0]}:{NUMBERS[-1]}", {"db": str(database)})
    result = run_blocks(blocks, how, shown=())
    whole = load_source(result.plan.trials[0].source, mvarena.registry.catalog.installed_catalog())
    scaled, _ = scaled_data(whole)
    clusters = combined_clusters(result, how.db, scaled)
    chosen = number_of_clusters(clusters, scaled)
    known = whole.labels >= 0
    curve = chosen.curve.assign(
        ari=[adjusted_rand_score(whole.labels[known], clusters[k].labels[known]) for k in chosen.curve["k"]]
    )
    return {"classes": int(whole.n_clusters or 0), "share": chosen.share, "curve": curve.round(4).to_dict("list")}


def losses(entry: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Way to choose -> the number that it gives, and by how much its ARI is below that of the best number."""
    curve = {name: np.array(values, dtype=float) for name, values in entry["curve"].items()}
    best = curve["ari"].max()
    result = {}
    for way in WAYS:
        if not np.isnan(curve[way]).all():
            index = int(np.nanargmax(curve[way]))
            result[way] = (curve["k"][index], best - curve["ari"][index])
    at_classes = np.flatnonzero(curve["k"] == entry["classes"])
    if at_classes.size:
        result["classes"] = (entry["classes"], best - curve["ari"][at_classes[0]])
    return result | {
        "always 2": (2, best - curve["ari"][0]),
        "at random": (float(curve["k"].mean()), best - curve["ari"].mean()),
    }


def page(stored: dict[str, Any]) -> str:
    """The page: means over the sets that were looked at and the others, and a line for each set."""
    parts = [
        "# How many clusters",
        "`mvarena cluster --clusters 2:12` suggests the number of highest modularity on the neighbours in all views. "
        "Here it runs on data whose classes are known, and which it does not see. A loss is the adjusted Rand index of "
        "the best of the eleven numbers less that of the number chosen.",
        "    python -m benchmarks.cluster_numbers    # measures what is not measured yet, and writes this page",
    ]
    for title, names in (("Sets that were looked at when the criterion was chosen", CHOSEN_ON), ("Other sets", OTHERS)):
        there = [name for name in names if name in stored]
        of_sets = {name: losses(stored[name]) for name in there}
        parts += [f"## {title}", f"{len(there)} data sets.", _means(of_sets)]
        lines = [
            "| data set | classes | modularity | in resamples | silhouette | agreement | best |",
            "|---|--:|--:|--:|--:|--:|--:|",
        ]
        for name in there:
            curve = stored[name]["curve"]
            cells = [_of(of_sets[name], way) for way in WAYS]
            best = curve["k"][int(np.argmax(curve["ari"]))]
            share = f"{100 * stored[name]['share']:.0f} %"
            row = (name, stored[name]["classes"], cells[0], share, cells[1], cells[2], best)
            lines.append(f"| {' | '.join(map(str, row))} |")
        parts.append("\n".join(lines))
        parts.append("The number that each way gives, and in brackets its loss.")
    return "\n\n".join(parts) + "\n"


def _of(of_set: dict[str, tuple[float, float]], way: str) -> str:
    return f"{of_set[way][0]:.0f} ({of_set[way][1]:.2f})" if way in of_set else "–"


def _means(of_sets: dict[str, dict[str, tuple[float, float]]]) -> str:
    """Mean loss of each way, and of the differences from the modularity's, with a 95 % interval over the sets."""
    generator = np.random.default_rng(0)
    lines = ["| way to choose | mean loss | more than by modularity, 95 % interval |", "|---|--:|--:|"]
    for way in (*WAYS, "always 2", "at random", "classes"):
        pairs = np.array([(item["modularity"][1], item[way][1]) for item in of_sets.values() if way in item])
        more = pairs[:, 1] - pairs[:, 0]
        means = more[generator.integers(0, len(more), (10_000, len(more)))].mean(axis=1)
        low, high = np.percentile(means, (2.5, 97.5))
        told = "" if way == "modularity" else f"{more.mean():+.3f} [{low:+.3f}, {high:+.3f}]"
        lines.append(f"| {way} | {pairs[:, 1].mean():.3f} | {told} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", default=[], help="measure these anew")
    parser.add_argument("--only-page", action="store_true")
    given = parser.parse_args()
    store = REPORT / "numbers.json"
    stored: dict[str, Any] = json.loads(store.read_text("utf-8")) if store.exists() else {}
    wanted = given.data or [name for name in (*CHOSEN_ON, *OTHERS) if name not in stored]
    with tempfile.TemporaryDirectory() as folder:
        for name in [] if given.only_page else wanted:
            try:
                stored[name] = measured(name, Path(folder) / "results.db")
            except mvarena.errors.DataUnavailable as error:
                print(f"{name}: left out: {str(error).splitlines()[0]}", flush=True)
                continue
            store.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
            print(name, _of(losses(stored[name]), "modularity"), "of", stored[name]["classes"], flush=True)
    (REPORT / "README.md").write_text(page(stored), "utf-8")


if __name__ == "__main__":
    main()
