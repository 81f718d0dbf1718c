"""PIC's weights of the views by its formulas as they are written, with rows of eigenvectors of unit length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import optimize


def pic_weights(graphs: Sequence[np.ndarray], k: int, smoothness: float = 0.1) -> np.ndarray:
    """The minimiser over the simplex of w^T (C + b Q) w / 2 - f^T w, by a general solver, to some five digits."""
    N = [S / np.sqrt(np.outer(S.sum(axis=1), S.sum(axis=1))) for S in graphs]
    singular = [np.linalg.svd(n) for n in N]
    A = [E @ E.T for E, _, _ in singular]
    B = [E @ np.diag(sizes) @ E.T for E, sizes, _ in singular]
    C = np.array([[sum(np.trace(one @ a @ other.T) for a in A) for other in N] for one in N])
    f = np.array([sum(np.trace(one @ b) for b in B) for one in N])
    leading = [np.linalg.eigh(n)[1][:, -k:] for n in N]
    phi = np.zeros_like(C)
    for i, one in enumerate(leading):
        for j, other in enumerate(leading):
            cosines = np.linalg.svd(one.T @ other, compute_uv=False)
            phi[i, j] = 0.0 if i == j else np.pi - np.arccos(np.clip(cosines.min() / cosines.max(), 0, 1))
    Q = np.diag(phi.sum(axis=1)) - phi
    H = C + smoothness * np.linalg.norm(C) / np.linalg.norm(Q) * Q
    size = np.abs(H).max()
    found = optimize.minimize(
        lambda w: (w @ H @ w / 2 - f @ w) / size,
        np.full(len(f), 1 / len(f)),
        jac=lambda w: (H @ w - f) / size,
        bounds=[(0, 1)] * len(f),
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1, "jac": np.ones_like},
        options={"ftol": 1e-14},
    )
    return np.asarray(found.x)
