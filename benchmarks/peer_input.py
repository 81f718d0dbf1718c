"""What the scripts that measure other packages share; needs numpy and scipy alone, as mvarena may not be there."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment


def views_and_classes(path: str) -> tuple[list[Any], Any]:
    """The views X0, X1, ... of an .npz (samples x features, NaN rows where missing) and its labels y, from 0."""
    with np.load(path, allow_pickle=False) as stored:
        names = sorted((name for name in stored if name[0] == "X" and name[1:].isdigit()), key=lambda x: int(x[1:]))
        views = [np.array(stored[name], dtype=np.float64) for name in names]
        return views, np.unique(stored["y"], return_inverse=True)[1]


def filled_and_scaled(views: list[Any]) -> list[Any]:
    """Missing rows filled with the view's mean, columns z-scored; a constant column becomes zero."""
    filled = [np.where(np.isnan(X), np.nanmean(X, axis=0), X) for X in views]
    return [(X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0) for X in filled]


def accuracy(truth: Any, labels: Any) -> float:
    """Share of samples under the best one-to-one matching of clusters with classes."""
    size = int(max(truth.max(), labels.max())) + 1
    counts = np.zeros((size, size))
    np.add.at(counts, (truth, labels), 1)
    return float(counts[linear_sum_assignment(-counts)].sum() / len(truth))
