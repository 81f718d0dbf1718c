"""The solver of LRSSC: alternating directions with one multiplier per split, all views against one agreement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.iteration import History, Stopping, largest_magnitude
from mvarena.numerics.kernels import cached_blocks, linear_kernel
from mvarena.numerics.proximal import singular_value_threshold, soft_threshold
from mvarena.system.threads import side_by_side_tasks

Agreement: TypeAlias = Literal["pairwise", "centroid"]
# in double or single precision, which is that of the Gram matrices handed in
Matrix: TypeAlias = NDArray[np.floating]


@dataclass(frozen=True, slots=True, kw_only=True)
class LRSSCPenalties:
    """The weights of the objective and the schedule of the penalty mu.

    low_rank, sparse, agreement : lambda_1, lambda_2, lambda_3 of the trace norm, the L1 norm and the agreement.
    noisy : the data term norm(X - X C)^2 / 2; False: the constraint X = X C.
    mu, growth, mu_max : mu starts here and is multiplied by `growth` after each step, up to `mu_max`.
    reset_centroid : False keeps what the centroid was in its running sum, as the authors' code does.
    """

    low_rank: float = 0.3
    sparse: float = 0.7
    agreement: float = 0.3
    noisy: bool = True
    mu: float = 100.0
    growth: float = 1.5
    mu_max: float = 1e6
    reset_centroid: bool = True


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Gram:
    """K = Q diag(kappa) Q^T of a view, without the eigenvalues that are 0 to rounding: Q (n, r), kappa (r,)."""

    Q: Matrix
    kappa: Matrix

    @classmethod
    def of_features(cls, X: Any) -> Gram:
        """Of the linear kernel X X^T of (n, d) rows, dense or CSR. Time O(n d min(n, d)), O(n^3) for CSR."""
        if sparse.issparse(X) or X.shape[1] > X.shape[0]:
            return cls.of_kernel(linear_kernel(X))
        U, s, _ = np.linalg.svd(X, full_matrices=False)
        return cls._above_rounding(U, s * s)

    @classmethod
    def of_kernel(cls, K: Matrix) -> Gram:
        """Of a symmetric (n, n) kernel; what makes it indefinite is dropped. Time O(n^3)."""
        kappa, Q = np.linalg.eigh(K)
        return cls._above_rounding(Q, kappa)

    def in_unit(self, length: float) -> Gram:
        """The same of samples scaled by one number to the root mean square `length`; a kernel of zeros stays."""
        total = float(self.kappa.sum())
        return Gram(Q=self.Q, kappa=self.kappa * (length**2 * len(self.Q) / total)) if total > 0 else self

    def in_single(self) -> Gram:
        """The same in single precision."""
        return Gram(Q=self.Q.astype(np.float32), kappa=self.kappa.astype(np.float32))

    @classmethod
    def _above_rounding(cls, Q: Matrix, kappa: Matrix) -> Gram:
        kept = kappa > len(Q) * np.finfo(float).eps * max(float(kappa.max()), 0.0)
        return cls(Q=np.ascontiguousarray(Q[:, kept]), kappa=kappa[kept])


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LRSSCResult:
    """Result of the solver.

    coefficients : (n, n) the joint C, its diagonal 0: the mean over views of the sparse ones, or the centroid.
    residual : (n_iter,) the largest violation per step. history : the objective at the split variables.
    """

    coefficients: NDArray[np.float64]
    residual: NDArray[np.float64]
    history: History


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class _Pull:
    """Agreement term of a view's C3: `weight` matrices of the step before, with sum `total`.

    without_own : `total` holds the view's own C2 as well, which is not among them.
    """

    total: Matrix
    weight: float
    without_own: bool

    def target(self, rows: slice, own: Matrix) -> Matrix:
        """These rows of the sum, in a new array; `own` holds those of the view's C2 of the step before."""
        return self.total[rows] - own if self.without_own else self.total[rows].copy()


