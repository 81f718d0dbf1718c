"""Best single view: one view clustered by itself. Which one is best, only the labels can tell.

    min  sum_i |x_i - c_(y_i)|^2             k-means
    max  tr(F^T D^-1/2 K D^-1/2 F)           spectral clustering

over clusters y with centres c, or over F (n, k) with orthonormal columns, for a kernel K of the view and the diagonal D
of the sums of its rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from mvarena.algorithms.baselines.similarities import SpectralBaseline, view_kernel
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting
from mvarena.samples import UNLABELLED


class _SingleView(MultiViewClusterer):
    """Base of both baselines: the choice of a view, and the pick by labels. `solve` gets data with that view alone.

    Attributes after `fit`, beside the usual ones: view_, the view's name; label_picked_, whether labels chose it.
    """

    view: str | int | None = None

    def represent(self, data: MultiViewData) -> Representation:
        self.check(data)
        return super().represent(data.select_views([self._chosen(data).name]))

    def _chosen(self, data: MultiViewData) -> View:
        if self.view is None and data.n_views == 1:
            return data.views[0]
        if self.view is None:
            raise InvalidSetting(
                f"{self.spec.name}: name a view, or pass the labels y to pick the best by them; "
                f"the views of {data.name} are {', '.join(data.view_names)}."
            )
        if isinstance(self.view, str):
            return data.view(self.view)
        if not 0 <= self.view < data.n_views:
            raise InvalidSetting(
                f"{self.spec.name}: there is no view {self.view}; {data.name} has views 0 to {data.n_views - 1}: "
                f"{', '.join(data.view_names)}."
            )
        return data.views[self.view]

    def _fit(self, data: MultiViewData, y: ArrayLike | None) -> Self:
        if self.view is not None or data.n_views == 1 or y is None:
            super()._fit(data, None)
            self.view_ = self._chosen(data).name
            self.label_picked_ = False
            return self
        classes = _classes(y, data)
        fits = [clone(self).set_params(view=name)._fit(data, None) for name in data.view_names]
        best = max(fits, key=lambda fit: _agreement(classes, fit.labels_))
        for name, value in vars(best).items():
            if name.endswith("_"):
                setattr(self, name, value)
        self.label_picked_ = True
        return self


def _classes(y: ArrayLike, data: MultiViewData) -> NDArray[np.int64]:
    """(n,) class indices, -1 where y says unlabelled."""
    labels = replace(data, labels=y).labels  # type: ignore[arg-type]  # cleaned on the way
    if labels is None:
        raise InvalidSetting("y labels no sample (-1, None and NaN mean unlabelled); name a view instead.")
    return labels


def _agreement(classes: NDArray[np.int64], labels: NDArray[np.int64]) -> float:
    """NMI, arithmetic mean, over the samples that have a class."""
    known = classes != UNLABELLED
    from sklearn.metrics import normalized_mutual_info_score  # takes long, and planning needs none

    return float(normalized_mutual_info_score(classes[known], labels[known]))


class BSVKMeans(_SingleView):
    """k-means on one complete view.

    Parameters
    ----------
    view : name or index of the view. None: `fit(X, y)` clusters every view and keeps the one whose labels agree
        best with y (NMI): an upper bound that no user without labels could reach, marked by `label_picked_`.

    Raises InvalidSetting if there are several views, `view` is None and no y is given.
    """

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        del n_clusters
        return Representation(embedding=data.views[0].matrix)


class BSVSpectral(_SingleView, SpectralBaseline):
    """Spectral clustering of one complete view.

    The affinity is a kernel view as it is, negative entries as 0, or exp(-d^2 / (2 sigma^2)) with sigma the median
    pairwise distance. Parameters and errors as for `BSVKMeans`.
    """

    def affinity(self, data: MultiViewData) -> NDArray[np.float64]:
        return view_kernel(data.views[0])
