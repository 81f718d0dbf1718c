"""SiMVC and CoMVC (Trosten, Lokse, Jenssen and Kampffmeyer, CVPR 2021).

Encoders d - 512 - 512 - 256 give z_v; z = sum_v w_v z_v with w the softmax of free weights; a layer of 100 with
batch normalisation and ReLU gives h, a softmax over k gives the soft assignments A. SiMVC minimises the three losses of
deep divergence-based clustering. CoMVC adds delta min_v(w_v) times a contrast of the views' z_v: a
sample's two views against drawn others whose cluster, by the largest entry of A, is another, with
temperature .1, delta .1, and 25 drawn. Labels are the largest entry of A.

Departures known (program not read): one set of dense layers for all data instead of convolutions for images; the
anchor's own pair stands in the contrast's denominator, too, so that the loss is bounded below; others are drawn from
the partner's view alone; one start by default (`starts=5`: the lowest loss, as in the paper). For samples that views
miss, which the paper has none of, w is renormalised over the observed views, and pairs seen in both views contrast.

Cost: time O(epochs n (weights + batch (100 + k))), memory O(n d), the weights and batch^2.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mvarena_deep.base import DeepClusterer, Model
from mvarena_deep.losses import contrast_with_drawn, deep_divergence
from mvarena_deep.networks import ObservedNorm, Size, layer_widths, linear, mlp, on_observed
from mvarena_deep.samples import Samples
from mvarena_deep.training import Phase

_HIDDEN, _CODE, _FEATURES = (512, 512), 256, 100
_DELTA, _TEMPERATURE, _DRAWN = 0.1, 0.1, 25


class SiMVC(DeepClusterer):
    """Weighted sum of the views' codes, clustered by deep divergence; parameters as `DeepClusterer`."""

    @property
    def published(self) -> tuple[int, float]:
        return 100, 1e-3

    def model(self, samples: Samples, n_clusters: int, generator: torch.Generator) -> Model:
        return FusedNetwork(samples, n_clusters, generator, self.size, contrast=False)


class CoMVC(SiMVC):
    """SiMVC with codes of one sample drawn together by contrast across views; parameters as `DeepClusterer`."""

    def model(self, samples: Samples, n_clusters: int, generator: torch.Generator) -> Model:
        return FusedNetwork(samples, n_clusters, generator, self.size, contrast=True)


class FusedNetwork(Model):
    """The network of both methods."""

    def __init__(
        self, samples: Samples, n_clusters: int, generator: torch.Generator, size: Size, *, contrast: bool
    ) -> None:
        super().__init__(samples, n_clusters, generator, size)
        self.contrast = contrast
        code = min(layer_widths(dim, (_CODE,), size)[0] for dim in samples.dims)
        self.encoders = nn.ModuleList(
            mlp([dim, *layer_widths(dim, _HIDDEN, size), code], generator) for dim in samples.dims
        )
        self.free_weights = nn.Parameter(torch.zeros(samples.n_views))
        self.features = nn.Sequential(linear(code, _FEATURES, generator), ObservedNorm(_FEATURES), nn.ReLU())
        self.assignment = nn.Sequential(linear(_FEATURES, n_clusters, generator), nn.Softmax(dim=1))

    def phases(self) -> list[Phase]:
        return [Phase("clustering", 100, self.loss, self)]

    def loss(self, batch: Samples) -> Tensor:
        codes = self.codes(batch)
        h, a = self.assigned(codes, batch.mask)
        loss = deep_divergence(a, h)
        return loss + _DELTA * self._contrast(codes, batch.mask, a.argmax(1)) if self.contrast else loss

    def codes(self, batch: Samples) -> list[Tensor]:
        """Per view (n, p) codes; zeros where a view misses the sample."""
        views = zip(self.encoders, batch.views, batch.mask.T, strict=True)
        return [on_observed(encoder, x, observed) for encoder, x, observed in views]

    def assigned(self, codes: list[Tensor], mask: Tensor) -> tuple[Tensor, Tensor]:
        """Features h and soft assignments of the codes' weighted sum, w renormalised over the observed views."""
        weights = self.free_weights.masked_fill(~mask, -torch.inf).softmax(dim=1)
        z = (torch.stack(codes, dim=1) * weights[:, :, None]).sum(1)
        h = self.features(z)
        return h, self.assignment(h)

    def _contrast(self, codes: list[Tensor], mask: Tensor, clusters: Tensor) -> Tensor:
        """Mean over ordered pairs of views, scaled by the smallest weight of a view."""
        losses = []
        for u, v in combinations(range(len(codes)), 2):
            seen = torch.nonzero(mask[:, u] & mask[:, v]).ravel()
            if len(seen):
                others = clusters[seen][:, None] != clusters[seen][None, :]
                for a, b in ((u, v), (v, u)):
                    pair = codes[a][seen], codes[b][seen]
                    losses.append(contrast_with_drawn(*pair, others, _DRAWN, _TEMPERATURE, self.generator))
        smallest = self.free_weights.softmax(0).min()
        return smallest * (torch.stack(losses).mean() if losses else smallest.new_zeros(()))

    def outcome(self) -> NDArray[Any]:
        return self.assigned(self.codes(self.samples), self.samples.mask)[1].argmax(1).cpu().numpy()
