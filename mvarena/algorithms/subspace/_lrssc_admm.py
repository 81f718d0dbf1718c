"""The solver of LRSSC: alternating directions with one multiplier per split, all views against one agreement."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.kernels import linear_kernel
from mvarena.numerics.proximal import singular_value_threshold, soft_threshold
from mvarena.numerics.threads import side_by_side_tasks

Agreement: TypeAlias = Literal["pairwise", "centroid"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalties:
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

    Q: NDArray[np.float64]
    kappa: NDArray[np.float64]

    @classmethod
    def of_features(cls, X: Any) -> Gram:
        """Of the linear kernel X X^T of (n, d) rows, dense or CSR. Time O(n d min(n, d)), O(n^3) for CSR."""
        if sparse.issparse(X) or X.shape[1] > X.shape[0]:
            return cls.of_kernel(linear_kernel(X))
        U, s, _ = np.linalg.svd(X, full_matrices=False)
        return cls._above_rounding(U, s * s)

    @classmethod
    def of_kernel(cls, K: NDArray[np.float64]) -> Gram:
        """Of a symmetric (n, n) kernel; what makes it indefinite is dropped. Time O(n^3)."""
        kappa, Q = np.linalg.eigh(K)
        return cls._above_rounding(Q, kappa)

    @classmethod
    def _above_rounding(cls, Q: NDArray[np.float64], kappa: NDArray[np.float64]) -> Gram:
        kept = kappa > len(Q) * np.finfo(float).eps * max(float(kappa.max()), 0.0)
        return cls(Q=np.ascontiguousarray(Q[:, kept]), kappa=kappa[kept])


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Solution:
    """What the solver found.

    coefficients : (n, n) the joint C, its diagonal 0: the mean over views of the sparse ones, or the centroid.
    objective, residual : (n_iter,) per step, the objective at the split variables and the largest violation.
    """

    coefficients: NDArray[np.float64]
    objective: NDArray[np.float64]
    residual: NDArray[np.float64]
    converged: bool
    stopped_because: str

    @property
    def details(self) -> dict[str, NDArray[np.float64]]:
        return {"residual": self.residual}


class _ViewState:
    """The variables of one view: A, the sum C1 + C2 + C3, the sparse C2, the multipliers; and one step of them."""

    def __init__(self, gram: Gram) -> None:
        n = len(gram.Q)
        self.gram = gram
        self.A, self.C2, self.C_sum = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
        self.L2, self.L3, self.L4 = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
        # Lambda_1 is d x n and enters through X^T Lambda_1 = Q diag(sqrt(kappa)) P alone: P (r, n) is kept
        self.P = np.zeros((len(gram.kappa), n))
        self.rank: int | None = None

    def step(self, target: NDArray[np.float64], weight: float, mu: float, penalties: Penalties) -> tuple[float, float]:
        """One pass; the agreement is lambda_3 sum norm(C - .)^2 over `weight` matrices that sum to `target`.

        Returns the view's share of the objective, agreement aside, and the largest violation.
        """
        A = self._coefficients(mu, penalties)
        moved = _largest(A - self.A)
        self.A = A
        C2 = soft_threshold(A + self.L2 / mu, penalties.sparse / mu)
        np.fill_diagonal(C2, 0.0)
        C1, kept = singular_value_threshold(A + self.L3 / mu, penalties.low_rank / mu, rank_hint=self.rank)
        twice = 2.0 * penalties.agreement
        C3 = (twice * target + mu * A + self.L4) / (twice * weight + mu)
        splits = (C2, C1, C3)
        for multiplier, C in zip((self.L2, self.L3, self.L4), splits, strict=True):
            gap = A - C
            moved = max(moved, _largest(gap))
            gap *= mu
            multiplier += gap
        self.C2, self.rank = C2, len(kept)
        self.C_sum = C1 + C2
        self.C_sum += C3
        fit = self._fit(mu, penalties)
        return fit + penalties.low_rank * float(kept.sum()) + penalties.sparse * float(np.abs(C2).sum()), moved

    def _coefficients(self, mu: float, penalties: Penalties) -> NDArray[np.float64]:
        """A = (w K + 3 mu I)^-1 (w K + mu (C1 + C2 + C3) - Lambdas + X^T Lambda_1), w = 1 if noisy, else mu.

        With K = Q diag(kappa) Q^T, (w K + s I)^-1 = (I - Q diag(g) Q^T) / s for g = w kappa / (w kappa + s): two
        products of n x r by n x n instead of an inverse.
        """
        Q, kappa = self.gram.Q, self.gram.kappa
        w = 1.0 if penalties.noisy else mu
        s = 3.0 * mu
        A = self.C_sum * mu
        A -= self.L2
        A -= self.L3
        A -= self.L4
        A /= s
        inside = (Q.T - Q.T @ A) * (w * kappa / (w * kappa + s))[:, None]
        if not penalties.noisy:
            inside += (np.sqrt(kappa) / (w * kappa + s))[:, None] * self.P
        A += Q @ inside
        return A

    def _fit(self, mu: float, penalties: Penalties) -> float:
        """norm(X - X A)^2 / 2, or the update of Lambda_1 and 0 where X = X C is a constraint."""
        gap = np.sqrt(self.gram.kappa)[:, None] * (self.gram.Q.T - self.gram.Q.T @ self.A)
        if penalties.noisy:
            return 0.5 * float(np.vdot(gap, gap))
        self.P += mu * gap
        return 0.0


def solve(
    grams: list[Gram], agreement: Agreement, penalties: Penalties, *, max_iter: int = 100, tol: float = 5e-3
) -> Solution:
    """Minimise sum_v [norm(X_v - X_v C_v)^2 / 2 + l1 norm_*(C_v) + l2 norm1(C_v)] + l3 agreement, diag(C_v) = 0.

    Parameters
    ----------
    grams : one per view, of n samples. agreement : "pairwise", sum over pairs of views of norm(C_v - C_w)^2, or
        "centroid", sum over views of norm(C_v - C_star)^2 with C_star their mean.
    max_iter : steps at most. tol : stop when no entry of A - C1, A - C2, A - C3 and of A's change exceeds this share
        of the largest entry of A. (How far X is from X A, where that is a constraint, is not asked, as by the authors.)

    Every start is zero. The objective is that of the split variables (fit at A, trace norm at C1, L1 and agreement
    at C2), which approaches the one above as the violations vanish; alternating directions need not lower it in a step.
    The fixed points are the minimisers: C_v is drawn to the others' C_w from its own side alone, which is half of the
    gradient of all ordered pairs and the whole one of unordered pairs.
    Time per step and view: one n x n eigenproblem and O(n^2 r), r the rank of K; views step side by side where threads
    allow. Memory: 16 n^2 per view and 3 n^2.
    Source: Brbic and Kopriva, Pattern Recognition 73 (2018).
    """
    states = [_ViewState(gram) for gram in grams]
    centroid = np.zeros_like(states[0].C2)
    mu, objective, residual, converged = penalties.mu, [], [], False
    with side_by_side_tasks(len(states)) as each:
        for _ in range(max_iter):
            step = partial(_step, mu=mu, penalties=penalties)
            steps = list(each(step, zip(states, _targets(states, agreement, centroid), strict=True)))
            total = _total(states)
            centroid = _centroid(total, len(grams), centroid, agreement, penalties)
            objective.append(sum(share for share, _ in steps) + _disagreement(states, total, agreement, penalties))
            residual.append(max(violation for _, violation in steps))
            mu = min(mu * penalties.growth, penalties.mu_max)
            converged = residual[-1] <= tol * max(_largest(state.A) for state in states)
            if converged:
                break
    what = f"no violation exceeds {tol:g} of the largest coefficient" if converged else "the limit of steps came"
    return Solution(
        coefficients=centroid,
        objective=np.array(objective),
        residual=np.array(residual),
        converged=converged,
        stopped_because=f"{what}, after {len(residual)} steps with a largest violation of {residual[-1]:.2g}",
    )


def _largest(matrix: NDArray[np.float64]) -> float:
    """The largest magnitude, without a copy of the matrix."""
    return max(float(matrix.max()), -float(matrix.min()))


def _total(states: list[_ViewState]) -> NDArray[np.float64]:
    total = states[0].C2.copy()
    for state in states[1:]:
        total += state.C2
    return total


def _step(
    task: tuple[_ViewState, tuple[NDArray[np.float64], float]], mu: float, penalties: Penalties
) -> tuple[float, float]:
    state, (target, weight) = task
    return state.step(target, weight, mu, penalties)


def _targets(
    states: list[_ViewState], agreement: Agreement, centroid: NDArray[np.float64]
) -> list[tuple[NDArray[np.float64], float]]:
    """What each view's C3 is drawn to, as (sum, number) of matrices; all are of the step before."""
    if agreement == "centroid":
        return [(centroid, 1.0) for _ in states]
    before = _total(states)
    return [(before - state.C2, len(states) - 1.0) for state in states]


def _centroid(
    total: NDArray[np.float64], n_views: int, old: NDArray[np.float64], agreement: Agreement, penalties: Penalties
) -> NDArray[np.float64]:
    """The mean of the sparse C2; with the authors' running sum, (old + l3 total) / (V l3)."""
    if agreement == "pairwise" or penalties.reset_centroid:
        return total / n_views
    return (old + penalties.agreement * total) / (n_views * penalties.agreement)


def _disagreement(
    states: list[_ViewState], total: NDArray[np.float64], agreement: Agreement, penalties: Penalties
) -> float:
    """l3 times the agreement at the C2; all pairs together are V times the squared distances from the mean."""
    mean = total / len(states)
    spread = sum(float(np.sum((state.C2 - mean) ** 2)) for state in states)
    return penalties.agreement * spread * (len(states) if agreement == "pairwise" else 1)
