"""The hooks that a plugin may answer. A plugin is a module behind an entry point in the group `mvarena`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import pluggy

from mvarena.contracts.hooks import PROJECT
from mvarena.contracts.specs import (
    AlgorithmSpec,
    CorruptionSpec,
    DatasetSpec,
    MetricSpec,
    PickerSpec,
    ReaderSpec,
    TransformSpec,
)

if TYPE_CHECKING:
    import click

    from mvarena.contracts.outcome import Outcome
    from mvarena.contracts.trial import Trial

hookspec = pluggy.HookspecMarker(PROJECT)


@hookspec
def mvarena_algorithms() -> Iterable[AlgorithmSpec]:  # type: ignore[empty-body]
    """Clustering algorithms."""


@hookspec
def mvarena_datasets() -> Iterable[DatasetSpec]:  # type: ignore[empty-body]
    """Data sets."""


@hookspec
def mvarena_corruptions() -> Iterable[CorruptionSpec]:  # type: ignore[empty-body]
    """Ways to spoil data."""


@hookspec
def mvarena_transforms() -> Iterable[TransformSpec]:  # type: ignore[empty-body]
    """Preparation steps."""


@hookspec
def mvarena_metrics() -> Iterable[MetricSpec]:  # type: ignore[empty-body]
    """Scores of a labelling."""


@hookspec
def mvarena_pickers() -> Iterable[PickerSpec]:  # type: ignore[empty-body]
    """Ways to choose among results."""


@hookspec
def mvarena_readers() -> Iterable[ReaderSpec]:  # type: ignore[empty-body]
    """Readers of users' files."""


@hookspec
def mvarena_commands(cli: click.Group) -> None:
    """Add commands to the command line."""


@hookspec
def mvarena_environment() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Packages and devices that its results depend on, as {"torch": "2.13.0", "gpu": "none"}.

    Kept with the environment of every trial, and shown by `mvarena doctor`. Called once in each process that runs
    trials, before it forks: it must start no threads and open no device.
    """


@hookspec
def mvarena_trial_finished(trial: Trial, outcome: Outcome) -> None:
    """Called after a trial's outcome was stored, in the process of the run, which waits for it."""
