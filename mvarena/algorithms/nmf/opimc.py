"""OPIMC: one-pass incomplete multi-view clustering (Hu and Chen, AAAI 2019).

    min  sum_v |diag(m_v) (X_v - V U_v^T)|^2 + alpha |U_v|^2

over bases U_v (d_v, k) and clusters V (n, k), an indicator, for X_v (n, d_v) read in blocks of samples. Of past blocks
only k x k and d_v x k sums remain. Within a block each step is the exact minimiser, so its objective falls, except
where a cluster is empty and keeps its last basis. It matches the survey's program from its start.

Departures. The program starts the first block with random rows of V that sum to 1; on wide sparse data all bases are
then near the mean, and what they end in is near chance. Here the first block starts at k-means clusters of a low-rank
fit of its views, as daimc does, or at the best of several random V (`start`). Samples are always shuffled first, as
classes in order would fill a block each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.algorithms.bandwidth import mean_lengths
from mvarena.algorithms.nmf.masked_start import masked_clusters
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.assignment import canonical_order
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.nmf import squared_norm

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class OnePass:
    """labels : (n,). U : (d_v, k) per view. histories : one for each block of each pass; each of the objective over
    the samples seen so far. seen : how many these were."""

    labels: NDArray[np.int64]
    U: list[Array]
    histories: list[History]
    seen: list[int]


def opimc(
    read: Callable[[NDArray[np.int64]], Block],
    blocks: Sequence[NDArray[np.int64]],
    starts: Sequence[Array],
    stopping: Stopping,
    *,
    alpha: float,
    n_passes: int = 1,
) -> OnePass:
    """OPIMC over the `blocks`, arrays of sample indices, which `read` turns into rows.

    Parameters
    ----------
    starts : of the first block, V (b, k) with rows that sum to 1; the one that ends lowest is taken.
    stopping : of each block. n_passes : from the second on, a block's old clusters are taken out of the sums first.

    Cost O(sum_v nnz(X_v) k) per iteration and pass, memory of one block.
    """
    k = starts[0].shape[1]
    labels = np.full(sum(len(block) for block in blocks), -1)
    histories, seen = [], []
    first = read(blocks[0])
    past = Past([X.shape[1] for X in first.rows], k)
    runs = [solve_block(past, first, V, None, alpha, stopping) for V in starts]
    values = min(runs, key=lambda run: run.history.objective[-1])
    for step in range(n_passes * len(blocks)):
        rows = blocks[step % len(blocks)]
        if step > 0:
            values = _next_block(past, read(rows), labels[rows], values.U, alpha, stopping)
        labels[rows] = values.labels
        past.add(first if step == 0 else read(rows), np.eye(k)[values.labels])
        histories.append(values.history)
        seen.append(past.n_samples)
    return OnePass(labels, values.U, histories, seen)


def _next_block(
    past: Past, block: Block, old: NDArray[np.int64], U: list[Array], alpha: float, stopping: Stopping
) -> BlockResult:
    """A block after the first; `old` are its clusters in the pass before, -1 in the first pass."""
    k = U[0].shape[1]
    if old[0] < 0:
        return solve_block(past, block, np.eye(k)[nearest_clusters(block, U)], U, alpha, stopping)
    V = np.eye(k)[old]
    past.add(block, V, sign=-1)
    return solve_block(past, block, V, U, alpha, stopping)


class OPIMC(MultiViewClusterer):
    """Clusters of incomplete views, read in blocks: it never needs more than one block in memory.

    Parameters
    ----------
    alpha : ridge on the bases: a cluster counts as many samples at the origin besides its own. Views count as scaled by
        one number each, so that their rows have unit length on average. With many for few samples in the first block
        (10 for 30 samples) one cluster may swallow all.
    block_size : samples in a block. n_passes : over all blocks; the paper's is one.
    start : of the first block: k-means "clusters" of a low-rank fit of its views, or "random" rows of V that sum to 1.
    n_starts : how many random starts, of which the one that ends lowest is taken.
    tol, max_iter : of a block: it ends where the objective changes by this share of itself, or after so many steps.

    It ends in labels. `objective_` is that of the last block, over all samples.
    """

    alpha: Positive = 0.01
    block_size: Count = 1000
    n_passes: Count = 1
    start: Literal["clusters", "random"] = "clusters"
    n_starts: Count = 20
    tol: NonNegative = 1e-6
    max_iter: Count = 30

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        rng = np.random.default_rng(self.random_state)
        mask = data.mask.astype(np.float64)
        order = canonical_order(*(view.matrix for view in data.views), mask)[rng.permutation(data.n_samples)]
        # no block is smaller than the others by more than one sample
        blocks = np.array_split(order, -(-data.n_samples // self.block_size))
        lengths = mean_lengths(data)

        def read(rows: NDArray[np.int64]) -> Block:
            matrices = [view.matrix[rows] / length for view, length in zip(data.views, lengths, strict=True)]
            return Block([sparse.csr_array(X) if sparse.issparse(X) else X for X in matrices], mask[rows])

        stopping = Stopping(self.max_iter, self.tol, relative_to="old")
        starts = self._starts(read(blocks[0]), n_clusters, rng)
        result = opimc(read, blocks, starts, stopping, alpha=self.alpha, n_passes=self.n_passes)
        history = result.histories[-1]
        short = sum(not item.converged for item in result.histories[:-1])
        if short:
            history.remark(
                f"in {short} earlier blocks the limit of {self.max_iter} iterations came first", converged=False
            )
        bases = {f"basis_{view.name}": u for view, u in zip(data.views, result.U, strict=True)}
        return Representation(labels=result.labels, history=history, details=bases)

    def _starts(self, block: Block, k: int, rng: np.random.Generator) -> list[Array]:
        """V (b, k) of the first block."""
        if self.start == "clusters":
            return [np.eye(k)[masked_clusters(block.rows, block.seen > 0, min(k, len(block.seen)))]]
        drawn = rng.random((self.n_starts, len(block.seen), k))
        return list(drawn / drawn.sum(axis=2, keepdims=True))


# OPIMC's state: what the blocks of samples seen so far leave behind, and one block's iterations.


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
        now = deepcopy(past)
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


def _objective(past: Past, block: Block, V: Array, U: Sequence[Array], alpha: float) -> float:
    """sum_v |(X_v - V U_v^T) diag(m_v)|^2 + alpha |U_v|^2 over all blocks, the given one included."""
    now = deepcopy(past)
    now.add(block, V)
    total = past.norm + block.norm
    for T, R, u in zip(now.T, now.R, U, strict=True):
        total += float(np.vdot(u @ T, u)) - 2.0 * float(np.vdot(R, u)) + alpha * squared_norm(u)
    return total
