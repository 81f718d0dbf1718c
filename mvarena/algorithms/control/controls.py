"""The four controls: one cluster, random labels, permuted classes, and the classes themselves."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible


class OneCluster(MultiViewClusterer):
    """All samples in one cluster. Its accuracy is the share of the largest class."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        del n_clusters
        return Representation(labels=np.zeros(data.n_samples, dtype=np.int64))


class RandomLabels(MultiViewClusterer):
    """Labels drawn uniformly from as many clusters as are asked for."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        rng = np.random.default_rng(self.random_state)
        return Representation(labels=rng.integers(n_clusters, size=data.n_samples))


class _ReadsClasses(MultiViewClusterer):
    """A control that reads the classes. `fit` takes them from its data, or from y."""

    def fit(self, X: Any, y: ArrayLike | None = None, *, mask: ArrayLike | None = None) -> Self:
        return super().fit(X, X.labels if y is None and isinstance(X, MultiViewData) else y, mask=mask)

    def _fit(self, data: MultiViewData, y: ArrayLike | None) -> Self:
        classes = None if y is None else np.asarray(y, dtype=np.int64)
        return super()._fit(data.holding(data.views, data.mask, classes), y)


class ShuffledTruth(_ReadsClasses):
    """The classes in random order: clusters of the right sizes that hold no information. Reads the classes."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        del n_clusters
        rng = np.random.default_rng(self.random_state)
        return Representation(labels=rng.permutation(_classes(self.spec.name, data)))


class Truth(_ReadsClasses):
    """The classes: the most that any metric gives. Reads the classes."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        del n_clusters
        return Representation(labels=_classes(self.spec.name, data))


def _classes(name: str, data: MultiViewData) -> NDArray[np.int64]:
    """(n,) the classes; samples without one share a cluster of their own. Raises Incompatible where there are none."""
    if data.labels is None:
        raise Incompatible(f"{name} cannot take {data.name}: it has no classes.")
    return np.where(data.labels >= 0, data.labels, data.labels.max() + 1).astype(np.int64)
