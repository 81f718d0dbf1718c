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
from mvarena.analysis.cluster_criteria import DEFAULT_CRITERION
from mvarena.analysis.cluster_numbers import (
    eigengaps,
    gap_statistic,
    neighbour_graph,
    number_of_clusters,
    principal_scores,
    scores_without_each_view,
    smallest_within_error,
    stability,
)
from mvarena.cli.cluster import combined_clusters, scaled_data, study_of
from mvarena.registry.catalog import installed_catalog
from mvarena.running import run_blocks
from mvarena.study.sources import load_source, source_from_text
from mvarena.text import listed

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
WAYS = ("modularity", "silhouette", "agreement", "eigengap", "gap", "stability", "view-stability")


def measured(name: str, database: Path) -> dict[str, Any]:
    """The curve of a data set, with the adjusted Rand index of each number's clusters."""
    blocks, how = study_of(name, f"{NUMBERS[0]}:{NUMBERS[-1]}", {"db": str(database)})
    result = run_blocks(blocks, how, shown=())
    whole = load_source(result.plan.trials[0].source, installed_catalog())
    scaled, _ = scaled_data(whole)
    clusters = combined_clusters(result, how.db, scaled)
    chosen = number_of_clusters(clusters, scaled)
    known = whole.labels >= 0
    curve = chosen.curve.assign(
        ari=[adjusted_rand_score(whole.labels[known], clusters[k].labels[known]) for k in chosen.curve["k"]]
    )
    return {"classes": int(whole.n_clusters or 0), "share": chosen.share, "curve": curve.round(4).to_dict("list")}


def looked_at(name: str) -> dict[str, list[float]]:
    """The columns of the curve that need no labelling: eigengap, gap statistic with its errors, and stabilities."""
    scaled, filled = scaled_data(load_source(source_from_text(name), installed_catalog()))
    columns = {"eigengap": eigengaps(neighbour_graph(scaled), NUMBERS)}
    scores = principal_scores(filled)
    if scores is not None:
        columns["gap"], columns["gap error"] = gap_statistic(scores, NUMBERS)
        columns["stability"] = stability([scores], NUMBERS)
        columns["view-stability"] = stability(scores_without_each_view(filled), NUMBERS)
    return {way: np.round(values, 4).tolist() for way, values in columns.items()}


def chosen_by(way: str, curve: dict[str, np.ndarray]) -> int | None:
    """Place of the number that a way chooses; None where it cannot say."""
    if way not in curve or np.isnan(curve[way]).all():
        return None
    return smallest_within_error(curve["gap"], curve["gap error"]) if way == "gap" else int(np.nanargmax(curve[way]))


