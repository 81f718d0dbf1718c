"""Questions of our own as data: ways to prepare everybody's data, and ways to choose without labels, compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, Self

from pydantic import Field, model_validator

from mvarena.errors import InvalidData
from mvarena.papers.items import Item, Strict
from mvarena.papers.selector import Selector, joined
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
