"""Check for peeking: an algorithm's labels must not depend on classes that it is not given.

An algorithm runs in a process that holds the classes: in the frames of its callers, in files of the data, behind
`mvarena.load_dataset`. It is run again on a shuffled nine tenths of the samples. Classes in memory are permuted there,
and classes that are read elsewhere are in another order, so that labels which follow either differ from what they
should be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from mvarena.data import MultiViewData

Labels: TypeAlias = NDArray[np.int64]
Fit: TypeAlias = Callable[[MultiViewData], Labels]
"""Runs an algorithm on data with classes, which it takes out before; the labels (n,) by the same seed each time."""

_DRAWS = 3  # of samples: labels that fall to chance on one may do so by bad luck
_SHARE = 0.9  # of the samples that are kept
_NOISE = 0.2  # by which the agreement of two runs may change where they differ anyway
_FOUND = 0.1  # agreement with the classes below which an algorithm knows nothing of them
_PERMUTATIONS = 100


def peeking(fit: Fit, data: MultiViewData, seed: int = 0) -> str:
    """A sentence on how the labels that `fit` finds in `data` follow classes; empty where they do not.

    Two things are asked. The labels of the shuffled samples must agree with those under permuted classes, as much as
    two runs of one seed agree. And labels that are close to the classes of `data` in their own order must be closer
    to those of the shuffled samples than chance. Both must fail on three draws of the samples to be an error.

    data : with classes, else nothing can be found out. Raises what `fit` raises.
    Cost: three runs of the algorithm, up to ten where something is found, and 100 comparisons of labels.
    """
    if data.labels is None or len(np.unique(data.labels[data.labels >= 0])) < 2:
        return ""
    rng = np.random.default_rng(seed)
    whole = None
    for _ in range(_DRAWS):
        order = rng.permutation(data.n_samples)[: max(2, round(_SHARE * data.n_samples))]
        # The permuted classes come first: an algorithm that remembers what it read remembers these.
        permuted = fit(_shuffled(data, order, rng.permutation(len(order))))
        labels = fit(_shuffled(data, order))
        agreement = _agreement(labels, permuted)
        if agreement < 1.0:
            noise = _agreement(labels, fit(_shuffled(data, order)))
            if agreement < noise - (_NOISE if noise < 1.0 else 0.0):
                sentence = (
                    f"its labels follow classes in the memory of its process: under permuted classes they agree by "
                    f"{agreement:.2f} (adjusted Rand index) with those without, and two runs alike by {noise:.2f}"
                )
                continue
        whole = fit(data) if whole is None else whole
        before, after = _agreement(data.labels, whole), _agreement(data.labels[order], labels)
        if before <= _FOUND or after > max(before / 2, _chance(data.labels[order], labels, rng)):
            return ""
        sentence = (
            "its labels follow classes that it reads elsewhere (a file, mvarena.load_dataset, the order of samples): "
            f"they agree with the classes by {before:.2f} (adjusted Rand index), and by {after:.2f} once shuffled"
        )
    return sentence


def _shuffled(data: MultiViewData, order: Labels, permutation: Labels | None = None) -> MultiViewData:
    """The samples `order`, with their classes, or with these permuted: nothing else in memory is in this order."""
    assert data.labels is not None
    chosen = order if permutation is None else order[permutation]
    return replace(data.without_labels().take(order), labels=data.labels[chosen])


def _agreement(first: Labels, second: Labels) -> float:
    """The adjusted Rand index over the samples that both label."""
    known = (first >= 0) & (second >= 0)
    return float(adjusted_rand_score(first[known], second[known]))


def _chance(classes: Labels, labels: Labels, rng: np.random.Generator) -> float:
    """The highest agreement of permuted labels with the classes."""
    return max(_agreement(classes, rng.permutation(labels)) for _ in range(_PERMUTATIONS))