def losses(entry: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Way to choose -> the number that it gives, and by how much its ARI is below that of the best number."""
    curve = {name: np.array(values, dtype=float) for name, values in entry["curve"].items()}
    best = curve["ari"].max()
    result = {}
    for way in WAYS:
        index = chosen_by(way, curve)
        if index is not None:
            result[way] = (curve["k"][index], best - curve["ari"][index])
    at_classes = np.flatnonzero(curve["k"] == entry["classes"])
    if at_classes.size:
        result["classes"] = (entry["classes"], best - curve["ari"][at_classes[0]])
    return result | {
        "always 2": (2, best - curve["ari"][0]),
        "at random": (float(curve["k"].mean()), best - curve["ari"].mean()),
    }


def page(stored: dict[str, Any]) -> str:
    """The page: means over the sets that were looked at, the others and all, and a line for each set."""
    of_sets = {name: losses(stored[name]) for name in (*CHOSEN_ON, *OTHERS) if name in stored}
    looked, others = ([name for name in names if name in stored] for names in (CHOSEN_ON, OTHERS))
    parts = [
        "# How many clusters",
        "`mvarena cluster --clusters 2:12` suggests the number of highest modularity on the neighbours in all views; "
        "`--suggest-by` names another criterion. Here it runs on data whose classes are known, and which it does not "
        "see. A loss is the adjusted Rand index of the best of the eleven numbers less that of the number chosen; off "
        "is the distance from the number of classes.",
        "    python -m benchmarks.cluster_numbers    # measures what is not measured yet, and writes this page",
        "Modularity was made the default by the first sets below, so that only the other sets judge it. Eigengap, gap "
        "statistic and the stabilities came later, with the settings of their sources, and were tuned on no set. Sets "
        "of one corpus (WebKB, digits) count one by one.",
        *filter(None, [_not_defined(stored)]),
        "## Sets that were looked at when the default was chosen",
        *_section(looked, of_sets, stored),
        "## Other sets",
        *_section(others, of_sets, stored),
        "## All sets",
        f"{len(looked)} that were looked at, and {len(others)} others.",
        *_means(of_sets, stored),
    ]
    return "\n\n".join(parts) + "\n"


def _section(names: list[str], of_sets: dict[str, dict[str, tuple[float, float]]], stored: dict[str, Any]) -> list[str]:
    """The means over some sets, and a line for each."""
    heads = ["data set", "classes", *WAYS, "in resamples", "best"]
    lines = [f"| {' | '.join(heads)} |", f"|---|{'--:|' * (len(heads) - 1)}"]
    for name in names:
        curve = stored[name]["curve"]
        cells = [_of(of_sets[name], way) for way in WAYS]
        best = curve["k"][int(np.argmax(curve["ari"]))]
        row = (name, stored[name]["classes"], *cells, f"{100 * stored[name]['share']:.0f} %", best)
        lines.append(f"| {' | '.join(map(str, row))} |")
    means = _means({name: of_sets[name] for name in names}, stored)
    told = "Numbers that the ways give, and in brackets their loss; in resamples: how often modularity gives the same."
    return [f"{len(names)} data sets.", *means, "\n".join(lines), told]


def _of(of_set: dict[str, tuple[float, float]], way: str) -> str:
    return f"{of_set[way][0]:.0f} ({of_set[way][1]:.2f})" if way in of_set else "–"


def _not_defined(stored: dict[str, Any]) -> str:
    """Sentences on the sets that lack a way, such as kernels, which have no features, and on those not measured."""
    lacking: dict[str, list[str]] = {}
    for name, entry in stored.items():
        ways = [way for way in WAYS if way not in losses(entry)]
        if ways:
            lacking.setdefault(listed(ways), []).append(name)
    sentences = [f"No {ways} on {listed(names)}." for ways, names in lacking.items()]
    absent = [name for name in (*CHOSEN_ON, *OTHERS) if name not in stored]
    return " ".join([*sentences, *([f"Not measured: {listed(absent)}."] if absent else [])])


def _means(of_sets: dict[str, dict[str, tuple[float, float]]], stored: dict[str, Any]) -> list[str]:
    """Mean loss of each way, and of the differences from the default's, with a 95 % interval over the sets."""
    generator = np.random.default_rng(0)
    lines = [f"| way to choose | sets | off | mean loss | more than by {DEFAULT_CRITERION}, 95 % interval |"]
    lines.append("|---|--:|--:|--:|--:|")
    worse, open_ways = [], []
    for way in (*WAYS, "always 2", "at random", "classes"):
        having = [name for name in of_sets if way in of_sets[name]]
        pairs = np.array([(of_sets[name][DEFAULT_CRITERION][1], of_sets[name][way][1]) for name in having])
        off = np.mean([_off(way, stored[name], of_sets[name]) for name in having])
        more = pairs[:, 1] - pairs[:, 0]
        means = more[generator.integers(0, len(more), (10_000, len(more)))].mean(axis=1)
        low, high = np.percentile(means, (2.5, 97.5))
        told = "" if way == DEFAULT_CRITERION else f"{more.mean():+.3f} [{low:+.3f}, {high:+.3f}]"
        lines.append(f"| {way} | {len(having)} | {off:.1f} | {pairs[:, 1].mean():.3f} | {told} |")
        if way not in (DEFAULT_CRITERION, "classes"):
            (worse if low > 0 else open_ways).append(way)
    shown = f"By the intervals, the default loses less than {listed(worse) or 'no other way'}"
    undecided = f"; beside {listed(open_ways)} this is not shown." if open_ways else "."
    return ["\n".join(lines), f"{shown}{undecided}"]


def _off(way: str, entry: dict[str, Any], of_set: dict[str, tuple[float, float]]) -> float:
    """Distance of the number chosen from that of the classes; of a random one, its mean over all numbers."""
    chosen = entry["curve"]["k"] if way == "at random" else [of_set[way][0]]
    return float(np.mean(np.abs(np.array(chosen) - entry["classes"])))


def _is_whole(entry: dict[str, Any] | None) -> bool:
    """True for an entry with all columns that are measured together."""
    return entry is not None and "eigengap" in entry["curve"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", default=[], help="measure these anew")
    parser.add_argument("--only-page", action="store_true")
    given = parser.parse_args()
    store = REPORT / "numbers.json"
    stored: dict[str, Any] = json.loads(store.read_text("utf-8")) if store.exists() else {}
    wanted = given.data or [name for name in (*CHOSEN_ON, *OTHERS) if not _is_whole(stored.get(name))]
    with tempfile.TemporaryDirectory() as folder:
        for name in [] if given.only_page else wanted:
            try:
                if name not in stored or given.data:
                    stored[name] = measured(name, Path(folder) / "results.db")
                stored[name]["curve"] |= looked_at(name)
            except mvarena.errors.DataUnavailable as error:
                print(f"{name}: left out: {str(error).splitlines()[0]}", flush=True)
                continue
            store.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
            print(name, _of(losses(stored[name]), "modularity"), "of", stored[name]["classes"], flush=True)
    (REPORT / "README.md").write_text(page(stored), "utf-8")


if __name__ == "__main__":
    main()
