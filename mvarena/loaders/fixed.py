"""Loaders of data that never change: find the files of a card, read them, hold the result against the card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TypeAlias

import numpy as np

from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.loaders.cards import Card, load_card
from mvarena.loaders.checksums import file_sha256
from mvarena.loaders.files import files_of
from mvarena.loaders.mapped import mapped

Files: TypeAlias = Mapping[str, Path]
Reader: TypeAlias = Callable[[Files], MultiViewData]
Loader: TypeAlias = Callable[[int], MultiViewData]


def from_card(name: str) -> Callable[[Reader], Loader]:
    """Make a function of the files of the data set `name` into a loader `load(seed)`; the seed is ignored.

    The loader fetches missing files (DataUnavailable if it cannot), checks their sha256 and raises InvalidData if
    the data read are not what the card describes. Read once, the data are memory-mapped from the user's cache.
    """

    def as_loader(read: Reader) -> Loader:
        @wraps(read)
        def load(seed: int) -> MultiViewData:  # noqa: ARG001 - the contract names it
            files = files_of(name)

            def checked() -> MultiViewData:
                data = read(files)
                check_against_card(data, load_card(name))
                return data

            return mapped(name, [f"{file}:{file_sha256(path)}" for file, path in files.items()], checked)

        return load

    return as_loader


def check_against_card(data: MultiViewData, card: Card) -> None:
    """Raise InvalidData unless samples, views, dimensions and class sizes are those of the card."""
    found: list[object] = [data.n_samples, [(view.name, view.n_features) for view in data.views], data.n_clusters]
    expected: list[object] = [card.samples, [(view.name, view.dimension) for view in card.views], card.clusters]
    if card.class_counts is not None and data.labels is not None and data.classes is not None:
        counts = dict(zip(data.classes, np.bincount(data.labels[data.labels >= 0]).tolist(), strict=True))
        found.append(counts)
        each = card.class_counts
        expected.append(each if isinstance(each, dict) else dict.fromkeys(data.classes, each))
    if found != expected:
        raise InvalidData(
            f"The files of '{card.name}' give (samples, views, clusters, class sizes) {found}; the card says "
            f"{expected}. They are another version: get the original from {card.source}."
        )
