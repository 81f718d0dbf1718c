"""The check for peeking (`mvarena.testing.peeking`) of a trial's algorithm, on the trial's own data."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.algorithm import MultiViewClusterer
from mvarena.contracts.trial import Trial
from mvarena.data import MultiViewData
from mvarena.engine.execute import seeded_generators
from mvarena.engine.stages import staged
from mvarena.errors import Incompatible
from mvarena.registry.catalog import Catalog
from mvarena.registry.plugins import is_control
from mvarena.testing.peeking import peeking


def peeking_of(trial: Trial, catalog: Catalog) -> str:
    """A sentence on how the labels of the algorithm of `trial` follow classes; empty where they do not.

    Empty as well for controls, for data without classes, and where the algorithm does not take nine tenths of the
    samples. Raises PluginError where it fails.
    Cost: that of `mvarena.testing.peeking.peeking`; the algorithm runs in this process, without limits.
    """
    spec = trial.spec or catalog.algorithm(trial.algorithm)
    if is_control(spec):
        return ""
    data = staged(trial, catalog)
    kind: type[MultiViewClusterer] = catalog.load(spec)

    def fit(given: MultiViewData) -> NDArray[np.int64]:
        blind = given.without_labels()
        with seeded_generators(trial.algorithm_seed):
            estimator = kind(**trial.params, random_state=trial.algorithm_seed)
            n_clusters = estimator.check(blind)
            found = estimator.represent(blind)
        (labelling,) = found.assign(n_clusters, trial.restart_seeds()[:1], unit_length=trial.protocol.unit_rows)
        return labelling.labels

    try:
        with catalog.calling(spec):
            return peeking(fit, data.seen.holding(data.seen.views, data.seen.mask, data.corrupted.labels))
    except Incompatible:
        return ""
