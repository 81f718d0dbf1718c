"""OPIMC's state: what the blocks of samples seen so far leave behind, and one block's iterations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.nmf import squared_norm

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """rows : V matrices (b, d_v), dense or CSR, zero where missing. seen : (b, V), 1 where observed."""

    rows: list[Any]
    seen: Array

    @property
    def norm(self) -> float:
        return sum(squared_norm(X) for X in self.rows)


class Past:
    """T_v (k, k) = sum V^T diag(m_v) V, R_v (d_v, k) = sum X_v^T V, and the squared norm of the blocks seen."""

    def __init__(self, dims: Sequence[int], k: int) -> None:
        self.T = [np.zeros((k, k)) for _ in dims]
        self.R = [np.zeros((d, k)) for d in dims]
        self.norm = 0.0
        self.n_samples = 0

    def add(self, block: Block, V: Array, sign: int = 1) -> None:
        """Count the block in, or out with sign=-1, with its clusters V (b, k)."""
        for v, X in enumerate(block.rows):
            self.T[v] += sign * (V.T @ (block.seen[:, v, None] * V))
            self.R[v] += sign * np.asarray(X.T @ V)
        self.norm += sign * block.norm
        self.n_samples += sign * len(V)


def nearest_clusters(block: Block, U: Sequence[Array]) -> NDArray[np.int64]:
    """(b,) argmin over j of sum_v m_vi (|u_vj|^2 - 2 x_vi . u_vj)."""
    costs = np.zeros((len(block.seen), U[0].shape[1]))
    for v, (X, u) in enumerate(zip(block.rows, U, strict=True)):
        costs += block.seen[:, v, None] * np.square(u).sum(axis=0) - 2.0 * np.asarray(X @ u)
    return np.argmin(costs, axis=1)


@dataclass(frozen=True, eq=False, slots=True)
class BlockResult:
    """labels : (b,). U : (d_v, k) per view. history : the objective over all blocks so far."""

    labels: NDArray[np.int64]
    U: list[Array]
    history: History


def solve_block(
    past: Past, block: Block, V: Array, U: Sequence[Array] | None, alpha: float, stopping: Stopping
) -> BlockResult:
    """Bases and clusters of one block in turn, the past blocks' clusters staying as they are.

    Parameters
    ----------
    past : without this block. V : (b, k) start, an indicator or rows that sum to 1. U : the bases so far; None in the
        first block, where a cluster that a view does not observe takes the block's mean row and not its last basis.

    Cost O(sum_v nnz(X_v) k + sum_v d_v k^2) per iteration.
    """
    history, k = History(stopping), V.shape[1]
    first = U is None
    means = [np.asarray(X.sum(axis=0)).ravel() / len(V) for X in block.rows] if U is None else []
    labels = np.empty(0, dtype=np.int64)
    bases: list[Array] = [] if U is None else list(U)
    while not history.ended:
        now = _copied(past)
        now.add(block, V)
        bases = [
            _basis(T, R, alpha, means[v] if first else bases[v])
            for v, (T, R) in enumerate(zip(now.T, now.R, strict=True))
        ]
        labels = nearest_clusters(block, bases)
        V = np.eye(k)[labels]
        history.add(_objective(past, block, V, bases, alpha))
    return BlockResult(labels, bases, history)


def _basis(T: Array, R: Array, alpha: float, kept: Array) -> Array:
    """U (d, k) = R (T + alpha I)^-1; clusters that the view does not observe have what is `kept`, (d, k) or (d,)."""
    u = np.asarray(np.linalg.solve(T + alpha * np.eye(len(T)), R.T).T, dtype=np.float64)
    empty = np.diagonal(T) == 0
    if empty.any():
        u[:, empty] = kept[:, None] if kept.ndim == 1 else kept[:, empty]
    return u


def _copied(past: Past) -> Past:
    copy = Past([], 0)
    copy.T, copy.R = [T.copy() for T in past.T], [R.copy() for R in past.R]
    return copy


def _objective(past: Past, block: Block, V: Array, U: Sequence[Array], alpha: float) -> float:
    """sum_v |(X_v - V U_v^T) diag(m_v)|^2 + alpha |U_v|^2 over all blocks, the given one included."""
    now = _copied(past)
    now.add(block, V)
    total = past.norm + block.norm
    for T, R, u in zip(now.T, now.R, U, strict=True):
        total += float(np.vdot(u @ T, u)) - 2.0 * float(np.vdot(R, u)) + alpha * squared_norm(u)
    return total
