"""Preparation steps, announced through a hook like any plugin's: one module per idea."""

from __future__ import annotations

from mvarena.contracts.hooks import hookimpl
from mvarena.contracts.specs import TransformSpec
from mvarena.transforms.specs import SPECS


@hookimpl
def mvarena_transforms() -> tuple[TransformSpec, ...]:
    return SPECS
