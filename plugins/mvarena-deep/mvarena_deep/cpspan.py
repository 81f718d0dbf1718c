"""CPSPAN (Jin, Wang, Dong, Liu and Zhu, CVPR 2023): samples and prototypes of the views aligned, codes borrowed.

Autoencoders d - 500 - 500 - 2000 - k, trained by reconstruction of what is observed (200 epochs). Then 50 epochs of
reconstruction with two alignments, each of weight .001: of the two codes of a sample that both views observe, and of
the two prototypes of a cluster, as the squared distance of their cosine from 1. A prototype is the mean of a cluster's
codes; clusters come from k-means of each view's codes, and those of two views are matched by assignment over the
samples that both observe. A code that is missing is that of the sample most similar, by the cosine of codes in the
views that both observe, among those that observe the view. All codes side by side are the embedding.

Departures known: the public program takes the coordinates of the codes for prototypes and compares all pairs of them
with 1; here prototypes are those of the paper's words, clusters are found once, at the beginning of the alignment, and
stay. It finds the neighbour of a missing code by the code of the same view, which is computed from the row that is
missing; here no missing row is read. It has rates .0005 and .0001 for the two phases, here one (.0005). Pre-training
takes all observed rows, there complete samples alone. By default 60 and 40 epochs.

Cost: time O(epochs n (weights + V^2 k) + V n^2 k), memory O(n d + n 512) and the weights.
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
from mvarena_deep.networks import Size, layer_widths
from mvarena_deep.samples import Samples
from mvarena_deep.training import Phase

_HIDDEN = (500, 500, 2000)
_PROTOTYPES, _INSTANCES = 1e-3, 1e-3
_BLOCK = 512  # rows whose similarities to all others are held at once


class CPSPAN(DeepClusterer):
    """Codes of the views aligned by samples and by prototypes, the missing ones borrowed, then k-means.

    Parameters as `DeepClusterer`.
    """

    @property
    def published(self) -> tuple[int, float]:
        return 256, 5e-4

    def model(self, samples: Samples, n_clusters: int, generator: torch.Generator) -> Model:
        return AlignedAutoencoders(samples, n_clusters, generator, self.size)


class AlignedAutoencoders(Model):
    """An autoencoder per view, and each view's clusters, named alike."""

    def __init__(self, samples: Samples, n_clusters: int, generator: torch.Generator, size: Size) -> None:
        super().__init__(samples, n_clusters, generator, size)
        self.parts = nn.ModuleList(
            Autoencoder(dim, layer_widths(dim, _HIDDEN, size), n_clusters, generator) for dim in samples.dims
        )
        self.clusters: Tensor | None = None

    def phases(self) -> list[Phase]:
        first, second = (200, 50) if self.size == "paper" else (60, 40)
        return [
            Phase("reconstruction", first, lambda batch: reconstruction_loss(self.parts, batch), self),
            Phase("alignment", second, self.alignment, self, begin=self.find_clusters),
        ]

    def alignment(self, batch: Samples) -> Tensor:
        assert self.clusters is not None  # `find_clusters` begins the phase
        codes, clusters = view_codes(self.parts, batch), self.clusters[batch.rows]
        loss = reconstruction_loss(self.parts, batch, codes)
        for u, v in combinations(range(len(codes)), 2):
            both = batch.mask[:, u] & batch.mask[:, v]
            if bool(both.any()):
                loss = loss + _INSTANCES * _apart(codes[u][both], codes[v][both])
            first, second = (self._prototypes(codes[w], clusters[:, w]) for w in (u, v))
            shared = first[1] & second[1]
            if bool(shared.any()):
                loss = loss + _PROTOTYPES * _apart(first[0][shared], second[0][shared])
        return loss

    def _prototypes(self, z: Tensor, clusters: Tensor) -> tuple[Tensor, Tensor]:
        """(k, p) means of the clusters' codes, and (k,) whether there is any; a cluster of -1 is of no sample."""
        members = F.one_hot(clusters + 1, self.n_clusters + 1)[:, 1:].to(z.dtype)
        counts = members.sum(0)
        return members.T @ z / counts.clamp_min(1)[:, None], counts > 0

    def find_clusters(self) -> None:
        """Per view, k-means of the observed codes; -1 where it misses the sample. The first view names the clusters."""
        self.eval()
        with torch.no_grad():
            codes = [z.cpu().numpy() for z in view_codes(self.parts, self.samples)]
        seed = int(torch.randint(2**31 - 1, (1,), generator=self.generator))
        mask = self.samples.mask.cpu().numpy()
        columns = [self._clusters(z, observed, seed) for z, observed in zip(codes, mask.T, strict=True)]
        columns = [columns[0], *(self._named_as(columns[0], column) for column in columns[1:])]
        self.clusters = torch.tensor(np.column_stack(columns), device=self.samples.device)

    def _clusters(self, z: NDArray[Any], observed: NDArray[np.bool_], seed: int) -> NDArray[np.int64]:
        found = np.full(len(z), -1)
        count = min(self.n_clusters, int(observed.sum()))
        found[observed] = KMeans(count, n_init=10, random_state=seed).fit_predict(z[observed])
        return found

    def _named_as(self, first: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
        """The clusters of `other` by the names of those of `first` that they share most samples with."""
        both = (first >= 0) & (other >= 0)
        shared = np.zeros((self.n_clusters, self.n_clusters))
        np.add.at(shared, (other[both], first[both]), 1.0)
        names = linear_sum_assignment(-shared)[1]
        return np.where(other >= 0, names[other], -1)

    def outcome(self) -> NDArray[Any]:
        codes, mask = view_codes(self.parts, self.samples), self.samples.mask
        unit = torch.stack([F.normalize(z, dim=1) for z in codes], dim=1) * mask[:, :, None]
        completed = []
        for v, z in enumerate(codes):
            own, givers = z.clone(), torch.nonzero(mask[:, v]).ravel()
            for part in torch.split(torch.nonzero(~mask[:, v]).ravel(), _BLOCK):
                common = mask[part].to(z.dtype) @ mask[givers].to(z.dtype).T
                similar = torch.einsum("ivp,jvp->ij", unit[part], unit[givers]) / common.clamp_min(1)
                nearest = givers[similar.masked_fill(common == 0, -2.0).argmax(1)]
                # who shares no view with any giver gets the view's mean code
                own[part] = torch.where((common > 0).any(1)[:, None], z[nearest], z[givers].mean(0))
            completed.append(own)
        return torch.cat(completed, dim=1).double().cpu().numpy()


def _apart(a: Tensor, b: Tensor) -> Tensor:
    """Mean over rows of the squared distance of their cosine from 1."""
    return ((1 - F.cosine_similarity(a, b, dim=1)) ** 2).mean()
