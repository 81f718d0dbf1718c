"""MultiViewClusterer: the base of every contestant, a scikit-learn estimator over several views.

A subclass declares its parameters and writes `solve`: data in, `Representation` out.

    class PlainMean(MultiViewClusterer):
        weight: Positive = 1.0

        def solve(self, data, n_clusters):
            return Representation(embedding=self.weight * sum(view.matrix for view in data.views))

Everything else (the constructor, validation, refusals, the order of the samples, the k-means that turns an embedding
into labels) is here, so that the arena can represent once and assign many times.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar, Self, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin

from mvarena.contracts.parameters import Count, checked_parameters
from mvarena.contracts.spec_lookup import SpecLookup, complete_docstring
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import MultiViewData, View
from mvarena.errors import Incompatible, InvalidSetting
from mvarena.numerics.assignment import assign_affinity, assign_embedding, canonical_order
from mvarena.numerics.float32 import SingleRows, is_single
from mvarena.numerics.iteration import History
from mvarena.numerics.kmeans import Labelling
from mvarena.system.memory import memory_limit


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Representation:
    """Result of an algorithm before clusters are assigned: exactly one of the first three is set.

    embedding : (n, p) one row per sample, to be clustered by k-means.
    affinity : (n, n) nonnegative symmetric similarities, to be clustered spectrally.
    labels : (n,) cluster indices, for a method that ends in clusters itself.
    history : the objective per iteration and how the solver ended; None: a closed form.
    details : further arrays worth keeping for the caller (view weights, anchors, ...), by name.
        `checkpoint_outcomes`, (m, n, p) embeddings or (m, n) labels after m of the iterations, is scored by the arena
        afterwards (metrics that need "checkpoints"): what choosing the iteration by the classes would have gained.
    by_sample : for each of `details` with an entry per sample the axes that run over the samples: (0,) for (n, p),
        (0, 1) for (n, n). A caller gets them in the order of the samples, like the first three.
    """

    embedding: NDArray[np.float64] | None = None
    affinity: Any = None
    labels: NDArray[np.int64] | None = None
    history: History | None = None
    details: dict[str, Any] = field(default_factory=dict)
    by_sample: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given = [self.embedding is not None, self.affinity is not None, self.labels is not None]
        if sum(given) != 1:
            raise InvalidSetting("a Representation holds exactly one of embedding, affinity and labels.")

    @property
    def objective(self) -> NDArray[np.float64]:
        """The objective after each iteration; empty for a closed form."""
        return np.empty(0) if self.history is None else self.history.objective

    @property
    def n_iter(self) -> int:
        return 0 if self.history is None else self.history.n_iter

    @property
    def converged(self) -> bool:
        return self.history is None or self.history.converged

    @property
    def stopped_because(self) -> str:
        """Sentence on why the solver stopped."""
        return "closed form" if self.history is None else self.history.stopped_because

    def assign(self, n_clusters: int, seeds: Sequence[int], *, unit_length: bool = False) -> list[Labelling]:
        """One labelling per seed; `unit_length` scales the embedding's rows to unit length first."""
        if self.labels is not None:
            return [Labelling(np.asarray(self.labels, dtype=np.int64), 0.0) for _ in seeds]
        if self.affinity is not None:
            return assign_affinity(self.affinity, n_clusters, seeds)
        assert self.embedding is not None
        return assign_embedding(self.embedding, n_clusters, seeds, unit_length=unit_length)

    def in_order(self, order: NDArray[np.int64]) -> Representation:
        """Representation of samples in another order: row i of this one becomes row order[i]."""
        position = np.argsort(order)
        details = {name: _taken(value, position, self.by_sample.get(name, ())) for name, value in self.details.items()}
        if self.embedding is not None:
            return replace(self, embedding=self.embedding[position], details=details)
        if self.affinity is not None:
            return replace(self, affinity=_taken(self.affinity, position, (0, 1)), details=details)
        assert self.labels is not None
        return replace(self, labels=self.labels[position], details=details)


def _taken(array: Any, position: NDArray[np.int64], axes: tuple[int, ...]) -> Any:
    """The entries of a dense or sparse array at `position` along each of the axes."""
    for axis in axes:
        array = array[(slice(None),) * axis + (position,)]
    return array


