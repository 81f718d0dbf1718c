"""perturb: data changed no more than rounding does, to see which results depend on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse

from mvarena.contracts.parameters import Count, Positive
from mvarena.data import MultiViewData, View
from mvarena.numerics.scaling import scale_columns


def perturb(data: MultiViewData, *, relative: Positive = 1e-15, seed: Count = 1) -> MultiViewData:
    """The data with x_ij times (1 + r_i) (1 + c_j), r and c drawn uniformly from [-relative, relative].

    relative : by default a few units in the last place, as other routines of linear algebra round on another processor.
    seed : of the draw.

    A kernel or distance matrix stays symmetric: c = r. Zeros stay zeros, missing rows among them. Cost O(entries).
    """
    rng = np.random.default_rng(seed)

    def perturbed(view: View) -> View:
        rows, columns = (1 + rng.uniform(-relative, relative, size) for size in view.matrix.shape)
        if view.kind != "features":
            return replace(view, matrix=view.matrix * np.outer(rows, rows))
        by_rows = sparse.diags_array(rows) @ view.matrix if view.is_sparse else rows[:, None] * view.matrix
        return replace(view, matrix=scale_columns(by_rows, columns))

    return data.with_views(map(perturbed, data.views))
