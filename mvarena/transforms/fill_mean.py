"""fill-mean: the mean of the observed rows stands in for the missing ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse

from mvarena.data import MultiViewData
from mvarena.transforms.substitutes import with_substitutes


def fill_mean(data: MultiViewData) -> MultiViewData:
    """The data with every missing row replaced by the mean of its view's observed rows; complete afterwards.

    A sparse view stays CSR, but each filled row stores as many entries as the view has used columns: a view of n_u
    missing rows grows by n_u d entries at worst. Complete views stay as they are. In a kernel the mean is that of
    feature space, in a distance view that of the points behind it. Cost O(n d) per view, O(n^2) for n x n ones.
    Source: Shao, He and Yu, ECML PKDD 2015, Algorithm 1 step 1.
    """
    if data.is_complete:
        return data
    views = []
    for i, view in enumerate(data.views):
        missing = ~data.mask[:, i]
        if missing.any() and view.kind != "features":
            n_observed = int((~missing).sum())
            view = with_substitutes(view, ~missing, np.full((int(missing.sum()), n_observed), 1 / n_observed))
        elif missing.any():
            # missing rows are zero in the matrix, so they add nothing to the sum
            mean = np.asarray(view.matrix.sum(axis=0)).ravel() / (~missing).sum()
            if view.is_sparse:
                column = sparse.csr_array(missing.astype(np.float64)[:, None])
                matrix = sparse.csr_array(view.matrix + column @ sparse.csr_array(mean[None, :]))
            else:
                matrix = np.where(missing[:, None], mean, view.matrix)
            view = replace(view, matrix=matrix)
        views.append(view)
    return data.with_views(views, mask=np.ones_like(data.mask))
