"""DSIMVC (Tang and Liu, ICML 2022): imputed views that are weighted so that they do no harm to complete ones.

The networks of `mflvc`: an autoencoder per view, shared layers to features h (128) and soft labels q (k). Three phases:
reconstruction of what is observed; contrast of h across every two views of the samples that both observe, and of the
columns of q, whose mean keeps a high entropy; then the bi-level phase. There a missing view is imputed by the mean of 3
samples that observe it, the nearest in the code of a view that observes the sample, and each imputed sample's contrast
has a weight that an upper level sets: the weight that lowers the contrast of observed pairs. Labels are the largest
entry of the mean q over observed views.

Approximation of the upper gradient: one step of gradient descent by the weighted loss, to the first order, restricted
to the shared layers. The derivative of the upper loss by a weight is then the negative product of two gradients, that
of the observed pairs' mean loss and that of the imputed sample's loss; weights are its positive part over the largest
in the batch, drawn up anew in each batch.

Departures known: the program contrasts features by a spectral loss, of products and their squares, and not by softmax;
h and q have a hidden layer each there, and here the single layers and the temperatures of MFLVC. Its weights are those
of a small network that reads soft labels, trained through one step of all layers, for the losses of h and q; here they
are for h alone. It finds neighbours anew in each iteration, by features averaged over time; here they are found once,
by codes, before the last phase. It trains phases of its own number for each data set; here 40, 40 and 40 epochs (200,
100 and 100 for size "paper", which are this project's choice).

Cost: time O(epochs n (weights + V^2 batch (128 + k)) + V n^2), memory O(n d + n batch), the weights and V^2 batch^2.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from mvarena_deep.autoencoders import reconstruction_loss, view_codes
from mvarena_deep.base import DeepClusterer, Model
from mvarena_deep.losses import negative_entropy, pair_contrast, squared_distances
from mvarena_deep.mflvc import FEATURE_TEMPERATURE, LABEL_TEMPERATURE, MultiLevelNetwork
from mvarena_deep.samples import Samples
from mvarena_deep.training import Phase

_NEIGHBOURS = 3
_BLOCK = 512  # rows whose distances to all others are held at once


class DSIMVC(DeepClusterer):
    """Contrast across views, the imputed ones weighted by a second level of training.

    Parameters as `DeepClusterer`.
    """

    @property
    def published(self) -> tuple[int, float]:
        return 256, 3e-4

    def model(self, samples: Samples, n_clusters: int, generator: torch.Generator) -> Model:
        return SafeNetwork(samples, n_clusters, generator, self.size)


class SafeNetwork(MultiLevelNetwork):
    """The networks of MFLVC, trained on imputed samples with weights."""

    filled: Samples | None = None

    def phases(self) -> list[Phase]:
        first, second, third = (200, 100, 100) if self.size == "paper" else (40, 40, 40)
        return [
            Phase("reconstruction", first, lambda batch: reconstruction_loss(self.parts, batch), self),
            Phase("contrast", second, self.contrast, self),
            Phase("bi-level", third, self.safe_contrast, self, begin=self.impute),
        ]

    def contrast(self, batch: Samples) -> Tensor:
        """Loss of the second phase: observed pairs alone."""
        codes = view_codes(self.parts, batch)
        each, shared = self.pair_losses(codes, batch.mask, batch.mask)
        return reconstruction_loss(self.parts, batch, codes) + shared + sum_of_means(each, observed_pairs(batch.mask))

    def safe_contrast(self, batch: Samples) -> Tensor:
        """Loss of the third phase: observed pairs, and imputed ones by their weights."""
        assert self.filled is not None  # `impute` begins the phase
        filled = self.filled.take(batch.rows)
        observed, usable = observed_pairs(batch.mask), observed_pairs(filled.mask)
        codes = view_codes(self.parts, filled)
        each, shared = self.pair_losses(codes, filled.mask, batch.mask)
        certain = sum_of_means(each, observed)
        loss = reconstruction_loss(self.parts, batch, codes) + shared + certain
        imputed = usable & ~observed
        if not bool(imputed.any()) or not bool(observed.any()):
            return loss
        weights = self.weights(certain, each, imputed)
        return loss + (weights * each).sum() / usable.sum().clamp_min(1)

    def weights(self, certain: Tensor, each: Tensor, imputed: Tensor) -> Tensor:
        """(n, pairs) weights of imputed pairs, 0 for all others: how far each lowers `certain`, over the largest."""
        shared = [*self.features.parameters()]
        aim = torch.autograd.grad(certain, shared, retain_graph=True)
        ones = torch.ones_like(each, requires_grad=True)
        steps = torch.autograd.grad((ones * each)[imputed].sum(), shared, create_graph=True)
        agreement = torch.stack([(a.detach() * b).sum() for a, b in zip(aim, steps, strict=True)]).sum()
        helpful = torch.autograd.grad(agreement, ones, retain_graph=True)[0].detach().clamp_min(0.0)
        return helpful / helpful.max().clamp_min(1e-12)

    def pair_losses(self, codes: list[Tensor], known: Tensor, observed: Tensor) -> tuple[Tensor, Tensor]:
        """Contrast of features (n, pairs), and that of soft labels with their entropies (a scalar).

        A pair that misses a view has 0. known : (n, n_views) where a view is observed or imputed. Soft labels speak of
        rows that are `observed` (n, n_views) in both views.
        """
        h, q = self.heads_of(codes)
        columns, shared = [], h[0].new_zeros(())
        for u, v in combinations(range(len(h)), 2):
            rows = torch.nonzero(known[:, u] & known[:, v]).ravel()
            column = h[u].new_zeros(len(h[u]))
            if len(rows) > 1:
                each = pair_contrast(h[u][rows], h[v][rows], FEATURE_TEMPERATURE)
                column = column.index_copy(0, rows, each)
            columns.append(column)
            both = observed[:, u] & observed[:, v]
            if int(both.sum()) > 1:
                shared = shared + pair_contrast(q[u][both].T, q[v][both].T, LABEL_TEMPERATURE).mean()
                shared = shared + negative_entropy(q[u][both]) + negative_entropy(q[v][both])
        return torch.stack(columns, dim=1), shared

    def impute(self) -> None:
        """Set `filled`: the samples with missing rows filled; its mask says where a row is observed or filled."""
        self.eval()
        with torch.no_grad():
            codes = view_codes(self.parts, self.samples)
            views, masks = [], []
            for v in range(len(codes)):
                view, known = self._filled_view(codes, v)
                views.append(view)
                masks.append(known)
        self.filled = Samples(tuple(views), torch.stack(masks, dim=1), self.samples.rows)

    def _filled_view(self, codes: list[Tensor], v: int) -> tuple[Tensor, Tensor]:
        mask, view = self.samples.mask, self.samples.views[v].clone()
        known = mask[:, v].clone()
        for u in range(len(codes)):
            wanted = torch.nonzero(mask[:, u] & ~known).ravel()
            givers = torch.nonzero(mask[:, u] & mask[:, v]).ravel()
            if u == v or not len(givers):
                continue
            for part in torch.split(wanted, _BLOCK):
                distances = squared_distances(codes[u][part], codes[u][givers])
                near = distances.topk(min(_NEIGHBOURS, len(givers)), dim=1, largest=False).indices
                view[part] = self.samples.views[v][givers[near]].mean(1)
            known[wanted] = True
        return view, known

    def outcome(self) -> NDArray[Any]:
        q = torch.stack(self.heads(self.samples)[1], dim=1) * self.samples.mask[:, :, None]
        return q.sum(1).argmax(1).cpu().numpy()


def observed_pairs(mask: Tensor) -> Tensor:
    """(n, pairs) whether both views of a pair observe the sample."""
    return torch.stack([mask[:, u] & mask[:, v] for u, v in combinations(range(mask.shape[1]), 2)], dim=1)


def sum_of_means(each: Tensor, chosen: Tensor) -> Tensor:
    """Sum over columns of the mean of the chosen entries; 0 where a column has none."""
    return ((each * chosen).sum(0) / chosen.sum(0).clamp_min(1)).sum()