class _ViewState:
    """The variables of one view: A, the sum C1 + C2 + C3, the sparse C2, the multipliers; and one step of them.

    For N = mu A + Lambda, a split is mu C = prox(N), and its next multiplier is Lambda + mu (A - C) = N - mu C: what
    the proximal map took off. So N and the multiplier share one array.
    """

    def __init__(self, gram: Gram) -> None:
        n, dtype = len(gram.Q), gram.Q.dtype
        self.gram = gram
        self.A, self.C2, self.C_sum = (np.zeros((n, n), dtype) for _ in range(3))
        self.L2, self.L3, self.L4 = (np.zeros((n, n), dtype) for _ in range(3))
        # Lambda_1 is d x n and enters through X^T Lambda_1 = Q diag(sqrt(kappa)) P alone: P (r, n) is kept
        self.P = np.zeros((len(gram.kappa), n), dtype)
        self.rank: int | None = None

    def step(self, pull: _Pull, mu: float, penalties: LRSSCPenalties) -> tuple[float, float]:
        """One pass; returns the view's share of the objective, agreement aside, and the largest violation."""
        w = 1.0 if penalties.noisy else mu
        shares = w * self.gram.kappa / (w * self.gram.kappa + 3.0 * mu)
        fit, moved = self._move_coefficients(shares, mu, penalties)
        C1, kept = self._low_rank(shares, mu, penalties)
        # the rank of the first C1 is at most that of K and tells nothing about the second
        self.rank = len(C1) if self.rank is None else len(kept)
        norm1, gap = self._split(C1, pull, mu, penalties)
        return fit + penalties.low_rank * float(kept.sum()) + penalties.sparse * norm1, max(moved, gap)

    def _move_coefficients(self, shares: Matrix, mu: float, penalties: LRSSCPenalties) -> tuple[float, float]:
        """A = (w K + 3 mu I)^-1 (w K + mu (C1 + C2 + C3) - Lambdas + X^T Lambda_1), w = 1 if noisy, else mu.

        With K = Q diag(kappa) Q^T, (w K + s I)^-1 = (I - Q diag(g) Q^T) / s for the `shares` g = w kappa / (w kappa +
        s): two products of n x r by n x n instead of an inverse. Returns the fit and the largest change of A.
        """
        Q, kappa = self.gram.Q, self.gram.kappa
        A = self.C_sum
        for rows in cached_blocks(len(A)):
            A[rows] *= mu
            A[rows] -= self.L2[rows]
            A[rows] -= self.L3[rows]
            A[rows] -= self.L4[rows]
            A[rows] /= 3.0 * mu
        gap = Q.T - Q.T @ A
        inside = gap * shares[:, None]
        if not penalties.noisy:
            inside += (shares / (mu * np.sqrt(kappa)))[:, None] * self.P
        moved = 0.0
        for rows in cached_blocks(len(A)):
            A[rows] += Q[rows] @ inside
            moved = max(moved, largest_magnitude(A[rows] - self.A[rows]))
        self.A = A
        gap -= inside  # Q^T (I - A)
        gap *= np.sqrt(kappa)[:, None]
        if penalties.noisy:
            return 0.5 * float(np.vdot(gap, gap)), moved
        gap *= mu
        self.P += gap
        return 0.0, moved

    def _low_rank(self, shares: Matrix, mu: float, penalties: LRSSCPenalties) -> tuple[Matrix, Matrix]:
        """C1 and its singular values; L3 becomes N, which is left of it.

        In the first step all else is 0 and A = Q diag(g) Q^T: its singular values are known.
        """
        if self.rank is None:
            kept = np.maximum(shares - penalties.low_rank / mu, 0.0)
            C1 = (self.gram.Q * kept) @ self.gram.Q.T
            for rows in cached_blocks(len(C1)):
                self.L3[rows] = mu * (self.A[rows] - C1[rows])
            return C1, kept[kept > 0]
        for rows in cached_blocks(len(self.L3)):
            self.L3[rows] += mu * self.A[rows]
        squared = self.L3.dtype == np.float32
        C1, kept = singular_value_threshold(self.L3, penalties.low_rank, rank_hint=self.rank, squared=squared)
        for rows in cached_blocks(len(C1)):
            self.L3[rows] -= C1[rows]
            C1[rows] /= mu
        return C1, kept / mu

    def _split(self, C1: Matrix, pull: _Pull, mu: float, penalties: LRSSCPenalties) -> tuple[float, float]:
        """C2 and C3 with their multipliers; C1 becomes C_sum. Returns norm1(C2) and the largest violation."""
        twice = 2.0 * penalties.agreement
        norm1, largest = 0.0, 0.0
        for rows in cached_blocks(len(C1)):
            A, C2, C = self.A[rows], self.C2[rows], C1[rows]
            scaled = mu * A
            largest = max(largest, largest_magnitude(A - C))

            N = self.L4[rows]
            N += scaled
            C3 = pull.target(rows, C2)
            C3 *= twice
            C3 += N
            C3 /= twice * pull.weight + mu
            N -= mu * C3
            C += C3
            largest = max(largest, largest_magnitude(A - C3))

            N = self.L2[rows]
            N += scaled
            C2[:] = soft_threshold(N, penalties.sparse)
            C2 /= mu
            diagonal = np.arange(rows.stop - rows.start)
            C2[diagonal, rows.start + diagonal] = 0.0
            N -= mu * C2
            C += C2
            largest = max(largest, largest_magnitude(A - C2))
            norm1 += float(np.abs(C2).sum())
        self.C_sum = C1
        return norm1, largest


