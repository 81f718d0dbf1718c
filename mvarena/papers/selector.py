"""Selection of the stored trials behind a cell of a table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field

from mvarena.contracts.parameters import parameters_of
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.user_code import ARENA_PARAMS
from mvarena.store.encoding import canonical_json

Value = bool | int | float | str

PARTS = ("algo", "data", "corrupt", "rate", "prepare", "protocol")


class Selector(BaseModel):
    """Conditions on trials; what is None says nothing.

    algo, data, protocol : names. corrupt : the corruption, 'none' for data as they are. rate : None: every rate, over
        which the score is averaged. prepare : the steps as they were applied, 'fill-mean,unit-rows'; '' for none.
    param : parameter -> value; of several values the best by labels counts, with `pick`. A parameter that is not
        named has its default, unless the literature picks it by labels (the best single view). "none" stands for no
        value, as in the commands.
    pick : "labels" where the paper's number is the best of several by ground truth.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    algo: str | None = None
    data: str | None = None
    corrupt: str | None = None
    rate: float | None = None
    prepare: str | None = None
    protocol: str | None = None
    param: Mapping[str, Value | tuple[Value, ...]] = {}
    pick: Literal["labels"] | None = None

    def conditions(self) -> dict[str, Any]:
        """Fields that are set, parameters apart."""
        return {name: value for name in PARTS if (value := getattr(self, name)) is not None}

    def chosen(self, trials: pd.DataFrame) -> pd.Series:
        """True for each row of `trials` (columns of the long form) that is meant."""
        columns = {"algo": "algorithm", "data": "dataset", "corrupt": "corruption"}
        keep = pd.Series(True, index=trials.index)
        for name, value in self.conditions().items():
            keep &= trials[columns.get(name, name)] == value
        if self.algo is None:
            return keep
        fitting = {text for text in trials.loc[keep, "params"].unique() if self._fits(json.loads(text))}
        return keep & trials["params"].isin(fitting)

    def _fits(self, params: dict[str, Any]) -> bool:
        free, defaults = _defaults(self.algo or "")
        for name, value in (defaults | params).items():
            if name in self.param:
                text = self.param[name]
                allowed: tuple[Any, ...] = text if isinstance(text, tuple) else (text,)
            else:
                allowed = (value if name in free else defaults.get(name),)
            if not any(_same(value, item) for item in allowed):
                return False
        return True

    def filters(self) -> str:
        """The same as options of `mvarena results`, as far as they can say it."""
        flags = {"algo": self.algo, "data": self.data, "corrupt": self.corrupt, "protocol": self.protocol}
        words = [f"--{name} {_quoted(value)}" for name, value in flags.items() if value]
        if self.rate is not None:
            words.append(f"--rate {self.rate:g}")
        if self.param and self.algo:
            words.append(f"--param {' '.join(f'{self.algo}.{name}={item}' for name, item in self._settings())}")
        return " ".join(words)

    def _settings(self) -> Iterator[tuple[str, Value]]:
        for name, value in self.param.items():
            for item in value if isinstance(value, tuple) else (value,):
                yield name, item


@cache
def _defaults(algorithm: str) -> tuple[frozenset[str], dict[str, Any]]:
    """The parameters that may have any value, and the defaults of the others; none of an algorithm that is gone."""
    catalog = installed_catalog()
    if algorithm not in catalog.names("algorithm"):
        return frozenset(), {}
    spec = catalog.algorithm(algorithm)
    known = parameters_of(catalog.load(spec))
    free = {spec.picks_by_labels} if spec.picks_by_labels else set()
    defaults = {name: item.default for name, item in known.items() if name not in ARENA_PARAMS}
    return frozenset(free), json.loads(canonical_json(defaults))  # as they are stored


def _same(one: Any, other: Any) -> bool:
    """Equal as parameters are: 1 and 1.0 are, 1 and True are not, and "none" stands for no value."""
    if one is None and other == "none":
        return True
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _quoted(text: str) -> str:
    return f'"{text}"' if set(text) & set("[]*? ") else text


def joined(*selectors: Selector) -> Selector:
    """Several laid over each other: where two have a value, the later one's counts."""
    conditions: dict[str, Any] = {}
    param: dict[str, Value | tuple[Value, ...]] = {}
    pick: Literal["labels"] | None = None
    for item in selectors:
        conditions |= item.conditions()
        param |= item.param
        pick = item.pick or pick
    return Selector(**conditions, param=param, pick=pick)


# Base of the items of a page: a name, a title, and the study that reproduces it.


Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Item(Strict):
    """Item that can be requested by name: a table or a figure of a paper.

    name : as in `mvarena reproduce apmc-table-1`. study : the shipped study that makes it again.
    where : in the paper, as 'Table 1'; empty for what it does not have. notes : what the paper says, and what not.
    select : what holds for all of its trials.
    """

    name: Name
    title: str
    where: str = ""
    study: Name
    notes: tuple[str, ...] = ()
    select: Selector = Selector()
