"""Questions of our own as data: ways to prepare everybody's data, and ways to choose without labels, compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal, Self

import pandas as pd
from pydantic import Field, model_validator

from mvarena.analysis.picking import picks_among
from mvarena.analysis.study_picking import metrics_of_pickers
from mvarena.errors import InvalidData
from mvarena.papers.measure import Evidence
from mvarena.papers.selector import Item, Selector, Strict, joined
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.trials import done_trials
from mvarena.study.adaptation import NONE, scaling_in

OWN = "own"  # of fillings: what a method does by itself


class Alternative(Strict):
    """One way to prepare the data of every method.

    scale : as a study names it, as 'auto'; none: whatever it is. fill : what methods that need complete data get, as
        'knn'. everybody : what all data are filled by, 'own' for what a method does by itself with missing samples.
    paper : the steps of each method's own paper, and nothing else; with `fill`, only how that paper scales, and filled
        as everybody's data are, so that scaling stands apart from filling.
    """

    name: str
    scale: str | None = None
    fill: str | None = None
    everybody: str | None = None
    paper: bool = False

    def means(self, prepare: str, paper: str, *, takes_missing: bool, has_features: bool) -> bool:
        """True if a trial with the stored steps `prepare` is one of these.

        paper : the steps that the method's paper has. has_features : of the data; others are scaled by nobody, and
        their trials stand for every scaling.
        """
        if self.paper and self.fill is None:
            return prepare == paper
        own = scaling_in(paper) if self.paper else self.scale
        scale = own if has_features or own is None else NONE
        if scale is not None and scaling_in(prepare) != scale:
            return False
        filled = [step.removeprefix("fill-") for step in prepare.split(",") if step.startswith("fill-")]
        wanted = self.everybody or (OWN if takes_missing else self.fill)
        return wanted is None or (filled or [OWN]) == [wanted]


class Alternatives(Item):
    """Every method on the same data, prepared in several ways.

    data : names. groups : kinds of data -> names, each with a mean of its own. rank_by : the metric by which the
    alternatives, and under each the methods, are ranked. axis : what is varied, as a heading. methods : all, or those
    that need complete data, or those that take missing samples. drawn : whether there is an image, NAME.png.
    """

    metrics: tuple[str, ...]
    rank_by: str
    axis: str
    data: tuple[str, ...]
    methods: Literal["all", "complete", "missing"] = "all"
    groups: Mapping[str, tuple[str, ...]] = {}
    alternatives: tuple[Alternative, ...] = Field(alias="alternative", min_length=2)
    drawn: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        strangers = [name for names in self.groups.values() for name in names if name not in self.data]
        if strangers:
            raise InvalidData(f"{self.name}: the group's '{strangers[0]}' is not one of its data sets.")
        if self.rank_by not in self.metrics:
            raise InvalidData(f"{self.name}: '{self.rank_by}' is not one of its metrics.")
        return self

    def selectors(self) -> Iterator[Selector]:
        return (joined(self.select, Selector(data=name)) for name in self.data)


class Picking(Item):
    """Loss of each picker against the best by labels. across : one is picked among all methods and values."""

    metrics: tuple[str, ...]
    data: tuple[str, ...]
    across: bool = False

    def selectors(self) -> Iterator[Selector]:
        return (joined(self.select, Selector(data=name)) for name in self.data)


# Ways to prepare the data, compared over all methods and data sets on which every one of them finished.


@dataclass(frozen=True)
class Compared:
    """values : (metric, algorithm, dataset) by alternative, in percent where the metric's largest value is 1.

    A value is the mean over all variants, rates, repeats and counted restarts; a place where one of a method's
    alternatives has no finished trial is left out. left_out : (algorithm, dataset) of these.
    keys : (metric, algorithm, dataset, alternative) -> the keys of the trials behind a value.
    """

    item: Alternatives
    values: pd.DataFrame
    keys: pd.Series
    left_out: tuple[tuple[str, str], ...]

    @property
    def methods(self) -> list[str]:
        """Methods with a result for every alternative; best first, under the first alternative."""
        means = self.means(self.item.rank_by)[self.item.alternatives[0].name]
        return list((means * self.sign).sort_values(ascending=False, kind="stable").index)

    @property
    def sign(self) -> int:
        """1 where more is better by the metric of the ranking, else -1."""
        return 1 if installed_catalog().metric(self.item.rank_by).higher_is_better else -1

    def means(self, metric: str) -> pd.DataFrame:
        """Algorithm by alternative: the mean over data sets."""
        return self.values.loc[metric].groupby("algorithm").mean()

    def overall(self, metric: str, group: str = "") -> pd.Series:
        """The mean of each alternative over methods and data sets; of those of `group` alone."""
        part = self.values.loc[metric]
        if group:
            part = part[part.index.get_level_values("dataset").isin(self.item.groups[group])]
        return part.mean()

    @cached_property
    def mean_ranks(self) -> pd.Series:
        """Of each alternative among all: 1 is best; equals share the mean of their places."""
        return (-self.sign * self.values.loc[self.item.rank_by]).rank(axis=1).mean()

    @cached_property
    def best_for(self) -> pd.Series:
        """Number of methods for which each alternative alone is best, by their mean over data sets; ties count for
        none."""
        means = (self.sign * self.means(self.item.rank_by)).round(12)
        leading = means.eq(means.max(axis=1), axis=0)
        return leading[leading.sum(axis=1) == 1].sum().astype(int)

    def agreement(self) -> dict[tuple[str, str], float]:
        """Spearman's correlation between the orders of the methods that two alternatives give."""
        means = self.means(self.item.rank_by)
        names = [alternative.name for alternative in self.item.alternatives]
        return {
            (item, other): means[item].corr(means[other], method="spearman") for item, other in combinations(names, 2)
        }


