"""Words and numbers as tables and figures show them: values, file names, which contestants have colour."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import pandas as pd

from mvarena.analysis.controls import signs_of
from mvarena.errors import unknown_name

# a cell's word for what became of a point without a number
STATUS_WORDS = {
    "FAILED": "failed",
    "TIMEOUT": "timeout",
    "OUT_OF_MEMORY": "out of memory",
    "CRASHED": "crashed",
    "SKIPPED": "skipped",
    "INTERRUPTED": "interrupted",
    "UNSCORED": "not scored",
    "NAN": "NaN",
    "INCOMPLETE": "not run at all rates",
}
NOT_RUN = "–"
PICKED_MARK = "*"
BELOW_MARK = "‡"


def shown_number(value: float, *, percent: bool) -> str:
    """0.74213 -> '74.21' in percent; otherwise four significant digits."""
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{100 * value:.2f}" if percent else f"{value:.4g}"


# Files by their own names: no folder of anybody's machine is shown.

_FOLDERS = re.compile(r"[^,?&=\[\]]*[/\\]")
_ONE_ROW = ["key", "dataset", "protocol", "metric"]


def file_name(dataset: str) -> str:
    """'my/faces.mat[a]?labels=/home/me/y.csv' -> 'faces.mat[a]?labels=y.csv'; any other name as it is."""
    return _FOLDERS.sub("", dataset) or dataset


def without_paths(scores: pd.DataFrame) -> pd.DataFrame:
    """Scores in long form with data sets by `file_name`.

    One trial on one file that was named by two paths is there once; different contents of one name are told apart
    later (`mvarena.analysis.naming`).
    """
    shown = {name: file_name(str(name)) for name in scores["dataset"].unique()}
    if all(name == short for name, short in shown.items()):
        return scores
    return scores.assign(dataset=scores["dataset"].map(shown)).drop_duplicates(_ONE_ROW).reset_index(drop=True)


# Which contestants figures show in colour: those that are asked for, or the best of very many.

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
            raise unknown_name("method in these results", name, known, f"There are {', '.join(sorted(known))}.")
    if highlight:
        return frozenset(item for item, algorithm in algorithms.items() if not {item, algorithm} & set(highlight))
    if len(algorithms) <= MOST:
        return frozenset()
    fair = summary[~summary["label_picked"]]
    good = fair["mean"] * signs_of(fair["metric"], directions)
    group = fair.assign(good=good).groupby(["dataset", "corruption", "rate", "metric"])["good"]
    ranks = group.rank(ascending=False, na_option="bottom").groupby(fair["contestant"]).mean()
    best = set(ranks.sort_values(kind="stable").index[:BEST])
    return frozenset(item for item in algorithms if item not in best)
