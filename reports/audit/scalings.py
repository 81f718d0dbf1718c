"""Scalings by data set: where `auto` is below a single scaling for all data, over the data sets at hand.

    python reports/audit/scalings.py scalings.db [--data NAME...] [--samples MOST]

runs `METHODS` on complete data under `auto` and each single scaling, what is stored in scalings.db already excepted,
on the data sets at hand of up to MOST samples whose classes are known, and prints the mean NMI of the methods by data
set, the means over data sources, and the sets on which `auto` is below the best single scaling by more than `MARGIN`.
A method counts on a data set where it finished under every scaling; of a version other than the installed one it does
not count. No rule is to be changed by what this shows on sets that are kept back for its judgement.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

import pandas as pd

import mvarena
from mvarena.registry.catalog import installed_catalog
from mvarena.store.frames import scores_frame
from mvarena.store.readonly import open_to_read

METHODS = ("concat", "sc-concat", "sc-average", "apmc", "daimc")
SINGLE = ("none", "unit-rows", "minmax", "unit-view")
SCALINGS = ("auto", *SINGLE)
MARGIN = 0.03


def by_data_set(scores: pd.DataFrame, versions: Mapping[str, str], auto: str) -> pd.DataFrame:
    """(data set) x (corpus, methods, then a column for each scaling): mean NMI of the methods on complete data.

    scores : a row per trial and metric (`mvarena.store.frames.scores_frame`). versions : algorithm -> its version that
    counts. auto : the step of the version of `auto` that counts, such as 'scale-auto 3'.
    """
    current = scores["algorithm"].map(versions).eq(scores["algorithm_version"])
    of_auto = (scores["scaling"] != "auto") | scores["steps"].fillna("").str.split(",").map(lambda steps: auto in steps)
    rows = scores[
        current
        & of_auto
        & (scores["metric"] == "nmi")
        & (scores["corruption"] == "none")
        & (scores["params"] == "{}")
        & scores["scaling"].isin(SCALINGS)
    ]
    entry = ["dataset", "corpus", "algorithm"]
    wide = rows.groupby([*entry, "scaling"])["value"].mean().unstack("scaling").reindex(columns=list(SCALINGS)).dropna()
    of_sets = wide.groupby(["dataset", "corpus"])
    table = of_sets.mean().assign(methods=of_sets.size()).reset_index("corpus")
    return table[["corpus", "methods", *SCALINGS]]


def over_corpora(table: pd.DataFrame) -> pd.Series:
    """Scaling -> the mean over corpora of the means over their data sets."""
    return table.groupby("corpus")[list(SCALINGS)].mean().mean()


def below_single(table: pd.DataFrame) -> list[str]:
    """The data sets on which `auto` is below the best single scaling by more than MARGIN, the largest loss first."""
    loss = table[list(SINGLE)].max(axis=1) - table["auto"]
    return [str(name) for name in loss[loss > MARGIN].sort_values(ascending=False).index]


def at_hand(most: int) -> list[str]:
    """Names of the data sets whose files are here, of up to `most` samples."""
    known = mvarena.list_datasets()
    return [str(name) for name in known.index[(known["state"] == "ready") & (known["samples"] <= most)]]


def main(words: Sequence[str] | None = None) -> int:
    """Run what is not stored yet and print the table."""
    parser = argparse.ArgumentParser(description="Scalings by data set, and where auto is below a single one.")
    parser.add_argument("database")
    parser.add_argument("--data", nargs="+", metavar="NAME", help="these data sets (default: all at hand)")
    parser.add_argument("--samples", type=int, default=2000, metavar="MOST", help="of up to so many samples")
    given = parser.parse_args(words)
    mvarena.run(
        list(METHODS),
        given.data or at_hand(given.samples),
        corruptions=["none"],
        scale=list(SCALINGS),
        repeats=1,
        restarts=10,
        protocol="fair",
        controls=False,
        cpu_time="2m",
        db=given.database,
    )
    catalog = installed_catalog()
    versions = {name: catalog.algorithm(name).version for name in METHODS}
    with open_to_read(given.database) as db:
        auto = f"scale-auto {catalog.transform('scale-auto').version}"
        table = by_data_set(scores_frame(db, metrics=["nmi"]), versions, auto)
    if table.empty:
        print("No method finished on any data set under all scalings.")
        return 1
    print((100 * table[list(SCALINGS)]).round(1).assign(methods=table["methods"]).to_string())
    means = (100 * over_corpora(table)).round(1)
    corpora = table["corpus"].nunique()
    print(f"\nMean over {corpora} data sources: " + ", ".join(f"{name} {value}" for name, value in means.items()) + ".")
    sets = ", ".join(below_single(table)) or "none"
    print(f"Data sets on which auto is below the best single scaling by more than {100 * MARGIN:.0f}: {sets}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
