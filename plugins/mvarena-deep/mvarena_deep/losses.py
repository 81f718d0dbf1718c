"""Losses and the similarities that they are made of; each is a scalar unless it says otherwise."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

_TINY = 1e-9


def reconstruction(x: Tensor, again: Tensor) -> Tensor:
    """Mean squared error; 0 for no rows."""
    return F.mse_loss(again, x) if len(x) else again.sum()


def gaussian_kernel(h: Tensor, relative_width: float = 0.15) -> Tensor:
    """(n, n) exp(-||h_i - h_j||^2 / (2 s)), s the median squared distance times `relative_width`, held constant."""
    squared = squared_distances(h, h)
    pairs = squared.detach()[~torch.eye(len(h), dtype=torch.bool, device=h.device)]
    width = relative_width * pairs.median() if len(pairs) else squared.new_ones(())
    return torch.exp(-squared / (2 * width.clamp_min(_TINY)))


def squared_distances(a: Tensor, b: Tensor) -> Tensor:
    """(n, m) squared Euclidean distances."""
    squares = (a * a).sum(1)[:, None] + (b * b).sum(1)[None, :] - 2 * a @ b.T
    return squares.clamp_min(0.0)


def cauchy_schwarz(a: Tensor, kernel: Tensor) -> Tensor:
    """Mean over i < j of a_i^T K a_j / sqrt(a_i^T K a_i  a_j^T K a_j), a_i the columns of a (n, k)."""
    products = a.T @ kernel @ a
    diagonal = products.diagonal().clamp_min(_TINY)
    return _mean_above_diagonal(products / torch.sqrt(diagonal[:, None] * diagonal[None, :]))


def deep_divergence(a: Tensor, h: Tensor) -> Tensor:
    """The three losses of deep divergence-based clustering (Kampffmeyer et al. 2019), added up.

    a : (n, k) soft assignments. h : (n, p) features of the layer before.
    """
    kernel = gaussian_kernel(h)
    corners = torch.exp(-squared_distances(a, torch.eye(a.shape[1], dtype=a.dtype, device=a.device)))
    return cauchy_schwarz(a, kernel) + _mean_above_diagonal(a @ a.T) + cauchy_schwarz(corners, kernel)


def cross_view_information(z1: Tensor, z2: Tensor, alpha: float = 9.0) -> Tensor:
    """Negative mutual information of two soft codes plus alpha times their negative entropies.

    -sum_ij P_ij ln(P_ij / (P_i P_j)^(alpha + 1)), P the symmetric joint distribution of the codes' entries.
    """
    joint = z1.T @ z2
    joint = (joint + joint.T) / 2
    joint = (joint / joint.sum()).clamp_min(_TINY)
    rows, columns = joint.sum(1, keepdim=True), joint.sum(0, keepdim=True)
    return -(joint * (joint.log() - (alpha + 1) * (rows.log() + columns.log()))).sum()


def pair_contrast(a: Tensor, b: Tensor, temperature: float) -> Tensor:
    """(n,) -ln softmax of row i's partner in the other matrix among all other rows of both; both ways, averaged.

    Similarities are cosines.
    """
    n = len(a)
    both = F.normalize(torch.cat([a, b]), dim=1)
    similar = both @ both.T / temperature
    similar = similar.masked_fill(torch.eye(2 * n, dtype=torch.bool, device=a.device), -torch.inf)
    partner = torch.arange(2 * n, device=a.device).roll(n)
    each = F.cross_entropy(similar, partner, reduction="none")
    return (each[:n] + each[n:]) / 2


def negative_entropy(q: Tensor) -> Tensor:
    """sum_j p_j ln p_j of the mean row p of q (n, k): lowest where all clusters are used alike."""
    p = q.mean(0)
    return (p * p.clamp_min(_TINY).log()).sum()


def contrast_with_drawn(
    anchors: Tensor, partners: Tensor, others: Tensor, n_drawn: int, temperature: float, generator: torch.Generator
) -> Tensor:
    """Mean of -ln softmax of each anchor's own partner among itself and drawn partners of other rows.

    others : (n, n) bool, True where row j may be drawn for row i; `n_drawn` of them are, or all that there are.
    """
    similar = F.normalize(anchors, dim=1) @ F.normalize(partners, dim=1).T / temperature
    luck = torch.rand(others.shape, generator=generator).to(others.device).masked_fill(~others, -1.0)
    chosen = luck.topk(min(n_drawn, len(luck)), dim=1).indices
    drawn = similar.gather(1, chosen).masked_fill(~others.gather(1, chosen), -torch.inf)
    own = similar.diagonal()
    return (torch.logsumexp(torch.cat([own[:, None], drawn], dim=1), dim=1) - own).mean()


def _mean_above_diagonal(matrix: Tensor) -> Tensor:
    n = len(matrix)
    return matrix.triu(1).sum() / max(1, n * (n - 1) // 2)
