"""Parts of networks: fully connected layers drawn from a generator, and rows that views miss left out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import torch
from torch import Tensor, nn

_NARROWEST, _WIDEST = 64, 256

Size = Literal["default", "paper"]


class ObservedNorm(nn.BatchNorm1d):
    """Batch normalisation that takes a batch of one row, too: it then uses the running statistics."""

    def forward(self, x: Tensor) -> Tensor:
        if self.training and len(x) > 1:
            return super().forward(x)
        return nn.functional.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias, eps=self.eps)


def layer_widths(dim: int, published: Sequence[int], size: Size) -> list[int]:
    """Widths of hidden layers for a view of `dim` columns.

    "paper": the published ones. "default": each at most the power of two at or above `dim`, within 64 to 256.
    """
    if size == "paper":
        return list(published)
    widest = min(_WIDEST, max(_NARROWEST, 2 ** math.ceil(math.log2(max(dim, 2)))))
    return [min(width, widest) for width in published]


def linear(inputs: int, outputs: int, generator: torch.Generator) -> nn.Linear:
    """A layer with weights and biases uniform within 1 / sqrt(inputs), torch's default, from `generator`."""
    layer: nn.Linear = nn.utils.skip_init(nn.Linear, inputs, outputs)  # type: ignore[no-untyped-call]
    bound = 1 / math.sqrt(inputs)
    with torch.no_grad():
        layer.weight.uniform_(-bound, bound, generator=generator)
        layer.bias.uniform_(-bound, bound, generator=generator)
    return layer


def draw_weights_as_he(network: nn.Module, generator: torch.Generator) -> None:
    """Weights of all fully connected layers anew, normal of variance 2 / inputs (He et al., ICCV 2015)."""
    with torch.no_grad():
        for layer in network.modules():
            if isinstance(layer, nn.Linear):
                layer.weight.normal_(0.0, math.sqrt(2 / layer.in_features), generator=generator)


def mlp(
    widths: Sequence[int], generator: torch.Generator, *, norm: bool = False, end: nn.Module | None = None
) -> nn.Sequential:
    """Layers of these widths, inputs first, with ReLU between them.

    norm : batch normalisation before each ReLU. end : applied to the last layer's outputs.
    """
    parts: list[nn.Module] = []
    for place, (inputs, outputs) in enumerate(pairwise(widths)):
        parts.append(linear(inputs, outputs, generator))
        if place < len(widths) - 2:
            parts += [ObservedNorm(outputs)] if norm else []
            parts.append(nn.ReLU())
    return nn.Sequential(*parts, *([] if end is None else [end]))


def on_observed(network: nn.Module, x: Tensor, observed: Tensor) -> Tensor:
    """(n, p) the network's outputs for the observed rows, zeros for the others, which it does not see.

    Statistics of batch normalisation are thus those of observed rows alone.
    """
    if bool(observed.all()):
        return network(x)
    places = torch.nonzero(observed).ravel()
    outputs = network(x[places])
    return outputs.new_zeros(len(x), outputs.shape[1]).index_copy(0, places, outputs)
