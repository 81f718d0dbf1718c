"""Autoencoders, one per view: codes and the error of reconstruction over the rows that a view observes."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from mvarena_deep.losses import reconstruction
from mvarena_deep.networks import mlp, on_observed
from mvarena_deep.samples import Samples


class Autoencoder(nn.Module):
    """An encoder dim - hidden - code and a decoder with the same layers in reverse order."""

    def __init__(
        self,
        dim: int,
        hidden: Sequence[int],
        code: int,
        generator: torch.Generator,
        *,
        norm: bool = False,
        end: nn.Module | None = None,
    ) -> None:
        super().__init__()
        self.encoder = mlp([dim, *hidden, code], generator, norm=norm, end=end)
        self.decoder = mlp([code, *reversed(hidden), dim], generator, norm=norm)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Codes and reconstruction."""
        z = self.encoder(x)
        return z, self.decoder(z)


def reconstruction_loss(parts: nn.ModuleList, batch: Samples, codes: Sequence[Tensor] | None = None) -> Tensor:
    """Sum over views of the error of the observed rows' reconstruction by each view's `Autoencoder`.

    codes : what `view_codes` gives for the batch; None: they are computed.
    """
    losses = []
    for part, z, x, observed in zip(parts, codes or view_codes(parts, batch), batch.views, batch.mask.T, strict=True):
        if bool(observed.any()):
            losses.append(reconstruction(x[observed], part.decoder(z[observed])))  # type: ignore[operator]
    return torch.stack(losses).sum()


def view_codes(parts: nn.ModuleList, batch: Samples) -> list[Tensor]:
    """Per view (n, p) codes; zeros where a view misses the sample."""
    views = zip(parts, batch.views, batch.mask.T, strict=True)
    return [on_observed(part.encoder, x, observed) for part, x, observed in views]  # type: ignore[arg-type]
