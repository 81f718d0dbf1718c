"""A mask as text: one line per view, one character per sample."""

from __future__ import annotations

import numpy as np

from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting

OBSERVED, MISSING = "#", "."
_WIDEST = 120


def draw_mask(data: MultiViewData) -> str:
    """The mask of a small data set: '#' where a view observes a sample, '.' where it misses it.

    A last line counts for each sample the views that miss it. Raises InvalidSetting for more than 120 samples.
    """
    if data.n_samples > _WIDEST:
        raise InvalidSetting(
            f"{data.name} has {data.n_samples} samples and a drawing holds {_WIDEST}; draw some of them with take()."
        )
    width = max(len("missed by"), *(len(name) for name in data.view_names))
    lines = []
    for name, observed in zip(data.view_names, data.mask.T, strict=True):
        cells = "".join(OBSERVED if seen else MISSING for seen in observed)
        lines.append(f"{name:<{width}}  {cells}  {1 - observed.mean():4.0%} missing")
    missed = (~data.mask).sum(axis=1)
    counts = "".join(str(count) if count < 10 else "+" for count in missed)
    lines.append(f"{'missed by':<{width}}  {counts}  {(missed > 0).mean():4.0%} incomplete")
    return "\n".join(lines)


def example_data(n_samples: int = 20, n_views: int = 3, n_classes: int = 2) -> MultiViewData:
    """Small complete data with equal classes, on which a corruption can be shown: row i of every view holds i + 1."""
    rows = np.arange(1.0, n_samples + 1)[:, None]
    return MultiViewData.from_arrays(
        [np.tile(rows, 4) for _ in range(n_views)], labels=np.arange(n_samples) * n_classes // n_samples, name="example"
    )
