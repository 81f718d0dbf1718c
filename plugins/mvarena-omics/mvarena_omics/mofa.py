"""MOFA: multi-omics factor analysis (Argelaguet et al., Molecular Systems Biology 2018; MOFA+, Genome Biology 2020).

Each view is Y_v = Z W_v^T + noise, with the factors Z of all views, weights that are sparse within a view and vanish
where a factor is not active in it, and noise by feature; all of it is found by variational inference. A sample that a
view misses adds nothing to the likelihood. The factors are clustered by k-means.

The inference is the authors' program mofapy2, at its defaults: this module hands it the views and takes the factors.
"""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any, ClassVar

import numpy as np
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData
from mvarena.errors import MvarenaError
from mvarena.numerics.iteration import History, Stopping
from numpy.typing import NDArray
from scipy import sparse

_SEEDS = 2**32  # NumPy's old generator, which mofapy2 uses, takes seeds below


class MOFA(MultiViewClusterer):
    """k-means on the factors of multi-omics factor analysis, which the program mofapy2 finds.

    Parameters
    ----------
    n_factors : factors; no more than half the samples, or all features.
    max_iter : at most so many iterations; mofapy2 ends earlier where the bound hardly changes (its "fast" mode).
        `objective_` is the bound with the other sign.

    Needs mofapy2: `pip install 'mvarena-omics[mofa]'`. Features are centred, and each view is divided by its standard
    deviation.
    """

    canonical: ClassVar[bool] = True

    n_factors: Count = 10
    max_iter: Count = 1000

    def memory_needed(self, data: MultiViewData) -> int:
        return 8 * 6 * data.n_samples * sum(view.n_features for view in data.views)

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        del n_clusters
        n_features = sum(view.n_features for view in data.views)
        factors = max(1, min(self.n_factors, data.n_samples // 2, n_features))
        views = [
            np.where(seen[:, None], _dense(view.matrix), np.nan)
            for view, seen in zip(data.views, data.mask.T, strict=True)
        ]
        Z, bound = factors_of(views, factors, self.max_iter, (self.random_state or 0) % _SEEDS)
        return Representation(embedding=Z, history=_history(bound, self.max_iter))


def factors_of(
    views: list[NDArray[np.float64]], n_factors: int, max_iter: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Factors (n, n_factors), and the evidence lower bound after each iteration.

    views : (n, d_v) each, rows of NaN where a sample is missing. NumPy's old generator is left as it was. Raises
    MvarenaError where mofapy2 is not installed, or ends by itself.
    """
    try:
        from mofapy2.run.entry_point import entry_point
    except ImportError as error:
        raise MvarenaError("mofa needs mofapy2; run: pip install 'mvarena-omics[mofa]'.") from error
    state = np.random.get_state()  # noqa: NPY002
    printed = io.StringIO()
    try:
        with redirect_stdout(printed), np.errstate(divide="ignore", invalid="ignore"):  # it multiplies by log 0
            model: Any = entry_point()
            model.set_data_options(scale_views=True)
            model.set_data_matrix([[view] for view in views], likelihoods=["gaussian"] * len(views))
            model.set_model_options(factors=n_factors)
            model.set_train_options(iter=max_iter, freqELBO=1, seed=seed, quiet=True)
            model.build()
            model.run()
    except SystemExit as error:
        said = printed.getvalue().strip().splitlines()
        raise MvarenaError(f"mofapy2 ended: {said[-1] if said else error}.") from error
    finally:
        np.random.set_state(state)  # noqa: NPY002
    bound = np.asarray(model.model.getTrainingStats()["elbo"], dtype=float)
    return np.asarray(model.model.nodes["Z"].getExpectation(), dtype=float), bound[~np.isnan(bound)]


def _history(bound: NDArray[np.float64], max_iter: int) -> History:
    """The bound with the other sign; mofapy2 does not say at which change it ended, and its last is that."""
    last = abs(bound[-1] - bound[-2]) / abs(bound[-1]) if 1 < len(bound) < max_iter else 0.0
    history = History(Stopping(max_iter, tol=float(np.nextafter(last, 1.0))))
    for value in bound:
        history.add(-float(value))
    return history


def _dense(matrix: Any) -> NDArray[np.float64]:
    return np.asarray(matrix.toarray() if sparse.issparse(matrix) else matrix, dtype=float)
