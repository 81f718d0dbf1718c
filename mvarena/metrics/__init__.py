"""Scores, announced through a hook like any plugin's: one module per idea."""

from __future__ import annotations

from mvarena.contracts.hooks import hookimpl
from mvarena.contracts.specs import MetricSpec
from mvarena.metrics.specs import SPECS


@hookimpl
def mvarena_metrics() -> tuple[MetricSpec, ...]:
    return SPECS
