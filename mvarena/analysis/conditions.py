"""Selection of what is shown: one scaling and filling, and the newest version of a method in a user's file.

Which others are stored is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pandas as pd

from mvarena.analysis.naming import names_by_content
from mvarena.registry.code_version import PREFIX as OF_CODE
from mvarena.study.adaptation import AUTO, NONE, lacks_unit, takes_kernels
from mvarena.study.model import DEFAULT_FILL
from mvarena.text import listed

_TRIAL = ["key", "dataset", "protocol"]
_SAME_BUT_FOR_STEPS = [
    "dataset", "content", "corruption", "rate", "algorithm", "algorithm_version", "params", "protocol", "pick", "seed",
    "repeat",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Preparation:
    """Scaling and filling of the shown trials.

    filling : '' where no shown method needs one. exceptions : data set -> (scaling, filling), where it is another one.
    others : what is stored besides, as 'scaling none'.
    """

    scaling: str = ""
    filling: str = ""
    exceptions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    others: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """'scaling auto, filling knn (kernel-yale: scaling none)'; '' where nothing was chosen."""
        if not self.scaling:
            return ""
        text = _words(self.scaling, self.filling)
        by_words: dict[str, list[str]] = {}
        for dataset, (scaling, filling) in self.exceptions.items():
            parts = [f"scaling {scaling}"] if scaling != self.scaling else []
            parts += [f"filling {filling}"] if filling not in ("", self.filling) else []
            by_words.setdefault(", ".join(parts), []).append(dataset)
        besides = "; ".join(f"{', '.join(names)}: {words}" for words, names in by_words.items() if words)
        return f"{text} ({besides})" if besides else text

    @property
    def sentence(self) -> str:
        """Words with what is stored besides, and how to see it; '' where nothing was chosen."""
        if not self.others:
            return ""
        return f"Shown: {self.words}. Also stored: {listed(self.others)}; choose with --scale, --fill or --prepare."


def all_preparations(frame: pd.DataFrame) -> list[tuple[pd.DataFrame, Preparation]]:
    """The rows under each scaling and filling that is stored, what `one_preparation` shows first.

    Methods that need no filling are under each filling of their scaling.
    """
    shown = one_preparation(frame)
    result = [shown]
    for scaling, rows in frame.groupby("scaling", sort=True):
        for filling in sorted(set(rows["filling"]) - {""}) or [""]:
            if (scaling, filling) == (shown[1].scaling, shown[1].filling):
                continue
            under = rows[rows["filling"].isin(["", filling])]
            result.append((under[_scaled_first(under)], Preparation(str(scaling), str(filling))))
    return result


def one_preparation(frame: pd.DataFrame) -> tuple[pd.DataFrame, Preparation]:
    """The rows of the long form under one scaling and filling, and which these are.

    The pair is shown under which the most methods ran on the most data sets (of equally many: auto and knn first);
    methods that need no filling belong to every filling. Data sets of kernels, which nothing scales, and data sets of
    one scaling do not decide. A data set that has no trial under the pair shows the best of its own, so that within
    one data set all are prepared alike. Of trials that differ in the order of their steps alone, the one that scales
    first is kept; of those of features made of kernels or distances, the one that gives them a unit.
    Data sets are told apart by their content, too: two files of one name are two.
    Cost O(rows).
    """
    if frame.empty:
        return frame, Preparation()
    names = names_by_content(frame)
    trials = frame.assign(dataset=names).drop_duplicates(_TRIAL)
    cells = trials[["dataset", "algorithm", "scaling", "filling"]].drop_duplicates()
    several = cells.groupby("dataset")["scaling"].transform("nunique") > 1
    several &= ~cells["dataset"].isin(set(trials.loc[trials["prepare"].map(takes_kernels), "dataset"]))
    common = _most_methods(cells[several] if several.any() else cells)
    shown = {str(dataset): _of_dataset(part, *common) for dataset, part in cells.groupby("dataset")}
    scalings, fillings = (names.map({name: pair[place] for name, pair in shown.items()}) for place in (0, 1))
    kept = frame[(frame["scaling"] == scalings) & ((frame["filling"] == fillings) | (frame["filling"] == ""))]
    kept = kept[_scaled_first(kept)]
    exceptions = {name: pair for name, pair in shown.items() if pair not in (common, (common[0], ""))}
    return kept, Preparation(*common, exceptions, _others(cells, {common, *shown.values()}))


def newest_versions(frame: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, int]]:
    """The rows without older versions of methods that declare none, and how many versions each of these has.

    The newest version of a method is the one whose latest trial began last. Declared versions are all kept.
    frame : the long form. Cost O(rows).
    """
    trials = frame.loc[
        frame["algorithm_version"].str.startswith(OF_CODE), ["algorithm", "algorithm_version", "started_at"]
    ]
    counts = trials.drop_duplicates(["algorithm", "algorithm_version"])["algorithm"].value_counts()
    several = {str(name): int(counts[name]) for name in sorted(counts.index[counts > 1])}
    if not several:
        return frame, {}
    shown = frame["algorithm"].map(newest_of_code(trials.itertuples(index=False, name=None)))
    return frame[~frame["algorithm"].isin(several) | (frame["algorithm_version"] == shown)], several


def newest_of_code(trials: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Method -> of its versions that are made from its code, the one whose latest trial began last.

    trials : method, version and beginning (UTC, ISO 8601) of each. A method without such a version is left out. Such
    versions are hashes, which have no order of their own. Cost O(trials).
    """
    latest: dict[str, tuple[str, str]] = {}
    for name, version, began in trials:
        if version.startswith(OF_CODE):
            latest[name] = max(latest.get(name, ("", "")), (began, version))
    return {name: version for name, (_, version) in latest.items()}


