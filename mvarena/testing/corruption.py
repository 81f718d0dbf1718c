"""The checks of a corruption: the same samples, spoilt at the rate that was asked for, by the generator given."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from mvarena.contracts.parameters import parameters_of
from mvarena.contracts.specs import CorruptionSpec
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.testing.comparisons import require_unchanged, same_labels
from mvarena.testing.examples import blobs
from mvarena.testing.parameters import bad_values, require_declared
from mvarena.testing.suites import Suite, refused, require


@dataclass(frozen=True)
class Spoiler:
    """A spec and the class behind it."""

    spec: CorruptionSpec
    kind: Any

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def nothing(self) -> float:
        """The rate that leaves the data as they are."""
        return math.inf if self.spec.rate_kind == "snr" else 0.0

    def data(self) -> MultiViewData:
        return blobs(60, dims=(10, 16, 12), seed=4)

    def rates(self, data: MultiViewData) -> tuple[float, ...]:
        """A middle rate, and a great deal."""
        largest = self.kind().largest_rate(data)
        return (1.0, 0.01) if self.spec.rate_kind == "snr" else (largest / 2, largest)

    def spoilt(self, data: MultiViewData, rate: float, seed: int = 0) -> MultiViewData:
        spoilt: MultiViewData = self.kind().apply(data, rate, np.random.default_rng(seed))
        return spoilt


SUITE = Suite(Spoiler)


@SUITE.check()
def parameters_declared(subject: Spoiler) -> None:
    """Every parameter has a default that its own declaration allows."""
    require_declared(subject.name, subject.kind)


@SUITE.check()
def bad_parameters_refused(subject: Spoiler) -> None:
    """A value that the declaration rules out is refused with InvalidSetting."""
    data = subject.data()
    for name, parameter in parameters_of(subject.kind).items():
        for value in bad_values(parameter):
            rule = f"{subject.name} must refuse {name}={value!r} with InvalidSetting: it must be {parameter.words}"
            with refused(InvalidSetting, rule):
                subject.kind(**{name: value}).apply(data, subject.rates(data)[0], np.random.default_rng(0))


@SUITE.check()
def nothing_at_no_rate(subject: Spoiler) -> None:
    """The rate that means "nothing" returns the data themselves."""
    data = subject.data()
    same = subject.spoilt(data, subject.nothing) is data
    require(same, f"{subject.name}: a rate of {subject.nothing:g} must return the data unchanged.")


@SUITE.check()
def same_samples(subject: Spoiler) -> None:
    """Samples, labels and views stay what they are, in their order; a view keeps its features."""
    data = subject.data()
    for rate in subject.rates(data):
        spoilt = subject.spoilt(data, rate)
        require(
            same_labels(spoilt, data) and spoilt.n_clusters == data.n_clusters,
            f"{subject.name} must leave samples and labels as they are; corrupted data hold the same ones in order.",
        )
        shapes = [[(view.name, view.kind, view.matrix.shape) for view in item.views] for item in (data, spoilt)]
        require(shapes[0] == shapes[1], f"{subject.name} must leave names, kinds and shapes of the views as they are.")


@SUITE.check()
def input_unchanged(subject: Spoiler) -> None:
    """The data given are not changed."""
    data = subject.data()
    require_unchanged(subject.name, data, lambda given: subject.spoilt(given, subject.rates(given)[0]))


@SUITE.check()
def depends_on_the_generator_alone(subject: Spoiler) -> None:
    """One seed gives the same data twice; others give others."""
    data = subject.data()
    rate = subject.rates(data)[0]
    first, again = (subject.spoilt(data, rate).fingerprint for _ in range(2))
    require(first == again, f"{subject.name} must draw from the generator that it is given, and from no other.")
    others = {subject.spoilt(data, rate, seed).fingerprint for seed in range(1, 6)}
    require(others != {first}, f"{subject.name} gives the same data whatever the generator draws.")


@SUITE.check()
def largest_rate_holds(subject: Spoiler) -> None:
    """The largest rate is possible; one above it, below 0 or no number is refused with InvalidSetting."""
    data = subject.data()
    largest = subject.kind().largest_rate(data)
    if math.isfinite(largest):
        try:
            subject.spoilt(data, largest)
        except InvalidSetting as error:
            raise AssertionError(f"{subject.name} refuses its own largest rate, {largest:g}: {error}") from error
    snr = subject.spec.rate_kind == "snr"
    for rate in (math.nan, -0.1, *((0.0,) if snr else (largest + 0.05,))):
        with refused(InvalidSetting, f"{subject.name} must refuse a rate of {rate:g} with InvalidSetting"):
            subject.spoilt(data, rate)


@SUITE.check(applies=lambda spec: spec.makes_missing)
def every_sample_keeps_a_view(subject: Spoiler) -> None:
    """Samples lose views, never all of them, and what is still observed is not changed."""
    data = subject.data()
    for rate in subject.rates(data):
        spoilt = subject.spoilt(data, rate)
        require(spoilt.mask.any(axis=1).all(), f"{subject.name} must leave every sample in one view at least.")
        require(not spoilt.is_complete, f"{subject.name} says makes_missing=True and removes nothing at {rate:g}.")
        for before, after, observed in zip(data.views, spoilt.views, spoilt.mask.T, strict=True):
            kept = np.array_equal(before.matrix[observed], after.matrix[observed])
            require(kept, f"{subject.name} changes values of samples that it does not remove.")


@SUITE.check(applies=lambda spec: not spec.makes_missing)
def nothing_goes_missing(subject: Spoiler) -> None:
    """The mask stays, where the spec does not say makes_missing, and some value changes."""
    data = subject.data()
    for rate in subject.rates(data):
        spoilt = subject.spoilt(data, rate)
        kept = np.array_equal(spoilt.mask, data.mask)
        require(kept, f"{subject.name} removes samples; its spec must say makes_missing=True.")
        require(spoilt.fingerprint != data.fingerprint, f"{subject.name} changes nothing at a rate of {rate:g}.")
