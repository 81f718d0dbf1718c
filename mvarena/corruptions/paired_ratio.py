"""paired-ratio: a share of the samples stays paired, the rest is divided over the views."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.corruptions.missing import IncompleteSamples


class PairedRatio(IncompleteSamples):
    """PVC's split: n - round(rate * n) samples are seen in every view, each other one in a single view.

    The unpaired ones are divided equally (within 1) over the views: with two views half are seen in the first alone
    and half in the second alone, which is missing-even; with more, every unpaired sample loses V - 1 views. Note
    the direction: the rate is the unpaired fraction, so that 0 leaves the data as they are. Cost O(n V).
    Source: Li, Jiang and Zhou, AAAI 2014 (partial example ratio).
    """

    limit: ClassVar[str] = "one sample stays paired"

    def patterns(self, count: int, n_views: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        kept = rng.permutation(n_views)[np.arange(count) % n_views]
        return np.arange(n_views)[None, :] != kept[:, None]
