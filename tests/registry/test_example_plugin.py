"""The plugin that authors copy works, and passes every check."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from mvarena.contracts.metric import Contingency
from mvarena.registry.catalog import COMPONENTS, Catalog
from mvarena.registry.plugins import load_plugins
from mvarena.testing import checks_of

EXAMPLE = Path(__file__).parents[2] / "plugins" / "mvarena-example"


@pytest.fixture
def catalog(monkeypatch: pytest.MonkeyPatch) -> Catalog:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    plugins = load_plugins([EntryPoint("example", "mvarena_example", "mvarena")])
    assert not plugins.failed, plugins.failed[0].traceback
    return Catalog(plugins.loaded)


def test_its_components_pass_every_check(catalog: Catalog):
    checks = [check for kind in COMPONENTS for spec in catalog.specs(kind) for check in checks_of(spec)]
    assert {check.spec.component for check in checks} == {"algorithm", "metric"}
    for check in checks:
        check()


def test_its_metric_counts_pairs(catalog: Catalog):
    metric = catalog.load(catalog.metric("pair-jaccard"))
    # of the pairs 01, 23 in a class and 01, 02, 12 in a cluster, only 01 is in both
    assert metric(Contingency.from_labels([0, 0, 1, 1], [5, 5, 5, 7])) == 1 / 4
