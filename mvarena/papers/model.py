"""A paper as data: its tables as printed, what it leaves out, and the trials that stand beside each number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

from pydantic import Field, model_validator

from mvarena.errors import InvalidData
from mvarena.papers.selector import Item, Name, Selector, Strict, joined


class Made(Selector):
    """Measured counterpart of a row of the paper. label : how the page calls it. columns : of which alone; none: of
    all."""

    label: str
    columns: tuple[str, ...] = ()

    def stands_in(self, column: str) -> bool:
        return not self.columns or column in self.columns


class Row(Strict):
    """A method of a table. printed : column -> its cell, exactly as printed. made : the first one is compared.

    missing : why it cannot be made here.
    """

    name: str
    printed: Mapping[str, str] = {}
    made: tuple[Made, ...] = ()
    missing: str = ""


class Column(Selector):
    """A data set, a rate or a protocol of a table. missing : why its data cannot be had."""

    name: str
    missing: str = ""


class Table(Item):
    """Rows by columns; each cell holds one number for each of `metrics`.

    scale : "share" where the paper prints 0.381 and not 38.1. shown : those of the metrics that the page shows; all
        are in the .csv file. unjudged : those to which the rule of `mvarena.papers.compare` is not applied.
    repeats : how many experiments the printed means and deviations are over; None where the paper does not say.
    """

    metrics: tuple[str, ...]
    scale: Literal["percent", "share"] = "percent"
    shown: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    repeats: int | None = None
    columns: tuple[Column, ...] = Field(alias="column")
    rows: tuple[Row, ...] = Field(alias="row")
    bold: Literal["best", ""] = ""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        names = [column.name for column in self.columns]
        for row in self.rows:
            named = {*row.printed, *(name for made in row.made for name in made.columns)}
            if strangers := sorted(named - set(names)):
                raise InvalidData(f"{self.name}, {row.name}: there is no column '{strangers[0]}'.")
            for text in row.printed.values():
                read_cell(text, len(self.metrics))
        return self

    @property
    def shows(self) -> tuple[str, ...]:
        return self.shown or self.metrics

    def printed(self, row: Row, column: Column, metric: str) -> Printed | None:
        """The paper's number; None where it has none."""
        text = row.printed.get(column.name)
        return None if text is None else read_cell(text, len(self.metrics))[self.metrics.index(metric)]

    def selector(self, made: Made, column: Column) -> Selector:
        return joined(self.select, column, made)

    def selectors(self) -> Iterator[Selector]:
        """Selectors of all cells."""
        for row in self.rows:
            for made in row.made:
                for column in self.columns:
                    if not column.missing and made.stands_in(column.name):
                        yield self.selector(made, column)


class DataColumn(Column):
    """A data set. views : in the paper's order, for what is said of its first, second, ... view."""

    views: tuple[str, ...] = ()


class Facts(Item):
    """A table of numbers of data sets, which every stored trial on them knows.

    facts : one for each number of a cell: samples, views, clusters, or missing-1 for the share that view 1 misses.
    """

    facts: tuple[str, ...]
    columns: tuple[DataColumn, ...] = Field(alias="column")
    printed: Mapping[str, str]

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if strangers := set(self.printed) ^ {column.name for column in self.columns}:
            raise InvalidData(f"{self.name}: '{sorted(strangers)[0]}' must be either a column or printed, not both.")
        for text in self.printed.values():
            read_cell(text, len(self.facts))
        return self

    def selectors(self) -> Iterator[Selector]:
        return (joined(self.select, column) for column in self.columns if not column.missing)


class Claim(Strict):
    """A sentence of the paper that can be checked on stored trials.

    says : the paper's words, or what its figure shows. kind : see `mvarena.papers.claims`.
    first, second : the trials that are compared, each entry by itself. data, rates : the points at which they are;
        none: that of the selectors.
    param : for what is said of a parameter: which one, over which values. best : where the paper has its best.
    at_most : for what is said of a number, such as iterations.
    """

    says: str
    kind: Literal["above", "falls", "grows", "shrinks", "flat", "best-at", "monotone", "within", "faster"]
    first: tuple[Made, ...]
    second: tuple[Made, ...] = ()
    data: tuple[str, ...] = ()
    rates: tuple[float, ...] = ()
    param: str = ""
    values: tuple[float | int | str, ...] = ()
    best: float | int | None = None
    at_most: float | None = None
    metrics: tuple[str, ...] = ("acc",)


