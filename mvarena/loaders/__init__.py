"""Data sets: announced here, described by their cards (`datasets/<name>/card.toml`), loaded when used."""

from __future__ import annotations

from mvarena.contracts.hooks import hookimpl
from mvarena.contracts.specs import DatasetSpec
from mvarena.loaders.specs import SPECS


@hookimpl
def mvarena_datasets() -> tuple[DatasetSpec, ...]:
    return SPECS
