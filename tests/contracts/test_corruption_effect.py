"""What a corruption did: by hand, and for corruptions that promise a rate."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import sparse

from mvarena.contracts.corruption import corruption_effect
from mvarena.corruptions.missing import MissingEven
from mvarena.corruptions.noise import Gaussian, Outliers
from mvarena.data import MultiViewData
from mvarena.errors import InvalidData


def example_data(n_samples: int = 20, n_views: int = 3) -> MultiViewData:
    """Complete data of two equal classes; row i of every view holds i + 1."""
    rows = np.arange(1.0, n_samples + 1)[:, None]
    views = [np.tile(rows, 4) for _ in range(n_views)]
    return MultiViewData.from_arrays(views, labels=np.arange(n_samples) * 2 // n_samples, name="example")


def test_rates_by_hand():
    before = MultiViewData.from_arrays([np.full((4, 2), 2.0), sparse.csr_array(np.eye(4))])
    mask = np.array([[1, 1], [1, 0], [1, 1], [1, 1]], dtype=bool)
    after = MultiViewData.from_arrays([[[2, 2], [2, 3], [4, 2], [2, 2]], np.eye(4)], mask=mask)
    found = corruption_effect(before, after)
    assert found == {
        "incomplete": 0.25,
        "samples_by_missing_views": [3, 1],
        "samples_by_changed_views": [2, 2, 0],
        "views": {
            "view0": {"changed_rows": 0.5, "changed_entries": 0.25, "snr": 32 / 5, "missing": 0.0},
            "view1": {"changed_rows": 0.0, "changed_entries": 0.0, "snr": None, "missing": 0.25},
        },
    }
    assert json.loads(json.dumps(found)) == found


def test_nothing_changes_between_a_data_set_and_itself():
    data = example_data()
    found = corruption_effect(data, data)
    assert found["incomplete"] == 0
    assert found["samples_by_changed_views"] == [20, 0, 0, 0]
    assert all(view["snr"] is None for view in found["views"].values())


def test_missing_even_achieves_its_rate():
    data = example_data(200, 3)
    found = corruption_effect(data, MissingEven().apply(data, 0.3, np.random.default_rng(0)))
    assert found["incomplete"] == pytest.approx(0.3)
    assert found["samples_by_missing_views"][0] == 140
    assert sum(found["samples_by_missing_views"]) == 200
    shares = [view["missing"] for view in found["views"].values()]
    assert max(shares) - min(shares) <= 1 / 200 + 1e-12


def test_noise_and_outliers_are_measured():
    data = example_data(500, 2)
    noisy = corruption_effect(data, Gaussian().apply(data, 10.0, np.random.default_rng(0)))
    assert all(view["snr"] == pytest.approx(10.0, rel=0.2) for view in noisy["views"].values())
    spoiled = corruption_effect(data, Outliers().apply(data, 0.1, np.random.default_rng(0)))
    assert spoiled["samples_by_changed_views"] == [450, 0, 50]


def test_deleted_samples_change_no_other_entry_of_a_kernel():
    kernel = MultiViewData.from_arrays([np.ones((3, 3)), np.ones((3, 1))], kinds=["kernel", "features"])
    gone = kernel.with_mask(np.array([[0, 1], [1, 1], [1, 1]], dtype=bool))
    assert corruption_effect(kernel, gone)["views"]["view0"]["changed_entries"] == 0.0


def test_other_samples_cannot_be_compared():
    with pytest.raises(InvalidData, match="for the same samples and views"):
        corruption_effect(example_data(20), example_data(21))
