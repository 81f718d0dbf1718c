"""What an algorithm returned is checked before it is stored."""

from __future__ import annotations

import numpy as np
import pytest

from mvarena.contracts.algorithm import Representation
from mvarena.engine.validation import plain_representation
from mvarena.errors import InvalidData


def labels_of(values) -> np.ndarray:
    labels = plain_representation("mine", Representation(labels=np.asarray(values)), 4).labels
    assert labels is not None
    return labels


@pytest.mark.parametrize("values", [[0, 1, 1, 0], [0.0, 1.0, 1.0, 0.0], [False, True, True, False]])
def test_whole_numbers_of_any_type_are_labels(values):
    labels = labels_of(values)
    assert labels.dtype == np.int64
    assert labels.tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize(
    "values", [[0, 1, 0.5, 0], [0, 1, np.nan, 0], [0, 1, np.inf, 0], [0, 1, 2], ["a", "b", "a", "b"], [[0, 1, 1, 0]]]
)
def test_anything_else_is_refused_in_a_sentence_that_names_the_algorithm(values):
    with pytest.raises(InvalidData, match="mine"):
        labels_of(values)