def _most_methods(cells: pd.DataFrame) -> tuple[str, str]:
    """The pair of scaling and filling under which the most methods ran on the most data sets."""
    counts: dict[tuple[str, str], int] = {}
    for scaling, part in cells.groupby("scaling"):
        for filling in sorted(set(part["filling"]) - {""}) or [""]:
            under = part[part["filling"].isin(["", filling])]
            counts[str(scaling), str(filling)] = len(set(zip(under["dataset"], under["algorithm"], strict=True)))
    return min(counts, key=lambda pair: (-counts[pair], pair[0] != AUTO, pair[1] != DEFAULT_FILL, pair))


def _of_dataset(cells: pd.DataFrame, scaling: str, filling: str) -> tuple[str, str]:
    """The pair that a data set shows: the common one, one of the same scaling or filling, or the best of its own."""
    same_scaling, fitting = cells["scaling"] == scaling, cells["filling"].isin(["", filling])
    for kept in (same_scaling & fitting, same_scaling, fitting):
        if kept.any():
            return _most_methods(cells[kept])
    return _most_methods(cells)


def _scaled_first(frame: pd.DataFrame) -> pd.Series:
    """Row by row, whether no other preparation of the same trial is to be preferred."""
    trials = frame.drop_duplicates(_TRIAL)
    later = trials["prepare"].str.startswith("fill-") & (trials["scaling"] != NONE)
    ordered = trials.assign(later=later, bare=trials["prepare"].map(lacks_unit).astype(bool))
    ordered = ordered.sort_values(["later", "bare", "prepare"], kind="stable")
    repeated = ordered.duplicated(_SAME_BUT_FOR_STEPS)
    dropped = set(map(tuple, ordered.loc[repeated, _TRIAL].to_numpy()))
    if not dropped:
        return pd.Series(True, index=frame.index)
    rows = zip(*(frame[name] for name in _TRIAL), strict=True)
    return pd.Series([row not in dropped for row in rows], index=frame.index)


def _others(cells: pd.DataFrame, shown: set[tuple[str, str]]) -> tuple[str, ...]:
    """Stored scalings and fillings that are not shown, as 'scaling none'."""
    return tuple(
        f"{column} {name}"
        for index, column in enumerate(("scaling", "filling"))
        for name in sorted(set(cells[column]) - {pair[index] for pair in shown} - {""})
    )


def _words(scaling: str, filling: str) -> str:
    return f"scaling {scaling}{f', filling {filling}' if filling else ''}"
