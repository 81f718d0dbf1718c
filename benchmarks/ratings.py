"""What ratings with their bootstrap cost, by the number of contestants."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from benchmarks.harness import case
from benchmarks.watch import Watch


@case(
    "ratings", group="report", grid={"contestants": [54, 248]}, quick={"contestants": [54]}, over="contestants",
    threads=1, measures=("wall", "CPU", "MiB"),
)  # fmt: skip
def ratings(watch: Watch, contestants: int, corpora: int = 12, draws: int = 1000) -> dict[str, float]:
    """Ratings of so many contestants, with intervals by 1,000 draws of twelve corpora."""
    from mvarena.analysis.ratings import ratings as rated
    from mvarena.analysis.standings import Standings

    rng = np.random.default_rng(0)
    values = pd.DataFrame(0.3 * rng.normal(size=contestants) + rng.normal(size=(corpora, contestants)))
    values = values.add_prefix("method-").set_index(np.array([f"data-{place}" for place in range(corpora)]))
    table = Standings(
        metric="acc",
        higher_is_better=True,
        values=values,
        ranks=values.assign(**dict(zip(values, rankdata(-values, axis=1).T, strict=True))),
        datasets={name: (name,) for name in values.index},
        unfinished={},
        n_conditions={},
    )
    with watch("ratings"):
        found = rated(table, n_bootstrap=draws)
    return {"widest interval": float((found["high"] - found["low"]).max())}
