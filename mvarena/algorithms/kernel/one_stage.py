"""One-stage late fusion: OPLF-MVC, and OS-LF-IMVC with missing rows and a prior."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.kernel.base_partitions import observed_kernels, summed_partition
from mvarena.algorithms.kernel.late_fusion import LateFusionClusterer, fused
from mvarena.algorithms.kernel.partition import published_stopping
from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData
from mvarena.numerics.assignment import assign_embedding
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.polar import completed_polar, polar_factor
from mvarena.numerics.scaling import unit_embedding

Array = NDArray[np.float64]

_RESTARTS = 20


class OneStageClusterer(LateFusionClusterer):
    """Clusters of late fusion in one stage, from the partition of the summed kernels, towards which all are turned."""

    def clustered(
        self, data: MultiViewData, k: int, *, missing: Sequence[NDArray[np.int64]] = (), regularization: float = 0.0
    ) -> Representation:
        """Labels that `one_stage` finds of the views' base partitions; parameters are its."""
        kernels = list(observed_kernels(data, self.kernel_choice()))
        base = [kernel.top(k, data.n_samples) for kernel in kernels]
        prior = summed_partition(kernels, data.n_samples, k)
        del kernels
        result = one_stage(
            turned_towards(base, prior),
            centroid_rotation(prior, k),
            published_stopping(self.max_iter, self.tol),
            missing=missing,
            regularization=regularization,
            prior=prior,
        )
        return Representation(labels=result.labels, history=result.history, details={"weights": result.weights})


@dataclass(frozen=True, eq=False, slots=True)
class OneStage:
    """labels : (n,). weights : (V,) beta. history : the objective."""

    labels: NDArray[np.int64]
    weights: Array
    history: History


def one_stage(
    base_partitions: Sequence[Array],
    C: Array,
    stopping: Stopping,
    *,
    missing: Sequence[NDArray[np.int64]] = (),
    regularization: float = 0.0,
    prior: Array | None = None,
) -> OneStage:
    """max tr((Y C)^T (sum_p beta_p H_p W_p + lambda H_0)), Y an indicator (n, k), C and W_p orthogonal (k, k), beta of
    length 1 and at least 0.

    Parameters
    ----------
    base_partitions : V arrays H_p (n, k). C : the start (k, k), orthogonal.
    missing : per view the rows of H_p that are free, with orthonormal columns among themselves; none: H_p is fixed,
        and beta is updated before W_p, as in OPLF-MVC's program. With them W_p, H_p and beta follow in this order.
    regularization, prior : lambda and H_0 (n, k).

    Each update is the exact maximiser, so the objective never falls. Directions that a step leaves open, as for a
    cluster without samples, are zero: of all maximisers with singular values up to 1 that is the one without arbitrary
    vectors. Cost O(V n k^2) per iteration, memory O(V n k).
    """
    H_p, k = [partition.copy() for partition in base_partitions], len(C)
    W = [np.eye(k)] * len(H_p)
    beta = np.full(len(H_p), 1 / np.sqrt(len(H_p)))
    history = History(stopping)
    R = fused(H_p, W, beta, regularization, prior)
    while not history.ended:
        labels = np.argmax(R @ C.T, axis=1)
        Y = np.eye(k)[labels]
        C = polar_factor(Y.T @ R)
        T = C[labels]
        if not missing:
            beta = _unit_weights(T, H_p, W)
        W = [polar_factor(h.T @ T) for h in H_p]
        for p, rows in enumerate(missing):
            if len(rows):
                H_p[p][rows] = polar_factor(T[rows] @ W[p].T)
        if missing:
            beta = _unit_weights(T, H_p, W)
        R = fused(H_p, W, beta, regularization, prior)
        history.add(float(np.vdot(T, R)))
    return OneStage(labels, beta, history)


def _unit_weights(T: Array, H_p: Sequence[Array], W: Sequence[Array]) -> Array:
    """beta_p = max(0, tr(T^T H_p W_p)), of length 1."""
    agreement = np.maximum([float(np.vdot(T, h @ w)) for h, w in zip(H_p, W, strict=True)], 0.0)
    length = float(np.linalg.norm(agreement))
    return agreement / length if length > 0 else np.full(len(H_p), 1 / np.sqrt(len(H_p)))


def turned_towards(base_partitions: Sequence[Array], prior: Array) -> list[Array]:
    """Each H_p (n, k) by the rotation that brings it nearest to `prior` (n, k), whose columns C is made for.

    The columns of eigenvectors may come in any rotation, which the result does not depend on where H_p^T `prior` has
    full rank. Cost O(V n k^2).
    """
    near = np.eye(prior.shape[1])
    return [h @ completed_polar(h.T @ prior, near) for h in base_partitions]


def centroid_rotation(partition: Array, k: int) -> Array:
    """C (k, k): the orthogonal matrix nearest to the k-means centres of the unit rows of `partition` (n, k)."""
    rows = np.asarray(unit_embedding(partition))
    labels = min(assign_embedding(rows, k, range(_RESTARTS)), key=lambda run: run.inertia).labels
    counts = np.maximum(np.bincount(labels, minlength=k), 1)
    return polar_factor((np.eye(k)[labels].T @ rows) / counts[:, None])
