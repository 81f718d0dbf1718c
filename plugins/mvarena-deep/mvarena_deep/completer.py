"""COMPLETER (Lin, Gou, Liu, Li, Lv and Peng, CVPR 2021): two views, incomplete, by contrast and dual prediction.

Autoencoders d - 1024 - 1024 - 1024 - 128 with batch normalisation, ReLU, and a softmax at the code. Three losses over
the samples that both views observe: the views' mutual information plus their entropies (alpha 9), the
error of predicting each code from the other by 128 - 256 - 128 - 256 - 128 (weight .1), and that of reconstruction
(weight .1). The first fifth of the epochs goes without prediction. A code that is missing is predicted from the other
view's; the two codes side by side are the embedding.

Departures known: the program's decoders end with batch normalisation and ReLU, as its data lie in [0, 1], and here with
a plain layer; its predictors have one more layer of 128 at either end; its codes have 64 entries for two of its data
sets, and each data set has a seed of its own. By default 150 epochs (500 for size "paper"); batches of equal size.

Cost: time O(epochs c (weights + 128^2)) for c complete samples, memory O(n d) and the weights.
"""

from __future__ import annotations

from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mvarena_deep.autoencoders import Autoencoder, reconstruction_loss, view_codes
from mvarena_deep.base import DeepClusterer, Model
from mvarena_deep.losses import cross_view_information, reconstruction
from mvarena_deep.networks import Size, layer_widths, mlp
from mvarena_deep.samples import Samples
from mvarena_deep.training import Phase

_HIDDEN, _CODE, _BETWEEN = (1024, 1024, 1024), 128, (256, 128, 256)
_PREDICTION, _RECONSTRUCTION = 0.1, 0.1


class Completer(DeepClusterer):
    """Codes that tell of each other, the missing ones predicted, then k-means; parameters as `DeepClusterer`."""

    @property
    def published(self) -> tuple[int, float]:
        return 256, 1e-4

    def model(self, samples: Samples, n_clusters: int, generator: torch.Generator) -> Model:
        return PredictingNetwork(samples, n_clusters, generator, self.size)


class PredictingNetwork(Model):
    """Two autoencoders and two predictors between their codes."""

    def __init__(self, samples: Samples, n_clusters: int, generator: torch.Generator, size: Size) -> None:
        super().__init__(samples, n_clusters, generator, size)
        self.parts = nn.ModuleList(
            Autoencoder(dim, layer_widths(dim, _HIDDEN, size), _CODE, generator, norm=True, end=nn.Softmax(dim=1))
            for dim in samples.dims
        )
        self.predictors = nn.ModuleList(
            mlp([_CODE, *_BETWEEN, _CODE], generator, norm=True, end=nn.Softmax(dim=1)) for _ in samples.dims
        )

    def phases(self) -> list[Phase]:
        epochs, complete = (500 if self.size == "paper" else 150), self.samples.complete
        return [
            Phase("contrast", epochs // 5, self.contrast, self, rows=complete),
            Phase("prediction", epochs - epochs // 5, self.with_prediction, self, rows=complete),
        ]

    def contrast(self, batch: Samples) -> Tensor:
        z1, z2 = view_codes(self.parts, batch)
        again = reconstruction_loss(self.parts, batch, (z1, z2))
        return cross_view_information(z1, z2) + _RECONSTRUCTION * again

    def with_prediction(self, batch: Samples) -> Tensor:
        z1, z2 = view_codes(self.parts, batch)
        first, second = self.predictors
        predicted = reconstruction(z2, first(z1)) + reconstruction(z1, second(z2))
        again = reconstruction_loss(self.parts, batch, (z1, z2))
        return cross_view_information(z1, z2) + _PREDICTION * predicted + _RECONSTRUCTION * again

    def outcome(self) -> NDArray[Any]:
        z1, z2 = view_codes(self.parts, self.samples)
        mask = self.samples.mask[:, :, None]
        first, second = self.predictors
        completed = torch.where(mask[:, 0], z1, second(z2)), torch.where(mask[:, 1], z2, first(z1))
        return torch.cat(completed, dim=1).double().cpu().numpy()
