"""SiMVC and CoMVC (Trosten, Lokse, Jenssen and Kampffmeyer, CVPR 2021).

Encoders d - 512 - 512 - 256, each layer with ReLU, give z_v; z = sum_v w_v z_v with w the softmax of free weights; a
layer of 100 with ReLU and then batch normalisation gives h, a softmax over k gives the soft assignments A. Weights
start normal with variance 2 / inputs. SiMVC minimises the three losses of deep divergence-based clustering. CoMVC adds
delta min_v(w_v) times a contrast of the views' z_v, with w held constant: a sample's two views against drawn others
whose cluster, by the largest entry of A, is another, with temperature .1, delta .1, and 25 drawn. Labels are the
largest entry of A.

The order of ReLU and normalisation and the start of the weights are the public program's, and with many clusters they
matter: batch normalisation last and weights of that variance give logits of variance 2, so that assignments differ from
the first step. Under uniform weights of torch's default size they are all close to 1 / k, and the losses, which compare
columns of A, hardly tell the clusters apart.

Departures known: one set of dense layers for all data instead of convolutions for images; one delta, where the program
has 20 in place of .1 for two of its data sets; others are drawn from the partner's view alone, where the program draws
a quarter as many as the views have samples in the batch, with replacement; one start by default (`starts=5`: the
lowest loss; the program takes that of lowest L1). For samples that views miss, which the paper has none of, w is
renormalised over the observed views, and pairs seen in both views contrast.

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
from mvarena_deep.networks import ObservedNorm, Size, draw_weights_as_he, layer_widths, linear, mlp, on_observed
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
            mlp([dim, *layer_widths(dim, _HIDDEN, size), code], generator, end=nn.ReLU()) for dim in samples.dims
        )
        self.free_weights = nn.Parameter(torch.zeros(samples.n_views))
        self.features = nn.Sequential(linear(code, _FEATURES, generator), nn.ReLU(), ObservedNorm(_FEATURES))
        self.assignment = nn.Sequential(linear(_FEATURES, n_clusters, generator), nn.Softmax(dim=1))
        draw_weights_as_he(self, generator)

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
        smallest = self.free_weights.detach().softmax(0).min()
        return smallest * (torch.stack(losses).mean() if losses else smallest.new_zeros(()))

    def outcome(self) -> NDArray[Any]:
        return self.assigned(self.codes(self.samples), self.samples.mask)[1].argmax(1).cpu().numpy()
