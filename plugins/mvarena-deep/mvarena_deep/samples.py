"""The data as tensors: views, mask, batches of rows, and an order of the samples that depends on their values."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from mvarena import MultiViewData
from numpy.typing import NDArray
from scipy import sparse
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Samples:
    """Some or all samples of the data.

    views : one (n, d_v) float32 tensor per view; rows that a view misses hold zeros and are read by nobody.
    mask : (n, n_views) bool, True where observed. rows : (n,) the places of these samples in the whole data.
    """

    views: tuple[Tensor, ...]
    mask: Tensor
    rows: Tensor

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def n_views(self) -> int:
        return len(self.views)

    @property
    def dims(self) -> tuple[int, ...]:
        """Width of each view."""
        return tuple(int(view.shape[1]) for view in self.views)

    @property
    def complete(self) -> Tensor:
        """Places of the samples that every view observes."""
        return torch.nonzero(self.mask.all(dim=1)).ravel()

    @property
    def device(self) -> torch.device:
        return self.mask.device

    def take(self, places: Tensor) -> Samples:
        """The samples at these places, in this order."""
        return Samples(tuple(view[places] for view in self.views), self.mask[places], self.rows[places])

    def with_views(self, views: tuple[Tensor, ...]) -> Samples:
        """The same samples with other numbers in their views."""
        return replace(self, views=views)


def samples_of(data: MultiViewData, device: torch.device) -> Samples:
    """The samples of `data` in single precision on `device`."""
    views = tuple(torch.tensor(dense(view.matrix), dtype=torch.float32, device=device) for view in data.views)
    mask = torch.tensor(np.array(data.mask), device=device)
    return Samples(views, mask, torch.arange(len(mask), device=device))


def batches(samples: Samples, size: int, generator: torch.Generator) -> Iterator[Samples]:
    """All samples once, in random order, in parts of equal size (give or take one) that are close to `size`."""
    order = torch.randperm(len(samples), generator=generator).to(samples.device)
    for places in torch.tensor_split(order, max(1, round(len(samples) / size))):
        yield samples.take(places)


def order_of_values(data: MultiViewData) -> NDArray[np.int64]:
    """(n,) an order of the samples that does not depend on the one in which they are given."""
    blocks = [np.ascontiguousarray(dense(view.matrix) + 0.0) for view in data.views]  # -0.0 becomes 0.0
    mask = np.ascontiguousarray(data.mask)
    keys = []
    for row in range(data.n_samples):
        digest = hashlib.blake2b(mask[row].tobytes(), digest_size=16)
        for block in blocks:
            digest.update(block[row].tobytes())
        keys.append(digest.digest())
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)


def dense(matrix: Any) -> NDArray[np.float64]:
    """The matrix as an array; missing rows hold zeros."""
    return np.asarray(matrix.toarray() if sparse.issparse(matrix) else matrix, dtype=np.float64)
