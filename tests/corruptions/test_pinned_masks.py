"""Masks and wrong values are those of earlier versions: stored results were made under them, and one that is drawn
otherwise is another condition under the same key."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from mvarena.corruptions.specs import SPECS
from mvarena.data import MultiViewData
from mvarena.registry.catalog import installed_catalog

CATALOG = installed_catalog()
PINNED_MASKS = (
    ("missing-blocks", {}, "3e658a2e263ca8a6"),
    ("missing-by-value", {}, "e3df4349f8b55b1d"),
    ("missing-by-value", {"by": "class", "odds": 3.0}, "c1b4efef527c865c"),
    ("missing-even", {}, "09d2a10f07524bf9"),
    ("missing-per-view", {}, "4d23b4527c5b72c5"),
    ("missing-random", {}, "6a6072cf5655f311"),
    ("missing-unbalanced", {}, "9c7f0fe602ba9fff"),
    ("missing-unbalanced", {"shares": [3.0, 1.0, 2.0]}, "3f26bac36a2f65d9"),
    ("paired-ratio", {}, "16633447b77f3248"),
)
PINNED_VALUES = {
    "gaussian": "f99ab82d4bd7256d",
    "outliers": "9c8cac913f7f1171",
    "swapped-pairs": "83720d059a1d922e",
}


def drawn_data(mask=None) -> MultiViewData:
    rng = np.random.default_rng(5)
    return MultiViewData.from_arrays(
        [rng.standard_normal((40, d)) for d in (3, 4, 5)], mask=mask, labels=np.arange(40) % 4
    )


def test_every_corruption_is_pinned():
    assert {spec.name for spec in SPECS} == {name for name, *_ in PINNED_MASKS} | PINNED_VALUES.keys()


@pytest.mark.parametrize(("name", "parameters", "expected"), PINNED_MASKS)
def test_a_mask_is_that_of_earlier_versions(name, parameters, expected):
    corruption, digest = CATALOG.load(CATALOG.corruption(name))(**parameters), hashlib.sha256()
    for rate in (0.1, 0.3, 0.5):
        for seed in (0, 1):
            digest.update(corruption.apply(drawn_data(), rate, np.random.default_rng(seed)).mask.tobytes())
    assert digest.hexdigest()[:16] == expected


@pytest.mark.parametrize(("name", "digest"), PINNED_VALUES.items())
def test_wrong_values_are_those_of_earlier_versions(name, digest):
    mask = np.ones((40, 3), dtype=bool)
    if name != "swapped-pairs":  # which needs complete data
        mask[:9, 1] = mask[20:25, 2] = False
    spoiled = CATALOG.load(CATALOG.corruption(name))().apply(drawn_data(mask), 0.3, np.random.default_rng(0))
    values = np.hstack([view.matrix for view in spoiled.views])
    assert hashlib.sha256((np.round(values, 6) + 0.0).tobytes()).hexdigest()[:16] == digest