class Drawn(Strict):
    """An image of stored results. kind, stem : of a figure, as `mvarena report` names kinds and files.

    trials : what it shows, each entry by itself.
    """

    kind: str
    stem: str
    metrics: tuple[str, ...] = ("acc", "nmi")
    trials: tuple[Selector, ...] = (Selector(),)


class Figure(Item):
    """A figure without numbers, or prose: claims. missing : why nothing of it can be had. drawn : its image."""

    claims: tuple[Claim, ...] = Field(default=(), alias="claim")
    drawn: Drawn | None = None
    missing: str = ""

    def selectors(self) -> Iterator[Selector]:
        for claim in self.claims:
            for made in (*claim.first, *claim.second):
                for data in claim.data or (None,):
                    for rate in claim.rates or (None,):
                        point = Selector(data=data, rate=rate)
                        with_values = Selector(param={claim.param: claim.values}) if claim.param else Selector()
                        yield joined(self.select, made, point, with_values)


AnyItem = Table | Facts | Figure


def gaps(item: AnyItem) -> tuple[str, ...]:
    """Sentences on what of an item cannot be had, and why; none where all of it can."""
    if isinstance(item, Figure):
        return (f"Cannot be had: {item.missing}.",) if item.missing else ()
    if not isinstance(item, Table | Facts):
        return ()
    parts: list[Row | Column] = [*item.columns, *(item.rows if isinstance(item, Table) else ())]
    return tuple(f"{part.name} cannot be had: {part.missing}." for part in parts if part.missing)


class Paper(Strict):
    """A paper.

    name : of the folder of its page, too. title, source : the text that was read.
    """

    name: Name
    title: str
    source: str
    tables: tuple[Table, ...] = Field(default=(), alias="table")
    facts: tuple[Facts, ...] = ()
    figures: tuple[Figure, ...] = Field(default=(), alias="figure")

    @cached_property
    def items(self) -> dict[str, AnyItem]:
        """All that can be asked for, by name."""
        return {item.name: item for item in self._all()}

    def _all(self) -> tuple[AnyItem, ...]:
        return (*self.facts, *self.tables, *self.figures)

    @model_validator(mode="after")
    def _unique(self) -> Self:
        names = [item.name for item in self._all()]
        if twice := {name for name in names if names.count(name) > 1}:
            raise InvalidData(f"{self.name}: two items are called '{sorted(twice)[0]}'.")
        return self


# Numbers as papers print them: '42.59 ± 1.72 / 37.70 ± 1.44', '0.889(0.000) 0.913(0.000)', '**93.56** / 88.13'.

_NUMBER = re.compile(r"(?P<value>-?\d+(?:\.\d+)?)\s*%?(?:\s*(?:±|\()\s*(?P<std>\d+(?:\.\d+)?)\)?)?")
NONE = "-"  # what stands where the paper has no number
_LOST = "?"  # what stands where the text at hand has lost one


@dataclass(frozen=True, slots=True)
class Printed:
    """One number of a table: as printed, what it says, its deviation where there is one, and whether it is bold.

    digits : after the decimal point.
    """

    text: str
    value: float
    std: float | None = None
    bold: bool = False

    @property
    def digits(self) -> int:
        return len(self.text.split("(")[0].split("±")[0].strip(" %").partition(".")[2])


def read_cell(text: str, count: int) -> tuple[Printed | None, ...]:
    """The `count` numbers of a cell, in order; None where the paper has none (-) or the text lost it (?).

    Raises InvalidData, with the text, for anything else.
    """
    if text.strip("* ") in (NONE, _LOST):
        return (None,) * count
    full = text.startswith("**") and text.endswith("**") and text.count("**") == 2
    pieces = text.strip("*").split(" / ") if full else text.split(" / ")
    if len(pieces) == 1 and count > 1:
        pieces = text.split()
    if len(pieces) != count:
        raise InvalidData(f"'{text}' holds {len(pieces)} numbers, not {count}; separate them by ' / '.")
    return tuple(_read(piece, bold=full) for piece in pieces)


def _read(piece: str, *, bold: bool) -> Printed | None:
    bare = piece.strip().strip("*").strip()
    if bare in (NONE, _LOST):
        return None
    match = _NUMBER.fullmatch(bare)
    if match is None:
        raise InvalidData(f"'{piece}' is not a number as a paper prints it; write 42.59, 42.59 ± 1.72 or 0.889(0.000).")
    std = match["std"]
    return Printed(bare, float(match["value"]), None if std is None else float(std), bold or "**" in piece)
