"""LRSSC: multi-view low-rank sparse subspace clustering, pairwise and centroid (Brbic and Kopriva 2018).

    min  sum_v (|X_v - X_v C_v|^2 / 2 + l1 |C_v|_* + l2 |C_v|_1) + l3 sum_(v<w) |C_v - C_w|^2

over C_v (n, n), diag = 0 in the sparse term; with a centroid C* the last term is l3 sum_v |C_v - C*|^2.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Ge, Lt

from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.algorithms.subspace._lrssc_admm import Agreement, Gram, LRSSCPenalties, lrssc
from mvarena.algorithms.subspace.coefficients import spectral_embedding_of
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.kernels import gaussian, median_distance, squared_distances

# n x n matrices: a view's state, target and what its step needs at its peak (views may step at once); joint ones
_PER_VIEW = 13
_JOINT = 3
# single precision serves from so many samples on (below, it saves nothing), for no finer a tolerance, and while
# rounding of mu A, whose entries are at most 1, is small beside the weights
_DOUBLE_UP_TO = 400
_SINGLE_TOL, _SINGLE_MU = 1e-4, 1e6


class LRSSCPairwise(SquareClusterer):
    """Low-rank sparse self-representation per view, in which every two views are drawn towards each other.

    Parameters
    ----------
    low_rank, sparse, agreement : weights lambda_1 of the trace norm, lambda_2 of the L1 norm (None: 1 - low_rank, as
        the authors couple them) and lambda_3 of the squared distances between views. The data term is in the units of
        the squared features, so the weights mean something for views of one `unit` alone.
    unit : root mean square length that the samples of each view get by division by one number. The weights were
        found on the term counts of 3Sources, whose documents have lengths of 23 to 26. None: views as they are.
    kernel : "linear", or "gaussian" for exp(-d^2 / (2 s^2)), of which samples have length 1, whatever `unit` is. A
        kernel view is one of inner products: `unit` is the root of its mean diagonal.
    sigma : s as a multiple of each view's median distance, for "gaussian".
    noisy : data term norm(X - X C)^2 / 2; False: the constraint X = X C, not for the Gaussian kernel.
    mu, growth, mu_max : the penalty of the splits, by which it grows in each step, and its bound. The schedule is part
        of the method: growth above 1 stops short of the minimum, which growth = 1 approaches.
    max_iter : steps at most. tol : stop when no entry of the splits' violations and of the last change exceeds this
        share of the largest coefficient.

    Works in single precision where n > 400, noisy, tol >= 1e-4 and mu_max <= 1e6.

    Departures from the authors' code: it takes views as they are (unit=None); of rows of unit length the weights then
    leave next to nothing. Its tolerance is absolute, 1e-3 for the linear and 1e-5 for the Gaussian kernel, which at
    n = 2,000 stops while the coefficients still form; a share of the largest one means the same at any n and is close
    to both at theirs. The median distance is over pairs of different samples (theirs counts each sample's distance to
    itself as well).
    """

    canonical: ClassVar[bool] = True
    _agreement: ClassVar[Agreement] = "pairwise"

    low_rank: NonNegative = 0.3
    sparse: NonNegative | None = None
    agreement: NonNegative = 0.3
    unit: Positive | None = 25.0
    kernel: Literal["linear", "gaussian"] = "linear"
    sigma: Positive = 1.0
    noisy: bool = True
    mu: Positive = 100.0
    growth: Annotated[float, Ge(1), Lt(np.inf)] = 1.5
    mu_max: Positive = 1e6
    max_iter: Count = 100
    tol: NonNegative = 5e-3

    def squares(self, n_views: int) -> int:
        return (_PER_VIEW * n_views + _JOINT) // (2 if self._in_single else 1) + 1

    @property
    def _in_single(self) -> bool:
        return self.noisy and self.tol >= _SINGLE_TOL and self.mu_max <= _SINGLE_MU

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        penalties = self._penalties()
        grams = [self._gram(view) for view in data.views]
        if self._in_single and data.n_samples > _DOUBLE_UP_TO:
            grams = [gram.in_single() for gram in grams]
        result = lrssc(grams, self._agreement, penalties, Stopping(self.max_iter, self.tol))
        return spectral_embedding_of(result.coefficients, n_clusters, result.history, residual=result.residual)

    def _gram(self, view: View) -> Gram:
        if view.kind == "kernel":
            return self._in_unit(Gram.of_kernel(view.matrix.toarray() if view.is_sparse else view.matrix))
        if self.kernel == "linear":
            return self._in_unit(Gram.of_features(view.matrix))
        scale = self.sigma * median_distance(view.matrix)
        return Gram.of_kernel(gaussian(squared_distances(view.matrix), 2.0 * scale**2))

    def _in_unit(self, gram: Gram) -> Gram:
        return gram if self.unit is None else gram.in_unit(self.unit)

    def check_settings(self) -> None:
        name = self.spec.name
        if self.kernel == "gaussian" and not self.noisy:
            raise InvalidSetting(f"{name}: the gaussian kernel leaves X = X C no solution but C = I; set noisy=True.")
        if self.sparse is None and self.low_rank > 1:
            raise InvalidSetting(f"{name}: 1 - low_rank is below 0 for a low_rank of {self.low_rank}; set sparse, too.")

    def _penalties(self) -> LRSSCPenalties:
        return LRSSCPenalties(
            low_rank=self.low_rank,
            sparse=1.0 - self.low_rank if self.sparse is None else self.sparse,
            agreement=self.agreement,
            noisy=self.noisy,
            mu=self.mu,
            growth=self.growth,
            mu_max=self.mu_max,
        )


class LRSSCCentroid(LRSSCPairwise):
    """Low-rank sparse self-representation per view, all drawn towards one common matrix, which is clustered.

    Parameters and errors as for `LRSSCPairwise`; lambda_3 weighs the squared distances from the centroid.

    reset_centroid : True, the paper's rule: the centroid is the mean of the views' sparse matrices. False: the authors'
        code, in which it also holds what it was before, C = (C + l3 sum C_v) / (V l3): where V l3 < 1 it grows with
        each step, and published figures rest on it.
    """

    _agreement: ClassVar[Agreement] = "centroid"

    low_rank: NonNegative = 0.1
    agreement: NonNegative = 0.7
    reset_centroid: bool = True

    def check_settings(self) -> None:
        super().check_settings()
        if not self.reset_centroid and self.agreement == 0:
            raise InvalidSetting(f"{self.spec.name}: the running centroid divides by agreement, which must not be 0.")

    def _penalties(self) -> LRSSCPenalties:
        return replace(super()._penalties(), reset_centroid=self.reset_centroid)
