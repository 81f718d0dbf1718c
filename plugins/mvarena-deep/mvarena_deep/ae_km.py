"""ae-km: an autoencoder per view, the mean of their codes, k-means. The control for every deep method.

Objective: the sum over views of the mean squared error of the observed rows' reconstruction, each view's autoencoder by
itself. Layers d - 512 - 256 - z and back, z = max(10, k). Codes are standardised per view over its observed rows; a
sample's embedding is their mean over the views that observe it. It is from no paper, so there is nothing to depart
from; size "paper" takes the layers and all 100 epochs.

Cost: time O(epochs n (sum of products of neighbouring widths)), memory O(n d) and the weights.
"""

from __future__ import annotations

from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mvarena_deep.autoencoders import Autoencoder, reconstruction_loss
from mvarena_deep.base import DeepClusterer, Model
from mvarena_deep.networks import Size, layer_widths
from mvarena_deep.samples import Samples
from mvarena_deep.training import Phase


class AutoencoderKMeans(DeepClusterer):
    """Mean over observed views of autoencoders' standardised codes, then k-means; parameters as `DeepClusterer`."""

    @property
    def published(self) -> tuple[int, float]:
        return 256, 1e-3

    def model(self, samples: Samples, n_clusters: int, generator: torch.Generator) -> Model:
        return _Autoencoders(samples, n_clusters, generator, self.size)


class _Autoencoders(Model):
    def __init__(self, samples: Samples, n_clusters: int, generator: torch.Generator, size: Size) -> None:
        super().__init__(samples, n_clusters, generator, size)
        code = max(10, n_clusters)
        self.parts = nn.ModuleList(
            Autoencoder(dim, layer_widths(dim, (512, 256), size), code, generator) for dim in samples.dims
        )

    def phases(self) -> list[Phase]:
        return [Phase("reconstruction", 100, self.loss, self)]

    def loss(self, batch: Samples) -> Tensor:
        return reconstruction_loss(self.parts, batch)

    def outcome(self) -> NDArray[Any]:
        mask = self.samples.mask
        total = torch.zeros(len(mask), 1, device=mask.device)
        for part, x, observed in zip(self.parts, self.samples.views, mask.T, strict=True):
            z = part.encoder(x[observed])  # type: ignore[operator]
            z = (z - z.mean(0)) / z.std(0, correction=0).clamp_min(1e-9)
            total = total + z.new_zeros(len(x), z.shape[1]).index_copy(0, torch.nonzero(observed).ravel(), z)
        return (total / mask.sum(1, keepdim=True)).double().cpu().numpy()
