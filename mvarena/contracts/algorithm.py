"""MultiViewClusterer: the base of every contestant, a scikit-learn estimator over several views.

A subclass writes `represent`: data in, `Representation` out. Everything else (validation, refusals, the k-means
that turns an embedding into labels) is here, so that the arena can represent once and assign many times.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin

from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible, InvalidSetting
from mvarena.numerics.assignment import Assignment, assign_affinity, assign_embedding
from mvarena.numerics.memory import memory_limit


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Representation:
    """What an algorithm found, before clusters are assigned: exactly one of the first three is set.

    embedding : (n, p) one row per sample, to be clustered by k-means.
    affinity : (n, n) nonnegative symmetric similarities, to be clustered spectrally.
    labels : (n,) cluster indices, for a method that ends in clusters itself.
    objective : the objective after each iteration; empty for a closed form.
    n_iter, converged, stopped_because : how the solver ended; the last one is a sentence.
    details : further arrays worth keeping for the caller (view weights, anchors, ...), by name.
    """

    embedding: NDArray[np.float64] | None = None
    affinity: Any = None
    labels: NDArray[np.int64] | None = None
    objective: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    n_iter: int = 0
    converged: bool = True
    stopped_because: str = "closed form"
    details: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given = [self.embedding is not None, self.affinity is not None, self.labels is not None]
        if sum(given) != 1:
            raise InvalidSetting("a Representation holds exactly one of embedding, affinity and labels.")

    def assign(self, n_clusters: int, seeds: Sequence[int], *, unit_length: bool = False) -> list[Assignment]:
        """One labelling per seed; `unit_length` scales the embedding's rows to unit length first."""
        if self.labels is not None:
            return [Assignment(np.asarray(self.labels, dtype=np.int64), 0.0) for _ in seeds]
        if self.affinity is not None:
            return assign_affinity(self.affinity, n_clusters, seeds)
        assert self.embedding is not None
        return assign_embedding(self.embedding, n_clusters, seeds, unit_length=unit_length)


class MultiViewClusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Base class. Constructor parameters are keyword-only and include n_clusters, n_init and random_state.

    Attributes after `fit`: labels_, embedding_ (or affinity_), objective_, n_iter_, converged_, stopped_because_,
    representation_.
    """

    spec: ClassVar[AlgorithmSpec]
    n_clusters: int | None
    n_init: int
    random_state: int | None

    @abstractmethod
    def represent(self, data: MultiViewData) -> Representation:
        """The representation of `data`. Calls `check` first; changes nothing in `data`, never looks at labels."""

    def memory_needed(self, data: MultiViewData) -> int:
        """Bytes beyond the data that `represent` needs at its peak; 0 where that is small."""
        del data
        return 0

    def check(self, data: MultiViewData) -> int:
        """The number of clusters to look for in `data`.

        Raises Incompatible, in one sentence that says what to do, if this algorithm cannot take `data`, or would need
        more memory than there is.
        """
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
                f"{needed / 2**30:.1f} GiB of memory and the limit is {limit / 2**30:.1f} GiB; take fewer samples, "
                "or a method that is linear in them (mvarena show NAME says the cost)."
            )

    def fit(self, X: Any, y: ArrayLike | None = None, *, mask: ArrayLike | None = None) -> Self:
        """Cluster `X`: represent once, then k-means with `n_init` starts, of which the lowest inertia is kept.

        Parameters
        ----------
        X : a MultiViewData, or a list with one (n, d_v) array or sparse matrix per view, in which a sample that
            a view misses is a row of NaN.
        y : ignored (scikit-learn's signature), except by methods that say so.
        mask : (n, n_views) bool, for a list: True where observed, instead of NaN rows.

        Raises InvalidData for data that are not what they should be and Incompatible for data that this
        algorithm cannot take.
        """
        if isinstance(X, MultiViewData):
            if mask is not None:
                raise InvalidSetting("give `mask` with a list of arrays only; a MultiViewData has its own.")
            data = X.without_labels()
        else:
            data = MultiViewData.from_arrays(X, mask=mask)
        return self._fit(data, y)

    def _fit(self, data: MultiViewData, y: ArrayLike | None) -> Self:
        del y
        if self.n_init < 1:
            raise InvalidSetting(f"n_init must be at least 1, not {self.n_init}.")
        n_clusters = self.check(data)
        found = self.represent(data)
        seeds = np.random.SeedSequence(self.random_state).generate_state(self.n_init)
        best = min(found.assign(n_clusters, [int(seed) for seed in seeds]), key=lambda a: a.inertia)
        self.labels_ = best.labels
        self.representation_ = found
        self.embedding_ = found.embedding
        self.affinity_ = found.affinity
        self.objective_ = found.objective
        self.n_iter_ = found.n_iter
        self.converged_ = found.converged
        self.stopped_because_ = found.stopped_because
        return self

    def fit_predict(self, X: Any, y: ArrayLike | None = None, **kwargs: Any) -> NDArray[np.int64]:
        """`fit(X)`, then the labels: (n,) cluster indices from 0."""
        labels: NDArray[np.int64] = self.fit(X, y, **kwargs).labels_
        return labels
