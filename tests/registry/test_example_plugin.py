"""The plugin that authors copy works, and passes every check."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

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
    assert {check.component for check in checks} == {"algorithm", "metric"}
    for check in checks:
        check()


def test_its_algorithm_finds_plain_clusters_with_missing_rows(catalog: Catalog):
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 20)
    views = [10 * np.eye(3)[truth] + rng.normal(size=(60, 3)), 10 * np.eye(3)[truth] + rng.normal(size=(60, 3))]
    views[0][:3] = np.nan
    kind = catalog.load(catalog.algorithm("mean-embedding"))
    labels = kind(n_clusters=3, random_state=0).fit_predict(views)
    assert len({(a, b) for a, b in zip(truth[3:], labels[3:], strict=True)}) == 3


def test_its_metric_counts_pairs(catalog: Catalog):
    from mvarena.contracts.metric import Contingency

    metric = catalog.load(catalog.metric("pair-jaccard"))
    # of the pairs 01, 23 in a class and 01, 02, 12 in a cluster, only 01 is in both
    assert metric(Contingency.from_labels([0, 0, 1, 1], [5, 5, 5, 7])) == 1 / 4
