"""SquareClusterer: the base of the methods that hold n x n matrices."""

from __future__ import annotations

from abc import abstractmethod

from mvarena.contracts.algorithm import MultiViewClusterer
from mvarena.data import MultiViewData


class SquareClusterer(MultiViewClusterer):
    """A method that says how many n x n matrices it holds; data for which they do not fit are refused by `check`."""

    @abstractmethod
    def squares(self, n_views: int) -> int:
        """Number of n x n matrices of float64 alive at the peak, beyond the data."""

    def memory_needed(self, data: MultiViewData) -> int:
        """Bytes beyond the data: 8 n^2 for each of the `squares`, and for each n x n view that is copied, be it to
        make it dense or to sort the samples."""
        copied = sum(view.kind != "features" and (view.is_sparse or self.canonical) for view in data.views)
        return 8 * (self.squares(data.n_views) + copied) * data.n_samples**2
