"""Data sets that go by a card: find its files, read them, hold the result against the card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from mvarena.contracts.data_source import BytesSeen, DataSource, FileCheck, SourceCard
from mvarena.contracts.specs import DatasetSpec
from mvarena.errors import InvalidData, PluginError
from mvarena.loaders import files
from mvarena.loaders.cards import Card, load_card
from mvarena.loaders.files import import_files
from mvarena.loaders.specs import dataset_of_card
from mvarena.text import told_error

if TYPE_CHECKING:
    from mvarena.contracts.outcome_table import OutcomeTable
    from mvarena.data import MultiViewData

Files: TypeAlias = Mapping[str, Path]


class CardedData(DataSource):
    """Data set described by its card; the function that reads its files is imported when they are read."""

    def __init__(self, spec: DatasetSpec) -> None:
        """Raises InvalidData for a card that is not well formed."""
        self.card = load_card(spec.card)
        if self.card.name != spec.name:
            raise InvalidData(f"The card of '{spec.name}' is in {self.card.folder}; name that folder {spec.name}.")

    @property
    def generated(self) -> bool:
        return self.card.generated

    def load(self, seed: int) -> MultiViewData:
        """The data, fetching what is missing. Those that never change are read once, then memory-mapped from the cache.

        Raises DataUnavailable if a file cannot be fetched; InvalidData if it is damaged, or if the data are not what
        the card describes.
        """
        from mvarena.cache.folder import file_sha256
        from mvarena.cache.mapped import mapped

        card = self.card
        values = {path.name: path for path in files.fetch(card)}
        if card.generated:
            return self._checked(values, seed)
        layout = "" if card.layout is None else card.model_dump_json(include={"layout", "views", "class_counts"})
        parts = [card.version, layout, *(f"{name}:{file_sha256(path)}" for name, path in values.items())]
        return mapped(card.name, parts, card.loader, lambda: self._checked(values))

    def outcomes(self) -> OutcomeTable | None:
        """The outcomes that the card names, a row for each sample. Raises as `load` does."""
        from mvarena.readers.outcomes import read_outcomes

        own = self.card.outcomes
        if own is None:
            return None
        values = {path.name: path for path in files.fetch(self.card)}
        if own.place:
            from mvarena.loaders.layout import read_outcomes_at

            return read_outcomes_at(self.card, values)
        table = read_outcomes(values[own.file], own.time, own.event)
        if table.n_samples != self.card.samples:
            raise InvalidData(
                f"{values[own.file]} has {table.n_samples} rows, and {self.card.name} has {self.card.samples} samples."
            )
        return table

    def _checked(self, found: Files, *seed: int) -> MultiViewData:
        if self.card.layout is None:
            data: MultiViewData = self._loader()(found, *seed)
        else:
            from mvarena.loaders.layout import read_layout

            data = read_layout(self.card, found)
        check_against_card(data, self.card)
        return data

    def _loader(self) -> Callable[..., MultiViewData]:
        module, _, function = self.card.loader.partition(":")
        try:
            return getattr(import_module(module), function)
        except Exception as error:  # a stranger's code may fail in any way
            raise PluginError(
                f"dataset '{self.card.name}': its loader {self.card.loader} cannot be imported: {told_error(error)}"
            ) from error

    def describe(self) -> SourceCard:
        return files.describe(self.card)

    def files(self) -> tuple[Path, ...]:
        return files.paths(self.card)

    def verify(self) -> tuple[FileCheck, ...]:
        return files.verify(self.card)

    def fetch(self, progress: BytesSeen | None = None) -> tuple[Path, ...]:
        return files.fetch(self.card, progress)

    def put_in_place(self, found: Path) -> tuple[Path, ...]:
        return import_files(self.card, found)


def load_carded(where: str, seed: int = 0) -> MultiViewData:
    """Data of the card at `where` (see `card_path`), for a data set made of another one."""
    return CardedData(dataset_of_card(where)).load(seed)


def check_against_card(data: MultiViewData, card: Card) -> None:
    """Raise InvalidData unless samples, views, dimensions and class sizes are those of the card."""
    import numpy as np

    values: list[object] = [data.n_samples, [(view.name, view.n_features) for view in data.views], data.n_clusters]
    expected: list[object] = [card.samples, [(view.name, view.dimension) for view in card.views], card.clusters]
    if card.class_counts is not None and data.labels is not None and data.classes is not None:
        counts = dict(zip(data.classes, np.bincount(data.labels[data.labels >= 0]).tolist(), strict=True))
        values.append(counts)
        each = card.class_counts
        expected.append(each if isinstance(each, dict) else dict.fromkeys(data.classes, each))
    if values != expected:
        raise InvalidData(
            f"The files of '{card.name}' give (samples, views, clusters, class sizes) {values}; the card says "
            f"{expected}. They are of another version: get the original from {card.source}."
        )
