"""Which contestants figures show in colour: those that are asked for, or the best of very many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from mvarena.errors import unknown_name

MOST = 12  # so many are told apart at a glance; of more
BEST = 8  # the best stand out, unless others are asked for


def muted_names(summary: pd.DataFrame, highlight: Sequence[str], directions: Mapping[str, bool]) -> frozenset[str]:
    """The contestants of a summary that stand back.

    highlight : algorithms or whole contestants; empty: where there are more than 12, the 8 of best mean rank over all
    points and metrics stand out, what did not finish being ranked last, and what ground truth picked not at all.
    Raises UnknownName for what is not among the results.
    """
    algorithms = dict(zip(summary["contestant"], summary["algorithm"], strict=True))
    known = {*algorithms, *algorithms.values()}
    for name in highlight:
        if name not in known:
            raise unknown_name("contestant in these results", name, known, f"There are {', '.join(sorted(known))}.")
    if highlight:
        return frozenset(one for one, algorithm in algorithms.items() if not {one, algorithm} & set(highlight))
    if len(algorithms) <= MOST:
        return frozenset()
    fair = summary[~summary["label_picked"]]
    signs = [1.0 if directions.get(metric, True) else -1.0 for metric in fair["metric"]]
    group = fair.assign(good=fair["mean"] * signs).groupby(["dataset", "corruption", "rate", "metric"])["good"]
    ranks = group.rank(ascending=False, na_option="bottom").groupby(fair["contestant"]).mean()
    best = set(ranks.sort_values(kind="stable").index[:BEST])
    return frozenset(one for one in algorithms if one not in best)
