"""Methods for omics data. Keep this package light: it is read whenever mvarena starts."""

from __future__ import annotations

from mvarena import hookimpl
from mvarena.contracts.specs import AlgorithmSpec

from mvarena_omics.specs import ALGORITHMS


@hookimpl
def mvarena_algorithms() -> tuple[AlgorithmSpec, ...]:
    return ALGORITHMS
