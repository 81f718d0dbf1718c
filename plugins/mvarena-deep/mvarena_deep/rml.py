"""RML (Xu, Zhao, Niu, Sugiyama and Zhu, ICCV 2025): views fused by attention, two perturbations of a sample agree.

Each view is mapped to 256 dimensions by two layers (GELU); a sample's views attend to each other in one block of a
transformer with one head (layers of 256 and 2048, residuals, normalised rows); their sum over views, mapped by one
layer and scaled to unit length, is the embedding. The loss contrasts two perturbed versions of each sample at
temperature .5: one in which a quarter of the samples lose some of their views, and one in which a quarter of each
view's rows have noise. Labels are those of k-means.

Departures known: the mean over observed views is taken, and views that are missing, or simulated to be, are no part of
the attention, where the program has complete data and sets such rows to 0. The program's noise has a deviation of .4
for data in [0, 1]; here it is .4 of the range of a view's observed entries. Its rates of perturbation, its number of
iterations (400 to 200,000) and its seed are set for each data set; here they are .25, 100 epochs, and the trial's.

Cost: time O(epochs n (weights + batch 256)), memory O(n d + batch^2) and the weights.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from mvarena_deep.base import DeepClusterer, Model
from mvarena_deep.losses import pair_contrast
from mvarena_deep.networks import Size, layer_widths, linear, on_observed
from mvarena_deep.samples import Samples
from mvarena_deep.training import Phase

_FEATURES, _FORWARD, _TEMPERATURE = 256, 2048, 0.5
_PERTURBED, _NOISE = 0.25, 0.4
_VIEW_DROPOUT, _BLOCK_DROPOUT = 0.2, 0.3


class RML(DeepClusterer):
    """Views fused by attention so that perturbed samples stay what they are, then k-means.

    Parameters as `DeepClusterer`.
    """

    @property
    def published(self) -> tuple[int, float]:
        return 256, 3e-4

    def model(self, samples: Samples, n_clusters: int, generator: torch.Generator) -> Model:
        return AttentionNetwork(samples, n_clusters, generator, self.size)


class SeededDropout(nn.Module):
    """Dropout that draws from a generator."""

    def __init__(self, share: float, generator: torch.Generator) -> None:
        super().__init__()
        self.share, self.generator = share, generator

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return x
        kept = torch.rand(x.shape, generator=self.generator).to(x.device) >= self.share
        return x * kept / (1 - self.share)


class AttentionNetwork(Model):
    """Maps of the views, the block of the transformer, and the layer above it."""

    def __init__(self, samples: Samples, n_clusters: int, generator: torch.Generator, size: Size) -> None:
        super().__init__(samples, n_clusters, generator, size)
        self.encoders = nn.ModuleList(self._view_map(dim) for dim in samples.dims)
        self.query, self.key, self.value, self.mixed, self.last = (
            linear(_FEATURES, _FEATURES, generator) for _ in range(5)
        )
        wide = layer_widths(_FEATURES, (_FORWARD,), size)[0]
        self.norms = nn.ModuleList(nn.LayerNorm(_FEATURES) for _ in range(3))
        self.dropout = SeededDropout(_BLOCK_DROPOUT, generator)
        parts = (linear(_FEATURES, wide, generator), nn.ReLU(), self.dropout, linear(wide, _FEATURES, generator))
        self.forward_part = nn.Sequential(*parts)
        observed = [view[seen] for view, seen in zip(samples.views, samples.mask.T, strict=True)]
        self.ranges = [float(entries.max() - entries.min()) if entries.numel() else 0.0 for entries in observed]

    def _view_map(self, dim: int) -> nn.Sequential:
        width = layer_widths(dim, (dim,), self.size)[0]
        first, second = linear(dim, width, self.generator), linear(width, _FEATURES, self.generator)
        drops = [SeededDropout(_VIEW_DROPOUT, self.generator) for _ in range(2)]
        return nn.Sequential(first, nn.GELU(), drops[0], second, drops[1])

    def phases(self) -> list[Phase]:
        return [Phase("contrast", 100, self.loss, self)]

    def loss(self, batch: Samples) -> Tensor:
        fewer = self.embedded(batch.views, self._fewer(batch.mask))
        noisy = self.embedded(self._noisy(batch.views), batch.mask)
        return pair_contrast(fewer, noisy, _TEMPERATURE).mean()

    def _draw(self, *shape: int) -> Tensor:
        return torch.rand(shape, generator=self.generator).to(self.samples.device)

    def _fewer(self, mask: Tensor) -> Tensor:
        """The mask with about a quarter of the samples observed in a random part of their views, one at least."""
        luck = self._draw(*mask.shape).masked_fill(~mask, -1.0)
        kept = (luck > 0.5) | (luck == luck.max(1, keepdim=True).values)
        chosen = self._draw(len(mask), 1) < _PERTURBED
        return torch.where(chosen, kept & mask, mask)

    def _noisy(self, views: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """The views with noise in about a quarter of the rows of each."""
        noisy = []
        for x, width in zip(views, self.ranges, strict=True):
            noise = torch.randn(x.shape, generator=self.generator).to(x.device) * (_NOISE * width)
            noisy.append(x + noise * (self._draw(len(x), 1) < _PERTURBED))
        return tuple(noisy)

    def embedded(self, views: tuple[Tensor, ...], mask: Tensor) -> Tensor:
        """(n, 256) rows of unit length; what the mask (n, n_views) calls missing is not read."""
        tokens = [on_observed(part, x, seen) for part, x, seen in zip(self.encoders, views, mask.T, strict=True)]
        h = torch.stack(tokens, dim=1)
        before, between, after = self.norms
        h = h + self.dropout(self._attended(before(h), mask))
        h = after(h + self.dropout(self.forward_part(between(h))))
        fused = (h * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        return F.normalize(self.last(fused), dim=1)

    def _attended(self, h: Tensor, mask: Tensor) -> Tensor:
        similar = self.query(h) @ self.key(h).transpose(1, 2) / math.sqrt(_FEATURES)
        weights = self.dropout(similar.masked_fill(~mask[:, None, :], -torch.inf).softmax(dim=2))
        attended: Tensor = self.mixed(weights @ self.value(h))
        return attended

    def outcome(self) -> NDArray[Any]:
        return self.embedded(self.samples.views, self.samples.mask).double().cpu().numpy()
