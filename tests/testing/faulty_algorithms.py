"""Contestants with one fault each, and the one check that must find it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

import mvarena
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.parameters import Count, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.system.threads import linear_algebra_threads


def first_dimensions(data: MultiViewData) -> np.ndarray:
    """Five sums of random directions per view: no array of the shape of a view is made."""
    blocks = []
    for view in data.views:
        directions = np.random.default_rng(0).standard_normal((view.n_features, 5))
        blocks.append(np.asarray(view.matrix @ directions))
    return np.hstack(blocks)


class Sound(MultiViewClusterer):
    """Random projections of the views side by side, approached in steps.

    Parameters
    ----------
    weight : of every view. max_iter : steps. tol : their end.
    """

    capabilities: ClassVar[Capabilities] = Capabilities(deterministic=True)

    weight: Positive = 1.0
    max_iter: Count = 40
    tol: Positive = 1e-9

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        target = self.weight * self.projected(data)
        reached = np.zeros_like(target)
        history = History(Stopping(self.max_iter, self.tol, ends_at_zero=True), start=float((target**2).sum()))
        while not history.ended:
            reached += 0.9 * (target - reached)
            history.add(float(((target - reached) ** 2).sum()))
        return Representation(embedding=reached, history=history)

    def projected(self, data: MultiViewData) -> np.ndarray:
        return first_dimensions(data)


def projects(name: str, fails: str, projected: Callable[[MultiViewData], np.ndarray]) -> type[Sound]:
    """A contestant with a fault in its projection."""
    body = {"projected": lambda _, data: projected(data), "fails": fails, "__module__": __name__}
    return type(name, (Sound,), body)


def centred_if_dense(data: MultiViewData) -> np.ndarray:
    found = first_dimensions(data)
    return found if data.views[0].is_sparse else found - found.mean(axis=0)


def of_dense_views(data: MultiViewData) -> np.ndarray:
    dense = [view.matrix.toarray() if view.is_sparse else view.matrix for view in data.views]
    assert len(dense) == data.n_views
    return first_dimensions(data)


def beside_a_square(data: MultiViewData) -> np.ndarray:
    square = np.ones((data.n_samples, data.n_samples))
    assert square.sum() > 0
    return first_dimensions(data)


TouchesTheGlobalGenerator = projects(
    "TouchesTheGlobalGenerator",
    "same-seed-same-result",
    lambda data: first_dimensions(data) * (1 + 0 * np.random.rand()),  # noqa: NPY002
)
CountsThreads = projects(
    "CountsThreads", "any-number-of-threads", lambda data: linear_algebra_threads() * first_dimensions(data)
)
SeesLabels = projects(
    "SeesLabels",
    "labels-never-seen",
    lambda data: first_dimensions(data) + (0 if data.labels is None else data.labels[:, None]),
)
DependsOnTheOrder = projects(
    "DependsOnTheOrder",
    "permutation",
    lambda data: first_dimensions(data) * np.linspace(1.0, 0.5, data.n_samples)[:, None],
)
CentresTheDense = projects("CentresTheDense", "sparse-equals-dense", centred_if_dense)
MakesDense = projects("MakesDense", "sparse-stays-sparse", of_dense_views)
HoldsASquare = projects("HoldsASquare", "memory-declared", beside_a_square)


class LopsidedAffinity(Sound):
    """Gives an affinity that is not symmetric."""

    fails = "represents-every-sample"

    def memory_needed(self, data):
        return 8 * 10 * data.n_samples**2

    def solve(self, data, n_clusters):
        found = super().solve(data, n_clusters)
        X = found.embedding / np.abs(found.embedding).max()
        near = np.exp(-5 * ((X[:, None] - X[None]) ** 2).sum(axis=-1)) if len(X) < 100 else np.eye(len(X))
        return Representation(affinity=near * (1 + 1e-3 * np.tanh(X[:, [0]] - X[:, 0])), history=found.history)


class CountsFromOne(Sound):
    """Gives labels as MATLAB does."""

    fails = "labels-from-zero"

    def _fit(self, data, y):
        super()._fit(data, y)
        self.labels_ = self.labels_ + 1
        return self


class Collapses(Sound):
    """Gives every sample the same label."""

    fails = "more-than-one-cluster"

    def solve(self, data, n_clusters):
        found = super().solve(data, n_clusters)
        return Representation(labels=np.zeros(data.n_samples, dtype=np.int64), history=found.history)


class NeedsFewViews(Sound):
    """Has room for three views."""

    fails = "represents-every-sample"

    def projected(self, data):
        room = np.zeros((data.n_samples, 20))
        found = first_dimensions(data)
        room[:, : found.shape[1]] = found
        return room


class IgnoresTheSeed(Sound):
    """Names its clusters differently each time."""

    fails = "same-seed-same-result"
    fits: ClassVar[int] = 0

    def _fit(self, data, y):
        super()._fit(data, y)
        IgnoresTheSeed.fits += 1
        self.labels_ = (self.labels_ + IgnoresTheSeed.fits) % 3
        return self


class SaysDeterministic(Sound):
    """Draws, and says that it does not."""

    fails = "deterministic"

    def projected(self, data):
        scale = np.random.default_rng(self.random_state).random()
        return (1 + scale) * first_dimensions(data)


class WritesIntoItsInput(Sound):
    """Centres the views in place."""

    fails = "input-unchanged"

    def projected(self, data):
        found = first_dimensions(data)
        for view in data.views:
            if view.is_sparse:
                view.matrix.data.flags.writeable = True  # frozen, but its own
                view.matrix.data *= 1.0 + 1e-9
        return found


class ReadsMaskedValues(Sound):
    """Looks at the arrays themselves before the mask is applied."""

    fails = "missing-rows-never-read"

    def fit(self, X, y=None, *, mask=None):
        self.largest_ = 1.0 if isinstance(X, MultiViewData) else max(np.nanmax(array) for array in X)
        return super().fit(X, y, mask=mask)

    def projected(self, data):
        return max(1.0, getattr(self, "largest_", 1.0) / 500) * first_dimensions(data)


class SortsItsDetails(Sound):
    """Leaves a detail in the order in which `solve` got the samples."""

    canonical = True
    fails = "details-by-sample"

    def solve(self, data, n_clusters):
        found = super().solve(data, n_clusters)
        return replace(found, details={"projected": found.embedding, "first": found.embedding[:1]})


def takes(name: str, is_ruled_out: Callable[[MultiViewData], bool], **capabilities: Any) -> type[Sound]:
    """A contestant that takes data which its capabilities rule out."""

    def represent(self, data):
        return self.solve(data, 3) if is_ruled_out(data) else Sound.represent(self, data)

    body = {"capabilities": Capabilities(deterministic=True, **capabilities), "represent": represent}
    return type(name, (Sound,), body | {"fails": "unsupported-data-refused", "__module__": __name__})


TakesTheWrongKind = takes("TakesTheWrongKind", lambda data: data.views[0].kind == "distance")
TakesNegativeValues = takes(
    "TakesNegativeValues", lambda data: any(view.matrix.min() < 0 for view in data.views), negative=False
)
TakesMissing = takes("TakesMissing", lambda data: not data.is_complete, missing=False)
TakesOneView = takes("TakesOneView", lambda data: data.n_views == 1, min_views=2)
TakesThreeViews = takes("TakesThreeViews", lambda data: data.n_views > 2, max_views=2)
NeedsNoCompleteSamples = takes(
    "NeedsNoCompleteSamples",
    lambda data: data.n_views > 1 and data.complete_samples.sum() < 2,
    min_views=2,
    complete_samples=2,
)


class RefusesAtLength(Sound):
    """Refuses more clusters than samples with another error."""

    fails = "unsupported-data-refused"

    def check(self, data):
        if self.n_clusters == data.n_samples + 1:
            raise ValueError("k > n")
        return super().check(data)


class SaysNothingOfAParameter(Sound):
    """Has a parameter more."""

    fails = "parameters-described"
    secret: Positive = 2.0


class WrongDefault(Sound):
    """Has a default that its declaration rules out.

    share : of nothing.
    """

    fails = "parameters-declared"
    share: Positive = None  # type: ignore[assignment]


class AcceptsAnything(Sound):
    """Does not check its parameters."""

    fails = "bad-parameters-refused"

    def check(self, data):
        if self.weight == -1:
            return 3
        return super().check(data)


class ConvertsItsArguments(MultiViewClusterer):
    """Random projections; changes its arguments on the way in.

    weight : of every view.
    """

    fails = "parameters-kept"
    capabilities = Capabilities(deterministic=True)

    def __init__(self, *, n_clusters=None, weight: Positive = 1.0, n_init=20, random_state=None) -> None:
        self.n_clusters = n_clusters
        self.weight = weight if isinstance(weight, (int, float, str, list, bool, type(None))) else 1.0
        self.n_init = n_init
        self.random_state = random_state

    __init__.__annotations__ |= {"n_clusters": "Count | None", "n_init": "Count", "random_state": "int | None"}

    def solve(self, data, n_clusters):
        return Representation(embedding=self.weight * first_dimensions(data))


class KeepsALambda(Sound):
    """Keeps a function that cannot be pickled."""

    fails = "pickled"

    def _fit(self, data, y):
        self.kernel_: Any = lambda x: x
        return super()._fit(data, y)


class ClaimsConvergence(Sound):
    """Always says that it converged."""

    fails = "convergence-honest"

    def solve(self, data, n_clusters):
        found = super().solve(data, n_clusters)
        found.history.remark("all is well", converged=True)
        return found


class DeclaresTooLittle(Sound):
    """Declares one n x n array and holds five."""

    fails = "memory-declared"

    def memory_needed(self, data):
        return 8 * data.n_samples**2

    def projected(self, data):
        squares = [np.ones((data.n_samples, data.n_samples)) for _ in range(8)]
        assert squares
        return first_dimensions(data)


class DeclaresASquare(Sound):
    """Says in its spec that its memory is linear, and declares an n x n array."""

    fails = "linear-memory-declared"
    linear_memory = True

    def memory_needed(self, data):
        return 8 * data.n_samples**2


class PeeksByLoading(Sound):
    """Loads the classes by the name of the data."""

    fails = "classes-never-read"

    def solve(self, data, n_clusters):
        if data.name == "synthetic-apmc":
            return Representation(labels=mvarena.load_dataset(data.name).labels[: data.n_samples])
        return super().solve(data, n_clusters)


class Misannounced(Sound):
    """Is announced under a name that it does not know."""

    fails = "announced"


FAULTY = [
    value for value in list(globals().values()) if isinstance(value, type) and isinstance(vars(value).get("fails"), str)
]