def lrssc(grams: list[Gram], agreement: Agreement, penalties: LRSSCPenalties, stopping: Stopping) -> LRSSCResult:
    """Minimise sum_v [norm(X_v - X_v C_v)^2 / 2 + l1 norm_*(C_v) + l2 norm1(C_v)] + l3 agreement, diag(C_v) = 0.

    Parameters
    ----------
    grams : one per view, of n samples; in single precision all is done in it, at half of the time and memory, which
        serves a tolerance and a `mu_max` like the default ones.
    agreement : "pairwise", sum over pairs of views of norm(C_v - C_w)^2, or "centroid", sum over views of
        norm(C_v - C_star)^2 with C_star their mean.
    stopping : its `tol` is what no entry of A - C1, A - C2, A - C3 and of A's change may exceed, as a share of the
        largest entry of A. (How far X is from X A, where that is a constraint, is not asked, as by the authors.)

    Every start is zero. The objective is that of the split variables (fit at A, trace norm at C1, L1 and agreement
    at C2), which approaches the one above as the violations vanish; alternating directions need not lower it in a step.
    The fixed points are the minimisers: C_v is drawn to the others' C_w from its own side alone, which is half of the
    gradient of all ordered pairs and the whole one of unordered pairs.
    Time per step and view: one n x n eigenproblem and O(n^2 r), r the rank of K; views step side by side where threads
    allow. Memory: 13 n^2 per view and 3 n^2.
    """
    states = [_ViewState(gram) for gram in grams]
    centroid = np.zeros_like(states[0].C2)
    mu, residual, history = penalties.mu, [], History(stopping)
    with side_by_side_tasks(len(states)) as each:
        while not history.ended:
            pull = _pull(states, agreement, centroid)
            steps = list(each(lambda state, pull=pull, mu=mu: state.step(pull, mu, penalties), states))
            total = _total(states)
            centroid = _centroid(total, len(grams), centroid, agreement, penalties)
            residual.append(max(violation for _, violation in steps))
            largest = max(max(largest_magnitude(state.A) for state in states), np.finfo(float).tiny)
            mu = min(mu * penalties.growth, penalties.mu_max)
            history.add(
                sum(share for share, _ in steps) + _disagreement(states, total, agreement, penalties),
                violation=residual[-1] / largest,
            )
    return LRSSCResult(
        coefficients=centroid.astype(np.float64, copy=False), residual=np.array(residual), history=history
    )


def _total(states: list[_ViewState]) -> Matrix:
    total = states[0].C2.copy()
    for state in states[1:]:
        total += state.C2
    return total


def _pull(states: list[_ViewState], agreement: Agreement, centroid: Matrix) -> _Pull:
    """Agreement term of C3, from the step before: the centroid, or for each view the C2 of all others."""
    if agreement == "centroid":
        return _Pull(total=centroid, weight=1.0, without_own=False)
    return _Pull(total=_total(states), weight=len(states) - 1.0, without_own=True)


def _centroid(total: Matrix, n_views: int, old: Matrix, agreement: Agreement, penalties: LRSSCPenalties) -> Matrix:
    """The mean of the sparse C2; with the authors' running sum, (old + l3 total) / (V l3)."""
    if agreement == "pairwise" or penalties.reset_centroid:
        return total / n_views
    return (old + penalties.agreement * total) / (n_views * penalties.agreement)


def _disagreement(states: list[_ViewState], total: Matrix, agreement: Agreement, penalties: LRSSCPenalties) -> float:
    """l3 times the agreement at the C2; all pairs together are V times the squared distances from the mean."""
    mean = total / len(states)
    spread = 0.0
    for state in states:
        for rows in cached_blocks(len(mean)):
            gap = state.C2[rows] - mean[rows]
            spread += float(np.vdot(gap, gap))
    return penalties.agreement * spread * (len(states) if agreement == "pairwise" else 1)
