"""LRSSC: multi-view low-rank sparse subspace clustering, pairwise and centroid (Brbic and Kopriva 2018)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias, get_args

import numpy as np

from mvarena.algorithms import subspace
from mvarena.algorithms.square import SquareClusterer
from mvarena.algorithms.subspace._coefficients import represented
from mvarena.algorithms.subspace._lrssc_admm import Agreement, Gram, Penalties, Solution, solve
from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting
from mvarena.numerics.kernels import gaussian, median_distance, squared_distances

Kernel: TypeAlias = Literal["linear", "gaussian"]

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
    n_clusters : clusters to look for; None: as many as the data say.
    low_rank, sparse, agreement : weights lambda_1 of the trace norm, lambda_2 of the L1 norm (None: 1 - low_rank, as
        the authors couple them) and lambda_3 of the squared distances between views. The data term is in the units of
        the squared features, so their effect depends on the scale of the data.
    kernel : "linear", or "gaussian" for exp(-d^2 / (2 s^2)); kernel views are taken as they are with either.
    sigma : s as a multiple of each view's median distance, for "gaussian".
    noisy : data term norm(X - X C)^2 / 2; False: the constraint X = X C, not for the Gaussian kernel.
    mu, growth, mu_max : the penalty of the splits, by which it grows in each step, and its bound. The schedule is part
        of the method: growth above 1 stops short of the minimum, which growth = 1 approaches.
    max_iter : steps at most. tol : stop when no entry of the splits' violations and of the last change exceeds this
        share of the largest coefficient.
    n_init : k-means starts in `fit`. random_state : their seed.

    Raises Incompatible if samples miss views, InvalidSetting for weights below 0 and the like. Time per step and view:
    one n x n eigenproblem and O(n^2 r), r the rank of the view (d, or n for a kernel); memory 13 V + 3 matrices n x n,
    in single precision where n > 400, noisy, tol >= 1e-4 and mu_max <= 1e6: at n = 2,000 its coefficients differ from
    those in double precision by 6e-5 of the largest one.

    Departures from the authors' code: its tolerance is absolute, 1e-3 for the linear and 1e-5 for the Gaussian kernel,
    which at n = 2,000 stops while the coefficients still form; a share of the largest one means the same at any n and
    is close to both at theirs. The median distance is over pairs of different samples (theirs counts each sample's
    distance to itself as well).

    Source: Brbic and Kopriva, Multi-view low-rank sparse subspace clustering, Pattern Recognition 73 (2018). Status:
    verified against the authors' code (affinities after steps 1 to 5 and at the end; linear, noiseless, Gaussian).
    """

    spec = subspace.LRSSC_PAIRWISE
    _agreement: Agreement = "pairwise"

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        low_rank: float = 0.3,
        sparse: float | None = None,
        agreement: float = 0.3,
        kernel: Kernel = "linear",
        sigma: float = 1.0,
        noisy: bool = True,
        mu: float = 100.0,
        growth: float = 1.5,
        mu_max: float = 1e6,
        max_iter: int = 100,
        tol: float = 5e-3,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.low_rank = low_rank
        self.sparse = sparse
        self.agreement = agreement
        self.kernel = kernel
        self.sigma = sigma
        self.noisy = noisy
        self.mu = mu
        self.growth = growth
        self.mu_max = mu_max
        self.max_iter = max_iter
        self.tol = tol
        self.n_init = n_init
        self.random_state = random_state

    def squares(self, n_views: int) -> int:
        return (_PER_VIEW * n_views + _JOINT) // (2 if self._in_single else 1) + 1

    @property
    def _in_single(self) -> bool:
        return self.noisy and self.tol >= _SINGLE_TOL and self.mu_max <= _SINGLE_MU

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        self._check_settings()

        def solution(ordered: MultiViewData) -> Solution:
            grams = [self._gram(view) for view in ordered.views]
            if self._in_single and ordered.n_samples > _DOUBLE_UP_TO:
                grams = [gram.in_single() for gram in grams]
            return solve(grams, self._agreement, self._penalties(), max_iter=self.max_iter, tol=self.tol)

        return represented(data, solution, k)

    def _gram(self, view: View) -> Gram:
        if view.kind == "kernel":
            return Gram.of_kernel(view.matrix.toarray() if view.is_sparse else view.matrix)
        if self.kernel == "linear":
            return Gram.of_features(view.matrix)
        scale = self.sigma * median_distance(view.matrix)
        return Gram.of_kernel(gaussian(squared_distances(view.matrix), 2.0 * scale**2))

    def _penalties(self) -> Penalties:
        sparse = 1.0 - self.low_rank if self.sparse is None else self.sparse
        return Penalties(
            low_rank=self.low_rank,
            sparse=sparse,
            agreement=self.agreement,
            noisy=self.noisy,
            mu=self.mu,
            growth=self.growth,
            mu_max=self.mu_max,
        )

    def _check_settings(self) -> None:
        name, penalties = self.spec.name, self._penalties()
        if self.kernel not in get_args(Kernel):
            raise InvalidSetting(
                f"{name}: kernel must be one of {', '.join(get_args(Kernel))}, not '{self.kernel}'; "
                "another kernel can be given as kernel views."
            )
        if self.kernel == "gaussian" and not self.noisy:
            raise InvalidSetting(
                f"{name}: with the gaussian kernel X = X C leaves no solution but C = I; set noisy=True."
            )
        for setting in ("low_rank", "sparse", "agreement"):
            if not 0 <= getattr(penalties, setting) < np.inf:
                raise InvalidSetting(f"{name}: {setting} must be at least 0, not {getattr(penalties, setting)}.")
        for setting in ("sigma", "mu", "mu_max"):
            if not 0 < getattr(self, setting) < np.inf:
                raise InvalidSetting(f"{name}: {setting} must be positive, not {getattr(self, setting)}.")
        if not 1 <= self.growth < np.inf:
            raise InvalidSetting(f"{name}: growth must be at least 1, not {self.growth}.")
        if self.max_iter < 1:
            raise InvalidSetting(f"{name}: max_iter must be at least 1, not {self.max_iter}.")


