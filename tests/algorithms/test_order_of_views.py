"""Methods that treat all views alike give the same representation for any order of the views."""

from __future__ import annotations

import pytest
from built_in import CATALOG, ours

from mvarena.testing.algorithm.subject import Contestant
from mvarena.testing.comparisons import require_alike

# these improve one view after another, or start from the first: where they are when they end depends on the order
IN_TURN = {"cgc", "coreg-pairwise", "ecmsc", "multinmf"}
ALIKE = [spec for spec in ours("algorithm") if spec.name not in IN_TURN]


@pytest.mark.parametrize("spec", ALIKE, ids=[spec.name for spec in ALIKE])
def test_views_may_come_in_any_order(spec):
    subject = Contestant(spec, CATALOG.load(spec))
    data = subject.data(n_views=3)
    turned = data.select_views([*data.view_names[1:], data.view_names[0]])
    found, other = (subject.made().represent(one) for one in (data, turned))
    require_alike(found, other, f"{spec.name} depends on the order of the views.", tolerance=1e-5)
