"""DAIMC from two starts on several data sets: ours, and one made as the authors' code makes it. Prints Markdown.

    python benchmarks/daimc_starts.py --data 3sources bbcsport:0.3 msrcv1:0.3 digits:0.1 --seeds 3

Ours clusters a low-rank fit of what all views observe. The other clusters each view by itself, filled with its mean,
and averages the indicators of the views without matching their clusters. NAME:RATE removes that share of the rows of
each view (missing-per-view), once per seed. Rows have unit length; alpha = 1e-4, beta = 1e4. ACC and NMI are means of
20 k-means runs on V; the objective is the one after the last iteration.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import mvarena
from mvarena.algorithms.nmf.daimc import clustered_starts, daimc, starts_from
from mvarena.contracts.metric import Contingency
from mvarena.data import MultiViewData
from mvarena.numerics.assignment import assign_embedding
from mvarena.registry.catalog import installed_catalog

RESTARTS = 20


def unmatched_start(filled: MultiViewData, k: int, seed: int) -> Any:
    """(n, k) the mean over the views of the indicators of their own clusters, numbered as they come, plus 0.1."""
    V = np.full((filled.n_samples, k), 0.1)
    for view in filled.views:
        V[np.arange(len(V)), assign_embedding(view.matrix, k, [seed])[0].labels] += 1.0 / filled.n_views
    return V


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", required=True, metavar="NAME[:RATE]")
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    catalog = installed_catalog()
    metrics = [catalog.load(catalog.metric(name)) for name in ("acc", "nmi")]
    unit_rows, fill = (catalog.load(catalog.transform(name)) for name in ("unit-rows", "fill-mean"))
    remove = catalog.load(catalog.corruption("missing-per-view"))()
    print("| data | objective: ours | unmatched | ACC: ours | unmatched | NMI: ours | unmatched |")
    print("|---|---|---|---|---|---|---|")
    for asked in options.data:
        name, _, rate = asked.partition(":")
        rows = []
        for seed in range(options.seeds):
            data = mvarena.load_dataset(name)
            data = unit_rows(remove.apply(data, float(rate), np.random.default_rng(seed)) if rate else data)
            k, views = data.n_clusters or 1, [view.matrix for view in data.views]
            unmatched = starts_from(unmatched_start(fill(data), k, seed), views, data.mask)
            starts = (clustered_starts(views, data.mask, k), unmatched)
            found = [daimc(views, data.mask, U, V, B, alpha=1e-4, beta=1e4) for U, V, B in starts]
            runs = [assign_embedding(result.V, k, range(RESTARTS)) for result in found]
            tables = [[Contingency.from_labels(data.labels, run.labels) for run in each] for each in runs]
            means = [np.mean([metric(table) for table in each]) for metric in metrics for each in tables]
            rows.append([*(result.trace.values[-1] for result in found), *means])
        cells = " | ".join(
            f"{value:.2f}" if i < 2 else f"{100 * value:.1f}" for i, value in enumerate(np.mean(rows, 0))
        )
        print(f"| {asked} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
