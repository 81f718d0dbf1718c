"""An algorithm that does what its parameter `deed` names: odd results, hangs, leaks, floods, changes of what is shared.

Each deed says how its trial must end. A file for notes (process numbers) is named by MVARENA_TOYS_NOTES.
"""

from __future__ import annotations

from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData
from mvarena_toys import changes, ends, floods, inputs, leaks, results, sabotage  # noqa: F401  each adds its deeds
from mvarena_toys.deeds import DEEDS
from mvarena_toys.methods import Quick


class Hostile(Quick):
    """Does `deed`; where that returns nothing, it goes on as a healthy algorithm."""

    deed: str = ""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        found = DEEDS[self.deed].do(data)
        if found is not None:
            return found
        first = data.views[0].matrix
        return Representation(embedding=first.toarray() if data.views[0].is_sparse else first * 1.0)
