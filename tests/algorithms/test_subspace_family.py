"""What all subspace methods promise: missing rows mean nothing, and the order of views where a method is symmetric."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from drawn_subspaces import subspaces

from mvarena.algorithms.subspace.specs import SPECS
from mvarena.data import MultiViewData
from mvarena.registry.catalog import installed_catalog

FAMILY = pytest.mark.parametrize("spec", SPECS, ids=[spec.name for spec in SPECS])
# ECMSC improves one view after another, so its rounds, and the local minimum they end in, depend on the order
SYMMETRIC = [spec for spec in SPECS if spec.name != "ecmsc"]


def model_of(spec, **parameters):
    module, _, attribute = spec.target.partition(":")
    return getattr(import_module(module), attribute)(**parameters)


def prepared(spec, views, mask) -> MultiViewData:
    """The data after the method's own preparation."""
    data = MultiViewData.from_arrays(views, mask=mask, n_clusters=3)
    catalog = installed_catalog()
    for name in spec.prepare:
        data = catalog.load(catalog.transform(name))(data)
    return data


@FAMILY
def test_what_stands_in_missing_rows_changes_nothing(spec):
    views = [view.matrix for view in subspaces(n_views=3).views]
    mask = np.random.default_rng(1).random((45, 3)) > 0.2
    mask[~mask.any(axis=1), 0] = True
    assert not mask.all()
    garbage = [np.where(mask[:, [v]], view, 1e6 - 3e6 * v) for v, view in enumerate(views)]
    clean = model_of(spec, max_iter=4).represent(prepared(spec, views, mask))
    dirty = model_of(spec, max_iter=4).represent(prepared(spec, garbage, mask))
    np.testing.assert_array_equal(clean.embedding, dirty.embedding)
    np.testing.assert_array_equal(clean.objective, dirty.objective)


@FAMILY
def test_an_observed_row_changes_something(spec):
    """Without this, a method that looks at nothing would pass the test above."""
    views = [view.matrix for view in subspaces(n_views=3).views]
    mask = np.ones((45, 3), dtype=bool)
    mask[0, 1] = False
    changed = [view.copy() for view in views]
    changed[1][5] *= -3.0
    changed[1][5, 0] += 1.0
    one = model_of(spec, max_iter=4).represent(prepared(spec, views, mask))
    other = model_of(spec, max_iter=4).represent(prepared(spec, changed, mask))
    assert abs(one.objective[-1] - other.objective[-1]) > 1e-6 * abs(one.objective[-1])


@pytest.mark.parametrize("spec", SYMMETRIC, ids=[spec.name for spec in SYMMETRIC])
def test_views_may_come_in_any_order(spec):
    data = subspaces(n_views=3)
    swapped = data.select_views([data.view_names[v] for v in (2, 0, 1)])
    one, other = model_of(spec, random_state=0), model_of(spec, random_state=0)
    np.testing.assert_array_equal(one.fit_predict(data), other.fit_predict(swapped))
    np.testing.assert_allclose(one.objective_, other.objective_, rtol=1e-9)
