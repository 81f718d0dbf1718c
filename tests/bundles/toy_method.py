"""A method of one file, as a newcomer submits it: it clusters in milliseconds, and refuses data that miss too much."""

import os

import numpy as np

from mvarena.contracts.algorithm import MultiViewClusterer, Representation

if "TOY_TRACE" in os.environ:
    with open(os.environ["TOY_TRACE"], "a") as trace:
        trace.write(f"{os.getpid()} ")


class ToyMethod(MultiViewClusterer):
    """The first columns of all views beside each other, zeros where a view is not observed."""

    columns: int = 3

    def solve(self, data, n_clusters):
        if data.mask.mean() < 0.8:
            raise ValueError("too much is missing")
        views = [np.where(data.mask[:, [i]], view.matrix, 0) for i, view in enumerate(data.views)]
        return Representation(embedding=np.hstack([matrix[:, : self.columns] for matrix in views]))
