"""What this plugin provides. Keep this package light: it is read whenever mvarena starts."""

from __future__ import annotations

from mvarena import hookimpl
from mvarena.contracts.specs import AlgorithmSpec, MetricSpec
from mvarena_example.specs import ALGORITHMS, METRICS

mvarena_hooks_version = 1  # of the hooks that this plugin is written for


@hookimpl
def mvarena_algorithms() -> tuple[AlgorithmSpec, ...]:
    return ALGORITHMS


@hookimpl
def mvarena_metrics() -> tuple[MetricSpec, ...]:
    return METRICS
