"""A mask as text."""

from __future__ import annotations

import numpy as np
import pytest

from mvarena.contracts.corruption import draw_mask, example_data
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting


def test_a_mask_as_text():
    mask = np.array([[1, 1], [1, 0], [0, 1], [1, 0]], dtype=bool)
    data = MultiViewData.from_arrays([np.ones((4, 1))] * 2, mask=mask, view_names=["text", "a longer name"])
    assert draw_mask(data).splitlines() == [
        "text           ##.#   25% missing",
        "a longer name  #.#.   50% missing",
        "missed by      0111   75% incomplete",
    ]


def test_large_data_are_not_drawn():
    with pytest.raises(InvalidSetting, match="121 samples and a drawing holds 120"):
        draw_mask(example_data(121))
