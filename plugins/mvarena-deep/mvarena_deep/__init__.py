"""Deep multi-view clustering for mvarena. This package imports no torch until a method is used."""

from __future__ import annotations

from collections.abc import Mapping

from mvarena import hookimpl
from mvarena.contracts.specs import AlgorithmSpec

from mvarena_deep.machine import facts
from mvarena_deep.specs import ALGORITHMS

mvarena_hooks_version = 1  # of the hooks that this plugin is written for


@hookimpl
def mvarena_algorithms() -> tuple[AlgorithmSpec, ...]:
    return ALGORITHMS


@hookimpl
def mvarena_environment() -> Mapping[str, str]:
    return facts()