class LRSSCCentroid(LRSSCPairwise):
    """Low-rank sparse self-representation per view, all drawn towards one common matrix, which is clustered.

    Parameters, errors, cost and source as for `LRSSCPairwise`; lambda_3 weighs the squared distances from the centroid.

    reset_centroid : True, the paper's rule: the centroid is the mean of the views' sparse matrices. False: the authors'
        code, in which it also holds what it was before, C = (C + l3 sum C_v) / (V l3): where V l3 < 1 it grows with
        each step, and published figures rest on it.
    """

    spec = subspace.LRSSC_CENTROID
    _agreement: Agreement = "centroid"

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        low_rank: float = 0.1,
        sparse: float | None = None,
        agreement: float = 0.7,
        kernel: Kernel = "linear",
        sigma: float = 1.0,
        noisy: bool = True,
        mu: float = 100.0,
        growth: float = 1.5,
        mu_max: float = 1e6,
        reset_centroid: bool = True,
        max_iter: int = 100,
        tol: float = 5e-3,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        super().__init__(
            n_clusters=n_clusters,
            low_rank=low_rank,
            sparse=sparse,
            agreement=agreement,
            kernel=kernel,
            sigma=sigma,
            noisy=noisy,
            mu=mu,
            growth=growth,
            mu_max=mu_max,
            max_iter=max_iter,
            tol=tol,
            n_init=n_init,
            random_state=random_state,
        )
        self.reset_centroid = reset_centroid

    def _penalties(self) -> Penalties:
        return replace(super()._penalties(), reset_centroid=self.reset_centroid)

    def _check_settings(self) -> None:
        super()._check_settings()
        if not self.reset_centroid and self.agreement == 0:
            raise InvalidSetting(f"{self.spec.name}: the running centroid divides by agreement, which must not be 0.")
