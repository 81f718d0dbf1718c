"""ProImp (Li, Li, Yang, Hu, Peng and Peng, IJCAI 2023): two views, incomplete, completed by prototypes.

Autoencoders give codes z_v; each view has k prototypes C_v. A sample's assignment to prototypes is an attention: its
code asks, the prototypes answer, each through a map of their own. A code that is missing is the assignment found in the
other view times the prototypes of its own. Losses: reconstruction; contrast of the two codes of a sample (temperature
.5); contrast of the two prototypes of a cluster; agreement of the two assignments; and the error of writing each code
as an assignment, of its own view or of the other, times its prototypes. The first third of the epochs is
reconstruction and contrast of codes alone. The two codes side by side, of unit length, are the embedding.

Departures known: layers are those of COMPLETER, without a softmax at the code, where the program has dropout and 32 to
256 codes by data set. It has no decoders and trains on complete pairs alone; its codes pass through a projection, and
what attention finds is added to the code before another; its prototypes are drawn, and matched between the views when
their contrast begins. Here agreement is the cross-entropy between assignments, with the entropy of their mean kept
high; prototypes begin as the centres that k-means finds in the codes of complete samples, so that those of one cluster
have one place in both views; all losses weigh 1.

Cost: time O(epochs n (weights + batch 128)), memory O(n d), the weights and batch^2.
"""

from __future__ import annotations

from typing import Any

import torch
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from torch import Tensor, nn
from torch.nn import functional as F

from mvarena_deep.autoencoders import Autoencoder, reconstruction_loss, view_codes
from mvarena_deep.base import DeepClusterer, Model
from mvarena_deep.losses import negative_entropy, pair_contrast, reconstruction
from mvarena_deep.networks import Size, layer_widths, linear
from mvarena_deep.samples import Samples
from mvarena_deep.training import Phase

_HIDDEN, _CODE = (1024, 1024, 1024), 128
_TEMPERATURE, _SHARPNESS = 0.5, 0.1


class ProImp(DeepClusterer):
    """Codes and prototypes of two views in agreement, missing codes rebuilt, then k-means.

    Parameters as `DeepClusterer`.
    """

    @property
    def published(self) -> tuple[int, float]:
        return 1024, 1e-3

    def model(self, samples: Samples, n_clusters: int, generator: torch.Generator) -> Model:
        return PrototypeNetwork(samples, n_clusters, generator, self.size)


class PrototypeNetwork(Model):
    """Two autoencoders, prototypes for each view, and the attention between codes and prototypes."""

    def __init__(self, samples: Samples, n_clusters: int, generator: torch.Generator, size: Size) -> None:
        super().__init__(samples, n_clusters, generator, size)
        self.parts = nn.ModuleList(
            Autoencoder(dim, layer_widths(dim, _HIDDEN, size), _CODE, generator, norm=True) for dim in samples.dims
        )
        self.queries = nn.ModuleList(linear(_CODE, _CODE, generator) for _ in samples.dims)
        self.keys = nn.ModuleList(linear(_CODE, _CODE, generator) for _ in samples.dims)
        self.prototypes = nn.ParameterList(
            nn.Parameter(torch.randn(n_clusters, _CODE, generator=generator)) for _ in samples.dims
        )

    def phases(self) -> list[Phase]:
        return [
            Phase("contrast", 50, self.contrast, self),
            Phase("prototypes", 100, self.with_prototypes, self, begin=self.begin_prototypes),
        ]

    def codes(self, batch: Samples) -> tuple[Tensor, Tensor]:
        """Codes of unit length; zeros where a view misses the sample."""
        return _unit(view_codes(self.parts, batch))

    def contrast(self, batch: Samples) -> Tensor:
        return self._contrast(batch, view_codes(self.parts, batch))

    def _contrast(self, batch: Samples, codes: list[Tensor]) -> Tensor:
        """Reconstruction, and the contrast of the two codes of a sample; the codes as the encoders give them."""
        loss = reconstruction_loss(self.parts, batch, codes)
        z1, z2 = (z[batch.mask.all(1)] for z in _unit(codes))
        return loss + pair_contrast(z1, z2, _TEMPERATURE).mean() if len(z1) > 1 else loss

    def with_prototypes(self, batch: Samples) -> Tensor:
        codes = view_codes(self.parts, batch)
        z, c = _unit(codes), self.unit_prototypes()
        a = [self.attention(z[v], v) for v in (0, 1)]
        loss = self._contrast(batch, codes) + pair_contrast(c[0], c[1], _TEMPERATURE).mean()
        for v in (0, 1):
            seen = batch.mask[:, v]
            if bool(seen.any()):
                loss = loss + reconstruction(z[v][seen], a[v][seen] @ c[v]) + negative_entropy(a[v][seen])
        both = batch.mask.all(1)
        if bool(both.any()):
            for v, u in ((0, 1), (1, 0)):
                loss = loss + reconstruction(z[u][both], a[v][both] @ c[u])
                loss = loss - (a[u][both] * a[v][both].clamp_min(1e-9).log()).sum(1).mean()
        return loss

    def attention(self, z: Tensor, v: int) -> Tensor:
        """(n, k) softmax of the cosines between what codes ask and what the prototypes of view v answer."""
        asked = F.normalize(z + self.queries[v](z), dim=1)
        answers = self.unit_prototypes()[v]
        answered = F.normalize(answers + self.keys[v](answers), dim=1)
        return (asked @ answered.T / _SHARPNESS).softmax(dim=1)

    def unit_prototypes(self) -> list[Tensor]:
        """Prototypes of unit length."""
        return [F.normalize(c, dim=1) for c in self.prototypes]

    def begin_prototypes(self) -> None:
        """Prototypes from k-means of complete samples' codes side by side; drawn ones stay where these are too few."""
        complete = self.samples.complete
        if len(complete) < self.n_clusters:
            return
        self.eval()
        seed = int(torch.randint(2**31 - 1, (1,), generator=self.generator))
        with torch.no_grad():
            joint = torch.cat(self.codes(self.samples.take(complete)), dim=1)
            means = KMeans(self.n_clusters, n_init=10, random_state=seed).fit(joint.cpu().numpy()).cluster_centers_
            for own, start in zip(self.prototypes, torch.tensor(means).tensor_split(2, dim=1), strict=True):
                own.copy_(start)

    def outcome(self) -> NDArray[Any]:
        z, c = self.codes(self.samples), self.unit_prototypes()
        mask = self.samples.mask
        completed = []
        for v, u in ((0, 1), (1, 0)):
            rebuilt = F.normalize(self.attention(z[u], u) @ c[v], dim=1)
            completed.append(torch.where(mask[:, v, None], z[v], rebuilt))
        return torch.cat(completed, dim=1).double().cpu().numpy()


def _unit(codes: list[Tensor]) -> tuple[Tensor, Tensor]:
    """The two views' codes, scaled to unit length."""
    first, second = (F.normalize(z, dim=1) for z in codes)
    return first, second
