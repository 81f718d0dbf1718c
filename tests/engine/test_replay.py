"""The space of a stored trial is the one that its clusters were found in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from toy_trials import one_trial

from mvarena.engine.execute import execute
from mvarena.engine.replay import Unscorable, inertia_of, space_of
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.read_outcomes import outcome_of
from mvarena.store.trials import DoneTrial, done_trials
from mvarena.store.write_outcomes import record

CATALOG = installed_catalog()


def stored(db: Database, algorithm: str, change=lambda outcome: outcome) -> DoneTrial:
    """One trial of an algorithm on toy data."""
    trial = one_trial(algorithm, restarts=3)
    assert record(db, trial, change(execute(trial, CATALOG)))
    return done_trials(db)[0]


@pytest.mark.parametrize("algorithm", ["concat", "mvgl", "awp"])
def test_the_stored_labels_have_their_inertia_in_it(db, algorithm: str) -> None:
    done = stored(db, algorithm)
    try:
        found = space_of(db, done, CATALOG)
    except Unscorable as reason:
        assert "ends in labels" in str(reason)  # noqa: PT017
        return
    outcome = outcome_of(db, done.key)
    best = min(outcome.labellings, key=lambda one: one.inertia)
    np.testing.assert_array_equal(found.clusters, best.labels)
    np.testing.assert_array_equal(found.classes, outcome.truth)
    assert inertia_of(found.points, best.labels) == pytest.approx(best.inertia, rel=0.01, abs=1e-9)
    assert found.affinity is None or found.affinity.shape == (len(best.labels),) * 2


def test_another_space_is_not_shown(db) -> None:
    def moved(outcome):
        labellings = tuple(replace(one, inertia=2 * one.inertia + 1) for one in outcome.labellings)
        return replace(outcome, labellings=labellings)

    done = stored(db, "concat", moved)
    with pytest.raises(Unscorable, match="finds a different embedding"):
        space_of(db, done, CATALOG)
