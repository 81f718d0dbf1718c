"""Methods below a trivial baseline on complete data, by kind of data, from a results database.

    python reports/audit/baselines.py reports/arena/results.db

prints, for each method, the kinds on which its mean NMI lies below that of concat (k-means on all features side by
side), with what its page says of it, and ends with 1 where a page does not name such a kind. A kind counts where the
mean lies below by more than `ALONE`, and from `FEWEST` data sources on where it does by more than `MARGIN`; sets of one
source count once. Only default parameters, the default scaling and current versions of the methods count.

A page names kinds before the colon of a part of its text, as in "images, omics: the cause; texts: another cause":
those of `WORDS`, with commas between them. "most data" and "all data" name every kind. Parts that begin otherwise, as
"views of up to three features: ...", name none.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

import pandas as pd

from mvarena.registry.catalog import installed_catalog
from mvarena.store.frames import scores_frame
from mvarena.store.readonly import open_to_read

BASELINE = "concat"
MARGIN = 0.05
FEWEST = 2
ALONE = 0.2

# how texts name a kind, where not by its own name
WORDS = {"images and texts": "images beside texts", "other": "other data", "synthetic": "synthetic data"}
EVERY = {"most data", "all data"}


def below_baseline(scores: pd.DataFrame, versions: Mapping[str, str]) -> pd.DataFrame:
    """Rows (algorithm, kind, sources, nmi, baseline) of all means that lie below the baseline's by more than they may.

    scores : a row per trial and metric (`mvarena.store.frames.scores_frame`). versions : algorithm -> its version that
    counts; of others all do. Both means are over the sources on which the method and the baseline have finished.
    """
    stored = zip(scores["algorithm"], scores["algorithm_version"], strict=True)
    current = pd.Series([versions.get(name, version) == version for name, version in stored], index=scores.index)
    complete = scores[
        current
        & (scores["metric"] == "nmi")
        & (scores["corruption"] == "none")
        & (scores["params"] == "{}")
        & scores["scaling"].isin(["auto", "none"])
        & scores["value"].notna()
    ]
    means = complete.groupby(["kind", "corpus", "algorithm"])["value"].mean().unstack("algorithm")
    rows = []
    for algorithm in means.columns.drop(BASELINE):
        both = means[[algorithm, BASELINE]].dropna()
        for kind, part in both.groupby(level="kind"):
            own, other = part[algorithm].mean(), part[BASELINE].mean()
            if own < other - (MARGIN if len(part) >= FEWEST else ALONE):
                rows.append((algorithm, kind, len(part), own, other))
    return pd.DataFrame(rows, columns=["algorithm", "kind", "sources", "nmi", "baseline"])


def unnamed(kinds: Iterable[str], caveats: str) -> list[str]:
    """Those of `kinds` that no part of a page's text begins with."""
    parts = [part.partition(":") for part in caveats.split("; ")]
    named = {word.strip() for words, colon, _ in parts if colon for word in words.split(",")}
    return [kind for kind in kinds if named.isdisjoint(EVERY | {WORDS.get(kind, kind)})]


def main(database: str) -> int:
    """Print the table; 1 where the page of a method in it does not name a kind of it."""
    specs = {spec.name: spec for spec in installed_catalog().specs("algorithm")}
    with open_to_read(database) as db:
        rows = below_baseline(scores_frame(db), {name: spec.version for name, spec in specs.items()})
    apart = {"random", "one-cluster", "shuffled-truth"}
    silent = []
    for algorithm, part in rows[~rows["algorithm"].isin(apart)].groupby("algorithm"):
        kinds = "; ".join(f"{row.kind} {100 * row.nmi:.0f} of {100 * row.baseline:.0f}" for row in part.itertuples())
        caveats = specs[algorithm].caveats if algorithm in specs else "all data: its plugin is not installed"
        print(f"{algorithm}: {kinds}\n    {caveats or 'its page says nothing of it'}")
        if missing := unnamed(part["kind"], caveats):
            silent.append(f"{algorithm} ({', '.join(missing)})")
    if silent:
        print(f"Without a reason on their page: {'; '.join(silent)}.")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
