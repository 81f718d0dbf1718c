"""GraphClusterer: the base of the methods that hold n x n matrices."""

from __future__ import annotations

from abc import abstractmethod

from mvarena.contracts.algorithm import MultiViewClusterer
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible
from mvarena.numerics.memory import memory_limit


class GraphClusterer(MultiViewClusterer):
    """A method that says how many n x n matrices it holds, and refuses data for which they do not fit."""

    @abstractmethod
    def squares(self, n_views: int) -> int:
        """How many n x n matrices of float64 are alive at the peak."""

    def memory_needed(self, data: MultiViewData) -> int:
        """Bytes beyond the data: 8 n^2 for each of the `squares`."""
        return 8 * self.squares(data.n_views) * data.n_samples**2

    def check(self, data: MultiViewData) -> int:
        """As the base class; also raises Incompatible when the n x n matrices exceed the memory limit."""
        k = super().check(data)
        needed, limit = self.memory_needed(data), memory_limit()
        if needed > limit:
            n = data.n_samples
            raise Incompatible(
                f"{self.spec.name} cannot take {data.name}: {self.squares(data.n_views)} matrices of {n} x {n} need "
                f"{needed / 2**30:.1f} GiB of memory and the limit is {limit / 2**30:.1f} GiB; take fewer samples, "
                "or a method that is linear in their number, such as apmc."
            )
        return k
