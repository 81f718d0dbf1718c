"""MFLVC (Xu, Tang, Ren, Peng, Zhu and He, CVPR 2022): low-level codes, high-level features, semantic labels.

Autoencoders d - 500 - 500 - 2000 - 512; from the codes, layers that all views share: features h of 128 and
soft labels q over k. After 200 epochs of reconstruction, 100 with three losses added up: reconstruction, the contrast
of h between every two views at temperature .5, and that of q's columns at temperature 1 with the entropy
of the mean q kept high. Then k-means of each view's h, its clusters matched to q's by assignment, gives
pseudo-labels for 50 epochs of cross-entropy. Labels are the largest entry of the mean q.

Departures known: one number of epochs for all data (the default has 40, 40 and 20), where the program has from 10 to
100 epochs of contrast, and a seed, of its own for each; batches of equal size, also in the last phase, where the
program takes all samples at once and matches anew in each epoch; k-means of h as it is, there scaled to [0, 1].
Complete data only: the arena fills what is missing beforehand.

Cost: time O(epochs n (weights + V^2 batch (128 + k))), memory O(n d), the weights and V^2 batch^2.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans
from torch import Tensor, nn
from torch.nn import functional as F

from mvarena_deep.autoencoders import Autoencoder, reconstruction_loss, view_codes
from mvarena_deep.base import DeepClusterer, Model
from mvarena_deep.losses import negative_entropy, pair_contrast
from mvarena_deep.networks import Size, layer_widths, linear
from mvarena_deep.samples import Samples
from mvarena_deep.training import Phase

_HIDDEN, _CODE, _FEATURES = (500, 500, 2000), 512, 128
FEATURE_TEMPERATURE, LABEL_TEMPERATURE = 0.5, 1.0


class MFLVC(DeepClusterer):
    """Contrast of features and of soft labels across views, sharpened by pseudo-labels.

    Parameters as `DeepClusterer`.
    """

    @property
    def published(self) -> tuple[int, float]:
        return 256, 3e-4

    def model(self, samples: Samples, n_clusters: int, generator: torch.Generator) -> Model:
        return MultiLevelNetwork(samples, n_clusters, generator, self.size)


class MultiLevelNetwork(Model):
    """Autoencoders, the shared layers above them, and the pseudo-labels of the last phase."""

    def __init__(self, samples: Samples, n_clusters: int, generator: torch.Generator, size: Size) -> None:
        super().__init__(samples, n_clusters, generator, size)
        code = min(layer_widths(dim, (_CODE,), size)[0] for dim in samples.dims)
        self.parts = nn.ModuleList(
            Autoencoder(dim, layer_widths(dim, _HIDDEN, size), code, generator) for dim in samples.dims
        )
        self.features = linear(code, _FEATURES, generator)
        self.labels = nn.Sequential(linear(code, n_clusters, generator), nn.Softmax(dim=1))
        self.pseudo: Tensor | None = None

    def phases(self) -> list[Phase]:
        first, second, third = (200, 100, 50) if self.size == "paper" else (40, 40, 20)
        return [
            Phase("reconstruction", first, lambda batch: reconstruction_loss(self.parts, batch), self),
            Phase("contrast", second, self.contrast, self),
            Phase("pseudo-labels", third, self.fine_tuning, self, begin=self.find_pseudo_labels),
        ]

    def heads(self, batch: Samples) -> tuple[list[Tensor], list[Tensor]]:
        """Features of unit length and soft labels of each view."""
        return self.heads_of(view_codes(self.parts, batch))

    def heads_of(self, codes: list[Tensor]) -> tuple[list[Tensor], list[Tensor]]:
        """The same of codes that are known."""
        return [F.normalize(self.features(z), dim=1) for z in codes], [self.labels(z) for z in codes]

    def contrast(self, batch: Samples) -> Tensor:
        codes = view_codes(self.parts, batch)
        h, q = self.heads_of(codes)
        loss = reconstruction_loss(self.parts, batch, codes)
        for u, v in combinations(range(len(h)), 2):
            loss = loss + pair_contrast(h[u], h[v], FEATURE_TEMPERATURE).mean()
            loss = loss + pair_contrast(q[u].T, q[v].T, LABEL_TEMPERATURE).mean()
            loss = loss + negative_entropy(q[u]) + negative_entropy(q[v])
        return loss

    def fine_tuning(self, batch: Samples) -> Tensor:
        """Cross-entropy of each view's soft labels with its pseudo-labels."""
        assert self.pseudo is not None  # `find_pseudo_labels` begins the phase
        q = self.heads(batch)[1]
        views = zip(q, self.pseudo[batch.rows].T, strict=True)
        return torch.stack([F.nll_loss(one.clamp_min(1e-9).log(), target) for one, target in views]).sum()

    def find_pseudo_labels(self) -> None:
        """Per view, k-means of h, its clusters named as the soft labels' clusters that they share most samples with."""
        self.eval()
        with torch.no_grad():
            h, q = self.heads(self.samples)
        seed = int(torch.randint(2**31 - 1, (1,), generator=self.generator))
        columns = [self._matched(a.cpu().numpy(), b.argmax(1).cpu().numpy(), seed) for a, b in zip(h, q, strict=True)]
        self.pseudo = torch.tensor(np.column_stack(columns), device=self.samples.device)

    def _matched(self, h: NDArray[Any], labels: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
        k = self.n_clusters
        clusters = KMeans(k, n_init=10, random_state=seed).fit_predict(h)
        shared = np.zeros((k, k))
        np.add.at(shared, (clusters, labels), 1.0)
        names = linear_sum_assignment(-shared)[1]
        return np.asarray(names[clusters], dtype=np.int64)

    def outcome(self) -> NDArray[Any]:
        return torch.stack(self.heads(self.samples)[1]).mean(0).argmax(1).cpu().numpy()
