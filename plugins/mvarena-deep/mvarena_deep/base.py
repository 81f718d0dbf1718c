"""DeepClusterer: what all deep methods share; a method adds its networks, phases and what comes out."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import torch
from mvarena import MultiViewData
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from numpy.typing import NDArray
from torch import nn

import mvarena_deep.preloaded  # noqa: F401
from mvarena_deep.networks import Size
from mvarena_deep.samples import Samples, order_of_values, samples_of
from mvarena_deep.session import generator_of, torch_session
from mvarena_deep.training import Phase, Record, Schedule, shared_epochs, train

_SMALLEST_BATCH, _RATE, _TOL = 64, 1e-3, 0.01  # of size "default"


class Model(nn.Module, ABC):
    """Networks of one fit. `samples` are all samples, `generator` the source of everything drawn."""

    def __init__(self, samples: Samples, n_clusters: int, generator: torch.Generator, size: Size) -> None:
        super().__init__()
        self.samples = samples
        self.n_clusters = n_clusters
        self.generator = generator
        self.size = size

    @abstractmethod
    def phases(self) -> list[Phase]:
        """Phases of training, in order, with their epochs."""

    @abstractmethod
    def outcome(self) -> NDArray[Any]:
        """(n, p) an embedding, or (n,) labels, of all samples; called in evaluation mode and without gradients."""


@dataclass(frozen=True, eq=False)
class Fit:
    """One start: what came out, its losses, and the outcomes seen on the way, by epoch."""

    outcome: NDArray[Any]
    record: Record
    seen: dict[int, NDArray[Any]]


class DeepClusterer(MultiViewClusterer):
    """Networks trained by Adam on batches; the last epoch counts.

    Parameters
    ----------
    size : "default" takes layers and epochs that end within minutes on a CPU, "paper" the published ones.
    max_iter : epochs in all, shared out among the phases in proportion; None: those of `size`.
    batch_size : samples in a batch; None: the published number, for size "default" no more than an eighth of the
        samples but at least 64.
    learning_rate : of Adam; None: the published one, for size "default" 1e-3, as it has fewer epochs.
    tol : a phase ends where the mean loss of 10 epochs is below that of the 10 before by no more than this share of
        the range of the phase's losses. The default, None, is .01 for size "default" and no such end for "paper".
    starts : how many times to train from other weights; the start with the lowest loss at its end is kept.
    device : "cpu" or "cuda".
    checkpoints : keep what comes out after each such share of all epochs (10: each tenth) in the details of the
        representation, `checkpoint_epochs` (m,) and `checkpoint_outcomes` (m, n, p) or (m, n). The arena scores them
        when the fit has ended (metrics acc-best-epoch and nmi-best-epoch); no result depends on them. None: nothing.
    """

    size: Size = "default"
    max_iter: Count | None = None
    batch_size: Count | None = None
    learning_rate: Positive | None = None
    tol: NonNegative | None = None
    starts: Count = 1
    device: Literal["cpu", "cuda"] = "cpu"
    checkpoints: Count | None = 10

    @abstractmethod
    def model(self, samples: Samples, n_clusters: int, generator: torch.Generator) -> Model:
        """Networks with weights drawn from `generator`, on the device of the samples."""

    @property
    @abstractmethod
    def published(self) -> tuple[int, float]:
        """Batch size and learning rate of the paper."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        order = order_of_values(data)
        with torch_session(self.device) as device:
            samples = samples_of(data.take(order), device)
            seeds = np.random.SeedSequence(self.random_state).generate_state(self.starts)
            fits = [self._fit_once(samples, n_clusters, int(seed)) for seed in seeds]
        best = min(fits, key=lambda fit: fit.record.last_loss)
        return self._representation(best, np.argsort(order))

    def schedule(self, n_samples: int) -> Schedule:
        """Batch size, learning rate and stopping rule, with what is None filled in."""
        batch, rate = self.published
        if self.size == "default":
            batch, rate = min(batch, max(_SMALLEST_BATCH, n_samples // 8)), _RATE
        tol = self.tol if self.tol is not None else _TOL if self.size == "default" else -1.0
        return Schedule(self.batch_size or batch, self.learning_rate or rate, tol)

    def _fit_once(self, samples: Samples, n_clusters: int, seed: int) -> Fit:
        generator = generator_of(seed)
        model = self.model(samples, n_clusters, generator).to(samples.device)
        seen: dict[int, NDArray[Any]] = {}

        def observe(epoch: int) -> None:
            seen[epoch] = _outcome(model)

        phases = shared_epochs(model.phases(), self.max_iter)
        n_epochs = sum(phase.epochs for phase in phases)
        every = math.ceil(n_epochs / self.checkpoints) if self.checkpoints else 0
        schedule = replace(self.schedule(len(samples)), every=every)
        record = train(samples, phases, schedule, generator, observe)
        return Fit(_outcome(model), record, seen)

    def _representation(self, fit: Fit, place: NDArray[np.int64]) -> Representation:
        """The fit's outcome with the samples in the order in which they were given."""
        details = {}
        if fit.seen:
            details["checkpoint_epochs"] = np.array(list(fit.seen))
            details["checkpoint_outcomes"] = np.stack([_brief(outcome)[place] for outcome in fit.seen.values()])
        kind = "labels" if fit.outcome.ndim == 1 else "embedding"
        found: dict[str, Any] = {kind: fit.outcome[place]}
        by_sample = {"checkpoint_outcomes": (1,)} if fit.seen else {}
        history = fit.record.history(self.schedule(len(place)).tol)
        return Representation(**found, history=history, details=details, by_sample=by_sample)


def _brief(outcome: NDArray[Any]) -> NDArray[Any]:
    """The outcome in the precision in which it was computed, half of that in which it is given."""
    return outcome if outcome.ndim == 1 else outcome.astype(np.float32)


def _outcome(model: Model) -> NDArray[Any]:
    model.eval()
    with torch.no_grad():
        return model.outcome()
