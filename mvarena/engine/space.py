"""The space that the clusters of a stored trial were found in: made again, and tested against what is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.trial import Trial
from mvarena.engine.represent_again import Lacking, check_fit, represented
from mvarena.engine.stages import staged
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.spectral import normalized_embedding
from mvarena.registry.catalog import Catalog
from mvarena.store.database import Database
from mvarena.store.read_outcomes import labellings, truth
from mvarena.store.trials import DoneTrial
from mvarena.study.places import located


@dataclass(frozen=True, eq=False, slots=True)
class Space:
    """points : (n, p), the rows that k-means clustered. affinity : (n, n), dense or sparse, of a method that ends in
    one, else None: then points are its embedding. clusters : (n,) of the restart of lowest inertia. classes : (n,), -1
    where unlabelled; None where there are none."""

    points: NDArray[np.float64]
    affinity: Any
    clusters: NDArray[np.int64]
    classes: NDArray[np.int64] | None


def space_of(db: Database, done: DoneTrial, catalog: Catalog) -> Space:
    """The space of a finished trial: its algorithm runs once more, in this process and without limits.

    Raises Lacking for a method that ends in labels, that cannot be run here or that finds another space, and what
    loading the data raises (DataUnavailable, InvalidData). Cost: that of the trial without its k-means restarts.
    """
    stored = labellings(db, done.key)
    trial = Trial.from_identity(done.identity, located(done.source, done.identity["content"], catalog))
    seen = staged(trial, catalog).seen
    found = represented(trial, seen, catalog)
    points: Any = found.embedding
    if found.affinity is not None:
        n_clusters = trial.params.get("n_clusters") or seen.n_clusters or len(np.unique(stored[0].labels))
        points = unit_embedding(normalized_embedding(found.affinity, int(n_clusters)))
    elif points is not None and trial.protocol.unit_rows:
        points = unit_embedding(points)
    if points is None:
        raise Lacking(f"{trial.algorithm} ends in labels: it has neither an embedding nor an affinity to show.")
    check_fit(trial, points, stored)
    best = min(stored, key=lambda one: one.inertia if one.inertia == one.inertia else np.inf)
    classes = truth(db, done.key)
    shown = points.toarray() if sparse.issparse(points) else np.asarray(points, dtype=float)
    return Space(shown, found.affinity, best.labels, classes if classes is not None and (classes >= 0).any() else None)
