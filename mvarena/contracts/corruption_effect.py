"""What a corruption did, measured by comparing the data before and after: per view and over the samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidData


def corruption_effect(before: MultiViewData, after: MultiViewData) -> dict[str, Any]:
    """What really changed from `before` to `after`, as plain numbers that JSON can hold.

    Parameters
    ----------
    before, after : the same samples and views, in the same order, without and with the corruption.

    Returns
    -------
    incomplete : the fraction of the samples that miss a view afterwards.
    samples_by_missing_views : a list of V; entry i is how many samples miss exactly i views afterwards.
    samples_by_changed_views : a list of V + 1; entry i is how many samples hold other numbers in exactly i views.
    views : view name -> {missing : fraction of the samples it does not observe afterwards,
        changed_rows, changed_entries : fraction of its observed rows and of their entries that differ,
        snr : linear signal-to-noise ratio over its observed entries, None where nothing changed}.

    Raises InvalidData if samples or views differ. Cost O(n d).
    """
    if before.n_samples != after.n_samples or before.view_names != after.view_names:
        raise InvalidData(f"{after.name}: rates are compared between the same samples and views; these differ.")
    changed = np.zeros_like(after.mask)
    views: dict[str, dict[str, float | None]] = {}
    for i, (old, new) in enumerate(zip(before.views, after.views, strict=True)):
        kept = before.mask[:, i] & after.mask[:, i]
        views[new.name], changed[:, i] = _compared(old, new, kept)
        views[new.name]["missing"] = float(1 - after.mask[:, i].mean())
    return {
        "incomplete": float(1 - after.complete_samples.mean()),
        "samples_by_missing_views": np.bincount((~after.mask).sum(axis=1), minlength=after.n_views).tolist(),
        "samples_by_changed_views": np.bincount(changed.sum(axis=1), minlength=after.n_views + 1).tolist(),
        "views": views,
    }


def _compared(old: View, new: View, kept: NDArray[np.bool_]) -> tuple[dict[str, float | None], NDArray[np.bool_]]:
    """The view's changes over the rows that both observe, and (n,) True for the rows that differ."""
    before, after = _observed(old, kept), _observed(new, kept)
    error = after - before
    differs = error != 0
    per_row = np.asarray(differs.sum(axis=1)).ravel()
    changed = np.zeros(kept.shape, dtype=bool)
    changed[kept] = per_row > 0
    noise = _power(error)
    return {
        "changed_rows": float((per_row > 0).mean()) if per_row.size else 0.0,
        "changed_entries": float(per_row.mean() / before.shape[1]) if per_row.size else 0.0,
        "snr": _power(before) / noise if noise > 0 else None,
    }, changed


def _observed(view: View, kept: NDArray[np.bool_]) -> Any:
    """The rows `kept`; of a kernel or distance view their columns too."""
    rows = view.matrix[kept]
    return rows if view.kind == "features" else rows[:, kept]


def _power(matrix: Any) -> float:
    """The sum of the squared entries."""
    entries = np.ravel(matrix.data if sparse.issparse(matrix) else matrix)
    return float(entries @ entries)