@dataclass_transform(kw_only_default=True, eq_default=False)
@dataclass(kw_only=True, eq=False, repr=False)
class MultiViewClusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Base class. The annotated names of a subclass are the keyword-only parameters of its constructor.

    Their annotations say what each may be (`mvarena.contracts.parameters`). A subclass may write its constructor
    itself; it then takes n_clusters, n_init and random_state, too.

    Attributes after `fit`: labels_, embedding_ (or affinity_), objective_, n_iter_, converged_, stopped_because_,
    representation_.
    """

    spec: ClassVar[SpecLookup[AlgorithmSpec]] = SpecLookup(AlgorithmSpec)
    canonical: ClassVar[bool] = False
    """Whether `solve` gets the samples in an order that depends on their values alone, so that rounding, ties and
    random choices fall alike for any order given."""

    n_clusters: Count | None = None
    n_init: Count = 20
    random_state: int | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "__init__" not in vars(cls):
            dataclass(kw_only=True, eq=False, repr=False)(cls)
        complete_docstring(cls, AlgorithmSpec)

    @classmethod
    @cache
    def _get_param_names(cls) -> list[str]:
        """The names of the parameters, as scikit-learn reads them of the signature, once for a class."""
        names: list[str] = super()._get_param_names()
        return names

    @abstractmethod
    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        """The representation of `data`, which this algorithm can take; changes nothing in it, sees no labels."""

    def represent(self, data: MultiViewData) -> Representation:
        """The representation of `data`.

        Raises InvalidSetting for parameters out of range, and Incompatible for data that this algorithm cannot take.
        """
        n_clusters = self.check(data)
        if not self.spec.capabilities.single:
            data = data.in_double()
        if not self.canonical:
            return self.solve(data, n_clusters)
        order = _order_of_values(data)
        return self.solve(data.take(order), n_clusters).in_order(order)

    def check_settings(self) -> None:
        """Raise InvalidSetting for parameters that do not go together; each alone is in its range already."""

    def memory_needed(self, data: MultiViewData) -> int:
        """Bytes that `represent` needs at its peak beyond the data; 0 for a small number."""
        del data
        return 0

    def check(self, data: MultiViewData) -> int:
        """The number of clusters to look for in `data`.

        Raises InvalidSetting for parameters out of range, and Incompatible, in one sentence that says what to do, if
        this algorithm cannot take `data`, or would need more memory than there is.
        """
        checked_parameters(self.spec.name, type(self), self.get_params(deep=False))
        self.check_settings()
        n_clusters = data.n_clusters if self.n_clusters is None else self.n_clusters
        reason = self.spec.capabilities.refusal(self.spec.name, data, n_clusters)
        if reason:
            raise Incompatible(reason)
        self._check_memory(data)
        assert n_clusters is not None
        return n_clusters

    def _check_memory(self, data: MultiViewData) -> None:
        needed = self.memory_needed(data)
        if needed and needed > (limit := memory_limit()):
            raise Incompatible(
                f"{self.spec.name} cannot take {data.name}: with {data.n_samples} samples it needs about "
                f"{needed / 2**30:.1f} GiB of memory and the limit is {limit / 2**30:.1f} GiB; use fewer samples, or "
                "a method that is linear in them (mvarena show NAME shows the cost)."
            )

    def fit(self, X: Any, y: ArrayLike | None = None, *, mask: ArrayLike | None = None) -> Self:
        """Cluster `X`: represent once, then k-means with `n_init` starts, of which the lowest inertia is kept.

        Parameters
        ----------
        X : a MultiViewData, or a list with one (n, d_v) array or sparse matrix per view, in which a sample that
            a view misses is a row of NaN.
        y : ignored (scikit-learn's signature), except by methods that say so.
        `random_state` may be a generator of NumPy's, RandomState or Generator: each fit then draws a seed from it.
        mask : (n, n_views) bool, for a list: True where observed, instead of NaN rows.

        The data are taken as they are: `mvarena.prepare(X, "auto", for_=NAME)` gives what the arena gives.

        Raises InvalidData for data that are not what they should be, InvalidSetting for parameters out of range and
        Incompatible for data that this algorithm cannot take.
        """
        if isinstance(X, MultiViewData):
            if mask is not None:
                raise InvalidSetting("give `mask` only with a list of arrays; MultiViewData has its own.")
            data = X.without_labels()
        else:
            data = MultiViewData.from_arrays(X, mask=mask)
        given, self.random_state = self.random_state, _whole_seed(self.random_state)
        try:
            return self._fit(data, y)
        finally:
            self.random_state = given

    def _fit(self, data: MultiViewData, y: ArrayLike | None) -> Self:
        del y
        result = self.represent(data)
        n_clusters = data.n_clusters if self.n_clusters is None else self.n_clusters
        assert n_clusters is not None  # `represent` has checked it
        seeds = np.random.SeedSequence(self.random_state).generate_state(self.n_init)
        best = min(result.assign(n_clusters, [int(seed) for seed in seeds]), key=lambda one: one.inertia)
        self.labels_ = best.labels
        self.representation_ = result
        self.embedding_ = result.embedding
        self.affinity_ = result.affinity
        self.objective_ = result.objective
        self.n_iter_ = result.n_iter
        self.converged_ = result.converged
        self.stopped_because_ = result.stopped_because
        return self

    def fit_predict(self, X: Any, y: ArrayLike | None = None, **kwargs: Any) -> NDArray[np.int64]:
        """`fit(X)`, then the labels: (n,) cluster indices from 0."""
        labels: NDArray[np.int64] = self.fit(X, y, **kwargs).labels_
        return labels


def _whole_seed(given: Any) -> Any:
    """A seed drawn from a generator of NumPy's; anything else as it is."""
    if isinstance(given, np.random.RandomState):
        return int(given.randint(2**31 - 1))
    return int(given.integers(2**31 - 1)) if isinstance(given, np.random.Generator) else given


def _order_of_values(data: MultiViewData) -> NDArray[np.int64]:
    mask = [] if data.is_complete else [data.mask.astype(np.float64)]
    return canonical_order(*(_invariant_rows(view) for view in data.views), *mask)


def _invariant_rows(view: View) -> Any:
    """Row values that identify the samples of a view and do not change when samples are permuted."""
    if view.kind == "features":
        return SingleRows(view.matrix) if is_single(view.matrix) else view.matrix
    sums = np.asarray(view.matrix.sum(axis=1)).ravel()
    return np.column_stack([view.matrix.diagonal(), sums, view.matrix @ sums])