def compare_alternatives(item: Alternatives, found: Evidence) -> Compared:
    """The alternatives of `item` among the stored trials; a place counts where every one of them finished.

    Raises InvalidData where no place has them all.
    """
    rows = pd.concat([found.part(selector) for selector in item.selectors()])
    rows = rows[rows["algorithm"].isin(_methods(item, set(rows["algorithm"])))]
    scored = rows[rows["metric"].isin(item.metrics) & rows["value"].notna()]
    meant = _meant(rows, scored, item.alternatives)
    long = pd.concat(
        scored[[alternative.name in meant[path] for path in _places(scored)]].assign(alternative=alternative.name)
        for alternative in item.alternatives
    )
    position = ["metric", "algorithm", "dataset", "rate"]
    names = [alternative.name for alternative in item.alternatives]
    of_each = long.groupby([*position, "alternative", "params", "repeat"])["value"].mean()
    wide = of_each.groupby([*position, "alternative"]).mean().unstack("alternative").reindex(columns=names).dropna()
    if wide.empty:
        raise InvalidData(f"{item.name}: there is no data set on which a method has all of {', '.join(names)}.")
    values = wide.groupby(position[:3]).mean()
    counted = long[pd.MultiIndex.from_frame(long[position]).isin(wide.index)]
    keys = counted.groupby([*position[:3], "alternative"])["key"].unique()
    factors = [100.0 if installed_catalog().metric(name).highest == 1 else 1.0 for name, *_ in values.index]
    there = {(algorithm, dataset) for _, algorithm, dataset in values.index}
    tried = {(algorithm, dataset) for algorithm, dataset, _ in meant}
    return Compared(item, values.mul(factors, axis=0), keys, tuple(sorted(tried - there)))


def _methods(item: Alternatives, names: set[str]) -> set[str]:
    """Subset of `names` that the item is about and that still exist."""
    catalog = installed_catalog()
    there = names & set(catalog.names("algorithm"))
    if item.methods == "all":
        return there
    return {name for name in there if catalog.algorithm(name).capabilities.missing == (item.methods == "missing")}


def _places(rows: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    return zip(rows["algorithm"], rows["dataset"], rows["prepare"], strict=True)


def _meant(
    rows: pd.DataFrame, scored: pd.DataFrame, alternatives: Sequence[Alternative]
) -> dict[tuple[str, str, str], set[str]]:
    """(algorithm, dataset, prepare) -> the names of the alternatives that its trials stand for.

    What was scaled and came to an end has features; what has none refuses to be scaled.
    """
    places = set(_places(rows))
    with_features = {dataset for _, dataset, prepare in _places(scored) if scaling_in(prepare) != NONE}
    specs = {name: installed_catalog().algorithm(name) for name, *_ in places}
    return {
        (name, dataset, prepare): {
            alternative.name
            for alternative in alternatives
            if alternative.means(
                prepare,
                ",".join(specs[name].prepare),
                takes_missing=specs[name].capabilities.missing,
                has_features=dataset in with_features,
            )
        }
        for name, dataset, prepare in places
    }


def picks_of(db: Database, item: Picking) -> pd.DataFrame:
    """The rows of `mvarena.analysis.picking.picked` over the item's data sets, by all pickers.

    Raises InvalidData where there is nothing to choose from. Cost: that of the pickers, by labellings.
    """
    rows = picks_among(db, item.metrics, done_trials(db, datasets=item.data), across=item.across)
    if rows.empty:
        raise InvalidData(f"{item.name}: no data set has two results to choose from.")
    return rows


def metrics_of_all_pickers() -> list[str]:
    """The metrics that pickers go by, which trials are not scored by of themselves."""
    catalog = installed_catalog()
    return metrics_of_pickers(catalog.names("picker"), catalog)
