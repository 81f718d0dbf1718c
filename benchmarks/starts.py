"""DAIMC from two starts: ours, and one made as the authors' code makes it."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import inputs
from benchmarks.harness import case
from benchmarks.watch import Watch


@case(
    "daimc-starts", group="methods", version="2",
    grid={"data": ["digits:0.3"], "seed": [0, 1, 2]}, quick={"data": ["digits:0.3"], "seed": [0], "n": [500]},
)  # fmt: skip
def daimc_starts(watch: Watch, data: str, seed: int, n: int | None = None) -> dict[str, Any]:
    """DAIMC on unit rows from clusters of a low-rank fit of all views, and from unmatched clusters of each.

    alpha = 1e-4, beta = 1e4. ACC and NMI are means of 20 k-means runs on V; the objective is the one at the end.
    """
    import mvarena
    from mvarena.algorithms.nmf.daimc import clustered_starts, daimc, starts_from
    from mvarena.numerics.assignment import assign_embedding
    from mvarena.numerics.iteration import Stopping

    given = mvarena.prepare(inputs.load(data, n, seed), "unit-rows")
    views, k = [view.matrix for view in given.views], given.n_clusters
    filled = mvarena.prepare(given, "fill-mean")
    # the indicators of each view's own clusters, numbered as they come
    V = np.full((given.n_samples, k), 0.1)
    for view in filled.views:
        V[np.arange(len(V)), assign_embedding(view.matrix, k, [seed])[0].labels] += 1.0 / filled.n_views
    starts = {"ours": clustered_starts(views, given.mask, k), "unmatched": starts_from(V, views, given.mask)}
    found: dict[str, Any] = {}
    for name, (U, V, B) in starts.items():
        with watch(name):
            result = daimc(views, given.mask, U, V, B, alpha=1e-4, beta=1e4, stopping=Stopping(30, 1e-4))
        runs = assign_embedding(result.V, k, range(20))
        scores = inputs.scores(given.labels, [run.labels for run in runs], [run.inertia for run in runs])
        found[f"objective {name}"] = round(float(result.history.objective[-1]), 2)
        found |= {f"{metric} {name}": round(100 * scores[metric], 1) for metric in ("ACC", "NMI")}
    return found
