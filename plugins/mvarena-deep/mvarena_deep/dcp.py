"""DCP (Lin, Gou, Liu, Bai, Lv and Peng, IEEE TPAMI 2023): COMPLETER for any number of views, without its classifier.

Autoencoders as COMPLETER's, and for every ordered pair of views a predictor 128 - 256 - 128 of the second's code from
the first's. Three losses over the samples that all views observe: the information of every two views' codes, plus
their entropies (alpha 10), the error of all predictions (weight .1) and that of reconstruction (weight .1). The first
third of the epochs goes without prediction. A code that is missing is the mean of its predictions from the observed
views; all codes side by side are the embedding.

Departures known: the public program's "complete graph" of views, in which the first two views weigh ten times as much
as other pairs; here all weigh alike, so that the order of the views does not matter. One number of epochs (300, by
default 150) and one rate, where the program has one of each for each data set. Statistics of batch normalisation when
codes are read are the running ones. The contrast by classes, which needs labels, is left out.

Cost: time O(epochs c V^2 (weights + 128^2)) for c complete samples, memory O(n d) and the weights.
"""

from __future__ import annotations

from itertools import combinations, permutations
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

_HIDDEN, _CODE, _BETWEEN = (1024, 1024, 1024), 128, 256
_ALPHA, _PREDICTION, _RECONSTRUCTION = 10.0, 0.1, 0.1


class DCP(DeepClusterer):
    """Codes that tell of each other in any number of views, the missing ones predicted, then k-means.

    Parameters as `DeepClusterer`.
    """

    @property
    def published(self) -> tuple[int, float]:
        return 256, 1e-4

    def model(self, samples: Samples, n_clusters: int, generator: torch.Generator) -> Model:
        return GraphOfPredictors(samples, n_clusters, generator, self.size)


class GraphOfPredictors(Model):
    """An autoencoder per view and a predictor for each ordered pair of views."""

    def __init__(self, samples: Samples, n_clusters: int, generator: torch.Generator, size: Size) -> None:
        super().__init__(samples, n_clusters, generator, size)
        self.parts = nn.ModuleList(
            Autoencoder(dim, layer_widths(dim, _HIDDEN, size), _CODE, generator, norm=True, end=nn.Softmax(dim=1))
            for dim in samples.dims
        )
        self.pairs = list(permutations(range(samples.n_views), 2))
        self.predictors = nn.ModuleList(
            mlp([_CODE, _BETWEEN, _CODE], generator, norm=True, end=nn.Softmax(dim=1)) for _ in self.pairs
        )

    def phases(self) -> list[Phase]:
        epochs, complete = (300 if self.size == "paper" else 150), self.samples.complete
        return [
            Phase("contrast", epochs // 3, self.contrast, self, rows=complete),
            Phase("prediction", epochs - epochs // 3, self.with_prediction, self, rows=complete),
        ]

    def contrast(self, batch: Samples) -> Tensor:
        return self._contrast(batch, view_codes(self.parts, batch))

    def with_prediction(self, batch: Samples) -> Tensor:
        codes = view_codes(self.parts, batch)
        errors = [
            reconstruction(codes[v], predictor(codes[u]))
            for (u, v), predictor in zip(self.pairs, self.predictors, strict=True)
        ]
        return self._contrast(batch, codes) + _PREDICTION * torch.stack(errors).sum() / len(codes)

    def _contrast(self, batch: Samples, codes: list[Tensor]) -> Tensor:
        pairs = [cross_view_information(a, b, _ALPHA) for a, b in combinations(codes, 2)]
        return torch.stack(pairs).sum() / len(codes) + _RECONSTRUCTION * reconstruction_loss(self.parts, batch, codes)

    def outcome(self) -> NDArray[Any]:
        codes, mask = view_codes(self.parts, self.samples), self.samples.mask
        totals = [torch.zeros_like(z) for z in codes]
        for (u, v), predictor in zip(self.pairs, self.predictors, strict=True):
            totals[v] = totals[v] + predictor(codes[u]) * mask[:, u, None]
        completed = [
            torch.where(mask[:, v, None], codes[v], totals[v] / mask.sum(1, keepdim=True)) for v in range(len(codes))
        ]
        return torch.cat(completed, dim=1).double().cpu().numpy()
