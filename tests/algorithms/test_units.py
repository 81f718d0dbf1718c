"""Units: a view multiplied by 1,000 changes nothing, or the method's spec says that it does and why."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from built_in import ours

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.plugins import is_control
from mvarena.testing.comparisons import similarities
from mvarena.testing.examples import blobs

SPECS = [spec for spec in ours("algorithm") if not is_control(spec)]
LARGE, SAME = 1e3, 1e-6


def example(spec, kind: str) -> MultiViewData:
    """Groups that overlap, so that what weighs more shows."""
    n_views = 2 if spec.capabilities.max_views is None or spec.capabilities.max_views > 1 else 1
    return blobs(40, dims=(5, 8)[:n_views], spread=1.5, kind=kind, nonnegative=not spec.capabilities.negative)


def multiplied(data: MultiViewData, views: tuple[int, ...]) -> MultiViewData:
    changed = [replace(view, matrix=LARGE * view.matrix) if i in views else view for i, view in enumerate(data.views)]
    return data.with_views(changed)


def model_of(spec) -> MultiViewClusterer:
    kind = installed_catalog().load(spec)
    own = {"view": "v0"} if spec.picks_by_labels == "view" else {}
    own |= {"max_iter": 5} if "max_iter" in kind().get_params() else {}
    return kind(random_state=0, **own)


def shape_of(found: Representation) -> np.ndarray:
    """Similarities in shares of the largest one: an embedding as a whole may have the unit of the data."""
    values = similarities(found)
    return values / max(float(np.abs(values).max()), np.finfo(float).tiny)


def most_changed(spec) -> float:
    """The largest change of a similarity over kinds of views, where one view is multiplied, or all of them are."""
    gaps = []
    for kind in sorted(spec.capabilities.kinds):
        data = example(spec, kind)
        before = shape_of(model_of(spec).represent(data))
        for views in ((0,), tuple(range(data.n_views))):
            after = shape_of(model_of(spec).represent(multiplied(data, views)))
            gaps.append(float(np.abs(after - before).max()) if after.shape == before.shape else np.inf)
    return max(gaps)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_a_view_in_another_unit_changes_nothing_or_the_spec_says_why(spec):
    gap = most_changed(spec)
    if spec.units:
        assert gap > 1e-2, f"{spec.name} says that units count ({spec.units}), and they do not"
    else:
        assert gap <= SAME, f"{spec.name} depends on the unit of a view; mend it, or say why in its spec's `units`"
