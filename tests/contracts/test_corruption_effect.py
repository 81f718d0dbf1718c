"""What a corruption did, by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import sparse

from mvarena.contracts.corruption import corruption_effect
from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.testing import blobs


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


def test_deleted_samples_change_no_other_entry_of_a_kernel():
    kernel = MultiViewData.from_arrays([np.ones((3, 3)), np.ones((3, 1))], kinds=["kernel", "features"])
    gone = kernel.with_mask(np.array([[0, 1], [1, 1], [1, 1]], dtype=bool))
    assert corruption_effect(kernel, gone)["views"]["view0"]["changed_entries"] == 0.0


def test_other_samples_cannot_be_compared():
    with pytest.raises(InvalidData, match="for the same samples and views"):
        corruption_effect(blobs(20), blobs(21))
