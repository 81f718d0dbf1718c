"""Ways to choose among results, announced through a hook like any plugin's: one module per idea."""

from __future__ import annotations

from mvarena.contracts.hooks import hookimpl
from mvarena.contracts.specs import PickerSpec
from mvarena.pickers.specs import SPECS


@hookimpl
def mvarena_pickers() -> tuple[PickerSpec, ...]:
    return SPECS
