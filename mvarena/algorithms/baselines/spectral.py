"""SC[C] and SC[A], the two baselines of APMC: the same similarities, without anchors.

    max  tr(F^T D^-1/2 S D^-1/2 F),   S_ij = exp(-|x_i - x_j|^2 / reach^2)

over F (n, k) with orthonormal columns, D the diagonal of the sums of S's rows: of the views side by side (SC[C]), or
with the mean of the views' S (SC[A]).
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.bandwidth import Reach
from mvarena.algorithms.baselines.concat import side_by_side
from mvarena.algorithms.baselines.similarities import SpectralBaseline, mean_affinity, neighbour_similarities
from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData
from mvarena.numerics.kernels import median_distance


class SCConcat(SpectralBaseline):
    """Spectral clustering of Gaussian similarities between concatenated features: SC[C].

    Parameters
    ----------
    n_neighbors : the neighbour whose mean distance reach="nearest" takes.
    reach : the distance at which similarity exp(-d^2 / reach^2) has fallen to 1/e. "all": twice the root mean square
        distance of all pairs of samples, as in `APMC`. "median": sqrt(2) times the median distance, the width of
        `KernelAddition`.

    The paper does not say which bandwidth or graph it used; here they are APMC's, untruncated, so that the
    comparison shows what the anchors bring. "nearest" finds finer groups in complete data, but ties mean-filled
    samples, which are alike, to one another and to little else.
    """

    n_neighbors: Count = 10
    reach: Reach | Literal["median"] = "all"

    def affinity(self, data: MultiViewData) -> NDArray[np.float64]:
        points = side_by_side([view.matrix for view in data.views])
        reach = math.sqrt(2.0) * median_distance(points) if self.reach == "median" else self.reach
        return neighbour_similarities(points, self.n_neighbors, reach)


class SCAverage(SpectralBaseline):
    """Spectral clustering of the mean over views of Gaussian similarities: SC[A].

    Parameters as for `SCConcat`, without "median"; each view has its own reach, unless it is a number.
    """

    n_neighbors: Count = 10
    reach: Reach = "all"

    def affinity(self, data: MultiViewData) -> NDArray[np.float64]:
        return mean_affinity(data, lambda view: neighbour_similarities(view.matrix, self.n_neighbors, self.reach))
