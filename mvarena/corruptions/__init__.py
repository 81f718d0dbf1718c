"""Ways to spoil data, announced through a hook like any plugin's: one module per idea."""

from __future__ import annotations

from mvarena.contracts.hooks import hookimpl
from mvarena.contracts.specs import CorruptionSpec
from mvarena.corruptions.specs import SPECS


@hookimpl
def mvarena_corruptions() -> tuple[CorruptionSpec, ...]:
    return SPECS
