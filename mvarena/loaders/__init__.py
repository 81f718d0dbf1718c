"""Data sets, each described by its card (`datasets/<name>/card.toml`), and readers of users' files."""

from __future__ import annotations

from mvarena.contracts.hooks import hookimpl
from mvarena.contracts.specs import DatasetSpec, ReaderSpec
from mvarena.loaders.specs import DATASETS, READERS


@hookimpl
def mvarena_datasets() -> tuple[DatasetSpec, ...]:
    return DATASETS


@hookimpl
def mvarena_readers() -> tuple[ReaderSpec, ...]:
    return READERS
