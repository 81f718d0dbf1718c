"""What an algorithm returned is checked before it is stored."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from mvarena.contracts.algorithm import Representation
from mvarena.engine.validation import plain_account, plain_labellings, plain_representation
from mvarena.errors import InvalidData
from mvarena.numerics.kmeans import Labelling


def labels_of(values) -> np.ndarray:
    labels = plain_representation("mine", Representation(labels=values), 4).labels
    assert labels is not None
    return labels


@pytest.mark.parametrize("values", [[0, 1, 1, 0], [0.0, 1.0, 1.0, 0.0], [False, True, True, False]])
def test_whole_numbers_of_any_type_are_labels(values):
    labels = labels_of(np.asarray(values))
    assert labels.dtype == np.int64
    assert labels.tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([0, 1, 0.5, 0], "0.5 is among them"),
        ([0, 1, np.nan, 0], "nan is among them"),
        ([0, 1, np.inf, 0], "inf is among them"),
        ([0, 1, -3, 0], "-3 is among them"),
        ([0, 1, 2**40, 0], "from 0 to"),
        (np.full(4, 2**64 - 1, dtype=np.uint64), "from 0 to"),
        ([0, 1, 2], r"their shape is \(3,\)"),
        ([[0, 1, 1, 0]], r"their shape is \(1, 4\)"),
        (np.broadcast_to(np.int8(0), (2**30,)), "their shape is"),
        (iter(int, 1), r"their shape is \(\)"),
        (["a", "b", "a", "b"], "of type <U1"),
        (np.array([object()] * 4), "of type object"),
        (np.ma.masked_equal([0, 1, 2, 0], 2), "masked"),
        ([[0], [1, 2]], "not an array: ValueError"),
    ],
)
def test_anything_else_is_refused_in_a_sentence_that_names_the_algorithm(values, reason):
    with pytest.raises(InvalidData, match=f"mine .*{reason}"):
        labels_of(values)


@pytest.mark.parametrize("found", [{"labels": np.zeros(4)}, None])
def test_what_is_no_representation_is_refused(found):
    with pytest.raises(InvalidData, match=f"mine returned a {type(found).__name__}"):
        plain_representation("mine", found, 4)


@pytest.mark.parametrize("found", [[], [Labelling(np.zeros(4, dtype=int), 0.0)] * 3, ["labels"] * 2, iter([])])
def test_each_restart_has_a_labelling(found):
    with pytest.raises(InvalidData, match="gave no 2 labellings"):
        plain_labellings("mine", found, 4, 2)


class Fickle(int):
    """A number that is another each time it is asked."""

    asked = 0

    def __int__(self) -> int:
        self.asked += 1
        return 1 if self.asked < 2 else 2**80


def account_of(**odd) -> dict:
    told = {"objective": [1.0], "n_iter": 1, "converged": True, "stopped_because": "it was enough"} | odd
    return plain_account(Representation(embedding=np.ones((4, 1)), history=SimpleNamespace(**told)))


@pytest.mark.parametrize(
    ("odd", "error"),
    [
        ({"n_iter": float("nan")}, ValueError),
        ({"n_iter": None}, TypeError),
        ({"converged": np.array([True, False])}, ValueError),
        ({"objective": ["low", "lower"]}, ValueError),
        ({"objective": object()}, TypeError),
    ],
)
def test_an_account_that_cannot_be_stored_raises(odd, error):
    with pytest.raises(error):
        account_of(**odd)


def test_an_account_is_plain_and_in_bounds():
    found = account_of(n_iter=Fickle(3), stopped_because="la " * 10**5, objective=np.ones((2, 1)))
    assert (found["n_iter"], found["objective"]) == (1, (1.0, 1.0))
    assert len(found["stopped_because"]) < 4_100
