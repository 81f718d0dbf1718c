"""Data sources of announced data sets; code of a plugin runs in a fork (`mvarena.registry.plugin_calls`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, TypeVar

from mvarena.contracts.data_source import BytesSeen, DataSource, FileCheck, SourceCard, as_data_source
from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.contracts.specs import DatasetSpec
from mvarena.errors import PluginError
from mvarena.registry.catalog import Catalog
from mvarena.registry.plugin_calls import CHECK_S, apart
from mvarena.registry.plugins import is_own

if TYPE_CHECKING:
    from mvarena.data import MultiViewData

T = TypeVar("T")


def announced_source(spec: DatasetSpec, catalog: Catalog) -> DataSource:
    """The data source behind `spec`. Raises PluginError for a target that cannot be imported or is none."""
    target = catalog.load(spec)
    if is_own(spec.target):
        source = as_data_source(spec, target)
        return source if is_own(_loader(source)) else _LoadedApart(spec, source)
    if isinstance(target, type | DataSource):
        return _SourceApart(spec, target)
    return _LoadedApart(spec, as_data_source(spec, target))


def _loader(source: DataSource) -> str:
    """Target of the loader that the card of an own source names, which may be another's; else of its class."""
    card = getattr(source, "card", None)
    return f"{type(source).__module__}:" if card is None else str(card.loader)


class _SourceApart(DataSource):
    """A source of a plugin's class: each of its methods runs in a fork, which makes it."""

    def __init__(self, spec: DatasetSpec, target: type | DataSource) -> None:
        self.spec = spec
        self._target = target

    def _ask(self, question: Callable[[DataSource], T], expected: type | UnionType, seconds: float | None = None) -> T:
        made = f"The data set '{self.spec.name}'"
        result = apart(made, lambda: question(as_data_source(self.spec, self._target)), seconds)
        if not isinstance(result, expected):
            due = getattr(expected, "__name__", expected)
            raise PluginError(f"The data set '{self.spec.name}' returned a {type(result).__name__} instead of {due}.")
        return result

    @property
    def generated(self) -> bool:
        return self._ask(lambda source: bool(source.generated), bool, CHECK_S)

    def load(self, seed: int) -> MultiViewData:
        return _loaded(self.spec, lambda: as_data_source(self.spec, self._target).load(seed))

    def describe(self) -> SourceCard:
        return self._ask(lambda source: source.describe(), SourceCard, CHECK_S)

    def content(self, data: MultiViewData) -> str:
        return self._ask(lambda source: source.content(data), str)

    def outcomes(self) -> OutcomeTable | None:
        return self._ask(lambda source: source.outcomes(), OutcomeTable | None)

    def files(self) -> tuple[Path, ...]:
        return self._ask(lambda source: source.files(), tuple)

    def verify(self) -> tuple[FileCheck, ...]:
        return self._ask(lambda source: source.verify(), tuple)

    def fetch(self, progress: BytesSeen | None = None) -> tuple[Path, ...]:
        del progress  # which is of this process
        return self._ask(lambda source: source.fetch(), tuple)

    def put_in_place(self, found: Path) -> tuple[Path, ...]:
        return self._ask(lambda source: source.put_in_place(found), tuple)


class _LoadedApart(_SourceApart):
    """A source of mvarena's classes that a plugin's function loads: that alone runs in a fork."""

    def _ask(self, question: Callable[[DataSource], T], expected: type | UnionType, seconds: float | None = None) -> T:
        del expected, seconds
        return question(as_data_source(self.spec, self._target))

    def fetch(self, progress: BytesSeen | None = None) -> tuple[Path, ...]:
        return self._ask(lambda source: source.fetch(progress), tuple)


def _loaded(spec: DatasetSpec, load: Callable[[], MultiViewData]) -> MultiViewData:
    from mvarena.data import MultiViewData

    data = apart(f"The data set '{spec.name}'", load)
    if not isinstance(data, MultiViewData):
        raise PluginError(f"The data set '{spec.name}' returned a {type(data).__name__} instead of MultiViewData.")
    return data
