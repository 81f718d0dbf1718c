"""Mean ranks over data sets: each data set counts once, and what did not finish is ranked last."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

RANK_COLUMNS = ("corruption", "metric", "contestant", "algorithm", "mean_rank", "std", "n_datasets", "n_last")


def mean_ranks(scores: pd.DataFrame, directions: Mapping[str, bool]) -> pd.DataFrame:
    """One row per corruption, metric and contestant, columns RANK_COLUMNS, best first.

    scores : what `mvarena.analysis.over_rates.over_rates` returns. Rank 1 is best, equals share the mean of their
        places, and all without a number (failed, skipped, not at all rates) share the last places: n_last says on how
        many data sets. std : over the data sets (n - 1).
    Only data sets count on which every contestant of that corruption is stored; whatever ground truth picked has no
    rank. Empty where no data set is left, or fewer than two contestants. Cost O(rows log rows).
    """
    rows = []
    for (corruption, metric), part in scores[~scores["label_picked"]].groupby(["corruption", "metric"], sort=False):
        table = part.pivot_table(index="dataset", columns="contestant", values="n_rates", aggfunc="size", sort=False)
        shared = table.dropna().index
        if table.shape[1] < 2 or not len(shared):
            continue
        means = part[part["dataset"].isin(shared)].pivot(index="dataset", columns="contestant", values="mean")
        higher = directions.get(str(metric), True)
        ranks = means.rank(axis=1, ascending=not higher, na_option="bottom")
        algorithms = dict(zip(part["contestant"], part["algorithm"], strict=True))
        rows += [
            (corruption, metric, name, algorithms[name], ranks[name].mean(), ranks[name].std(), len(shared),
             int(means[name].isna().sum()))
            for name in ranks.mean().sort_values(kind="stable").index
        ]  # fmt: skip
    return pd.DataFrame(rows, columns=list(RANK_COLUMNS))


def left_out_of_ranks(scores: pd.DataFrame, corruption: str) -> list[str]:
    """The data sets on which some contestant of that corruption has no stored trial."""
    part = scores[(scores["corruption"] == corruption) & ~scores["label_picked"]]
    table = part.pivot_table(index="dataset", columns="contestant", values="n_rates", aggfunc="size", sort=False)
    return [str(name) for name in table.index[table.isna().any(axis=1)]]
