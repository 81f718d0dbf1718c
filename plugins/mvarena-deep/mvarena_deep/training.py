"""The training loop: phases of epochs, the loss of each, and the end by the loss alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import torch
from mvarena.numerics.iteration import History, Stopping
from torch import Tensor, nn

from mvarena_deep.samples import Samples, batches

_WINDOW = 10  # epochs whose mean loss is compared with that of as many before
_CLIP = 10.0  # norm of a gradient beyond which it is scaled down


@dataclass(frozen=True)
class Phase:
    """Some epochs with one loss.

    name : as the history names it. epochs : at most so many. loss : of a batch, a scalar to minimise.
    network : the module in training. rows : places of the samples that take part; None: all.
    begin : called once before the first epoch.
    """

    name: str
    epochs: int
    loss: Callable[[Samples], Tensor]
    network: nn.Module
    rows: Tensor | None = None
    begin: Callable[[], None] | None = None


@dataclass(frozen=True)
class Schedule:
    """Settings of the loop.

    batch_size, learning_rate : of Adam. tol : see `train`. every : epochs between two calls of the observer; 0: none.
    """

    batch_size: int
    learning_rate: float
    tol: float
    every: int = 0


@dataclass
class Record:
    """Losses of a fit by phase, the number of epochs that each phase was given, and remarks on the training."""

    names: list[str] = field(default_factory=list)
    losses: list[list[float]] = field(default_factory=list)
    limits: list[int] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def n_epochs(self) -> int:
        return sum(len(values) for values in self.losses)

    @property
    def last_loss(self) -> float:
        """Mean loss of the last phase's last epochs."""
        values = self.losses[-1][-_WINDOW:]
        return sum(values) / len(values)

    def history(self, tol: float) -> History:
        """Losses of all epochs, phase after phase, as the arena records an objective."""
        history = History(
            Stopping(max_iter=max(1, self.n_epochs), tol=tol, earliest=self.n_epochs),
            measured=f"as a share of all its changes, the mean loss of {_WINDOW} epochs fell by",
        )
        for values in self.losses:
            for epoch, loss in enumerate(values, start=1):
                history.add(loss, violation=fall(values[:epoch]))
        if len(self.names) > 1:
            counts = zip(self.names, self.losses, self.limits, strict=True)
            history.remark(", ".join(f"{name} {len(values)} of {limit} epochs" for name, values, limit in counts))
        for remark in dict.fromkeys(self.remarks):
            history.remark(remark)
        return history


def fall(losses: Sequence[float]) -> float:
    """How far the mean loss of the last 10 epochs is below that of the 10 before, as a share of the losses' range.

    At least 0; 1 before there are 20 epochs. A share of the range, for a loss may have any sign and offset.
    """
    if len(losses) < 2 * _WINDOW:
        return 1.0
    before = math.fsum(losses[-2 * _WINDOW : -_WINDOW]) / _WINDOW
    after = math.fsum(losses[-_WINDOW:]) / _WINDOW
    return max(0.0, before - after) / max(max(losses) - min(losses), 1e-12)


def shared_epochs(phases: Sequence[Phase], limit: int | None) -> list[Phase]:
    """The phases with `limit` epochs in all, shared out in proportion to theirs; None: as they are."""
    total = sum(phase.epochs for phase in phases)
    if limit is None or total == 0:
        return list(phases)
    ends = [0]
    for phase in phases:
        ends.append(ends[-1] + phase.epochs)
    marks = [math.ceil(limit * end / total) for end in ends]
    return [replace(p, epochs=b - a) for p, a, b in zip(phases, marks, marks[1:], strict=False)]


def train(
    samples: Samples,
    phases: Sequence[Phase],
    schedule: Schedule,
    generator: torch.Generator,
    observe: Callable[[int], None] | None = None,
) -> Record:
    """Train through the phases; `observe` is called with the number of epochs done, every `schedule.every` of them.

    Each phase has an Adam of its own. A phase ends at its limit, or where `fall` is at most `schedule.tol`.
    """
    record = Record()
    for phase in phases:
        if phase.epochs == 0:
            continue
        if phase.begin is not None:
            phase.begin()
        part = samples if phase.rows is None else samples.take(phase.rows)
        if len(part) < min(schedule.batch_size, len(samples)):
            record.remarks.append(f"{len(part)} samples to train on, fewer than a batch of {schedule.batch_size}")
        optimiser = torch.optim.Adam(phase.network.parameters(), lr=schedule.learning_rate, fused=True)
        losses: list[float] = []
        record.names.append(phase.name)
        record.losses.append(losses)
        record.limits.append(phase.epochs)
        while len(losses) < phase.epochs and fall(losses) > schedule.tol:
            losses.append(_epoch(part, phase, schedule.batch_size, optimiser, generator))
            if observe is not None and schedule.every and record.n_epochs % schedule.every == 0:
                observe(record.n_epochs)
    return record


def _epoch(
    samples: Samples, phase: Phase, batch_size: int, optimiser: torch.optim.Optimizer, generator: torch.Generator
) -> float:
    """One pass over the samples; the mean loss, each batch weighted by its samples."""
    phase.network.train()
    total = 0.0
    for batch in batches(samples, batch_size, generator):
        optimiser.zero_grad()
        loss = phase.loss(batch)
        if loss.requires_grad:  # a batch may hold nothing that the loss speaks of, such as a sample seen twice
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(phase.network.parameters(), _CLIP)
            optimiser.step()
        total += float(loss.detach()) * len(batch)
    return total / len(samples)
