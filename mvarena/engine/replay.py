"""The embedding of a stored trial, made again from its description.

Embeddings are larger than all else that is stored (n x p numbers, labels take a byte per sample), and few ask for them.
The seeds of a trial are part of its description, so the algorithm finds the same embedding again; whether it did is
tested by the inertia of the stored labels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.trial import Trial
from mvarena.data import MultiViewData
from mvarena.engine.execute import seeded_generators
from mvarena.engine.stages import staged
from mvarena.errors import MvarenaError, UnknownName
from mvarena.numerics.kmeans import Labelling
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.spectral import normalized_embedding
from mvarena.registry.catalog import Catalog
from mvarena.store.database import Database
from mvarena.store.read_outcomes import counted_labelling, labellings, truth
from mvarena.store.trials import DoneTrial
from mvarena.study.sources import located
from mvarena.text import told_error

_TOLERANCE = 0.01  # k-means stops a little before its centres are the means; another embedding is far further off


class Unscorable(MvarenaError):
    """A stored trial lacks what a metric needs; the message says what."""


def embedding_of(trial: Trial, seen: MultiViewData, stored: Sequence[Labelling], catalog: Catalog) -> Any:
    """The embedding (n, p) that the stored labellings of `trial` were found in.

    seen : the data as its algorithm sees them (`mvarena.engine.stages.staged`).
    Raises Unscorable where the algorithm has none, cannot be run here, or finds another. Cost: `represent`.
    """
    embedding = represented(trial, seen, catalog).embedding
    if embedding is None:
        raise Unscorable(f"{trial.algorithm} has no embedding: it ends in an affinity or in labels.")
    check_fit(trial, unit_embedding(embedding) if trial.protocol.unit_rows else embedding, stored)
    return embedding


def represented(trial: Trial, seen: MultiViewData, catalog: Catalog) -> Representation:
    """Run the algorithm of `trial` on these data, from its own seed. Raises Unscorable where it cannot be run."""
    try:
        kind = catalog.load(catalog.algorithm(trial.algorithm))
        with seeded_generators(trial.algorithm_seed):
            estimator: MultiViewClusterer = kind(**trial.params, random_state=trial.algorithm_seed)
            return estimator.represent(seen)
    except UnknownName as error:
        raise Unscorable(f"{trial.algorithm} cannot be run again: no installed package provides it.") from error
    except MvarenaError as error:
        raise Unscorable(f"{trial.algorithm} cannot be run again: {error}") from error
    except (Exception, SystemExit) as error:  # whatever a contestant raises is its own; the other trials are scored
        raise Unscorable(f"{trial.algorithm} failed when it was run again: {told_error(error)}") from error


def check_fit(trial: Trial, points: Any, stored: Sequence[Labelling]) -> None:
    """Raise Unscorable where the stored labels of `trial` have another inertia in these points (n, p) than stored."""
    if points.shape[0] != len(stored[0].labels) or not all(_fits(points, item) for item in stored):
        raise Unscorable(
            f"{trial.algorithm} finds a different embedding from the one that was clustered, because its code or a "
            "library has changed since; run the trial again."
        )


def _fits(points: Any, one: Labelling) -> bool:
    """True if the labels have their stored inertia in these points."""
    if math.isnan(one.inertia):
        return True
    inertia, total = inertia_of(points, one.labels), inertia_of(points, np.zeros_like(one.labels))
    return math.isclose(inertia, one.inertia, rel_tol=_TOLERANCE, abs_tol=1e-9 * total)


def inertia_of(points: Any, labels: NDArray[np.int64]) -> float:
    """The sum of squared distances of the points (n, p) to the means of their clusters. Cost O(n p)."""
    codes = np.unique(labels, return_inverse=True)[1]
    members = sparse.csr_array((np.ones(codes.size), (codes, np.arange(codes.size))))
    sums = members @ points
    dense = sums.toarray() if sparse.issparse(sums) else np.asarray(sums)
    squares = (points.multiply(points) if sparse.issparse(points) else np.square(points)).sum()
    return max(0.0, float(squares - (np.square(dense).sum(axis=1) / members.sum(axis=1)).sum()))


# The space that the clusters of a stored trial were found in: made again, and tested against what is stored.


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

    Raises Unscorable for a method that ends in labels, that cannot be run here or that finds another space, and what
    loading the data raises (DataUnavailable, InvalidData). Cost: that of the trial without its k-means restarts.
    """
    stored = labellings(db, done.key)
    if not stored:
        raise Unscorable("its labels are not stored; run it again.")
    trial = Trial.from_identity(done.identity, located(done.source, done.identity["content"], catalog))
    seen = staged(trial, catalog).seen
    result = represented(trial, seen, catalog)
    points: Any = result.embedding
    if result.affinity is not None:
        n_clusters = trial.params.get("n_clusters") or seen.n_clusters or len(np.unique(stored[0].labels))
        points = unit_embedding(normalized_embedding(result.affinity, int(n_clusters)))
    elif points is not None and trial.protocol.unit_rows:
        points = unit_embedding(points)
    if points is None:
        raise Unscorable(f"{trial.algorithm} ends in labels: it has neither an embedding nor an affinity.")
    check_fit(trial, points, stored)
    best = counted_labelling(db, done.key)
    assert best is not None
    classes = truth(db, done.key)
    shown = points.toarray() if sparse.issparse(points) else np.asarray(points, dtype=float)
    return Space(shown, result.affinity, best.labels, classes if classes is not None and (classes >= 0).any() else None)
