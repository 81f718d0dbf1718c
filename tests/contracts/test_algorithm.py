"""The base class: a declaration becomes a constructor, a check and a docstring; samples may come in any order."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import clone

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, Positive
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.testing.examples import blobs


class Weighted(MultiViewClusterer):
    """The first view, weighted."""

    weight: Positive = 1.0
    depth: Count | None = None

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        return Representation(embedding=self.weight * np.asarray(data.views[0].matrix))


class Deeper(Weighted):
    """With a default and a parameter of its own."""

    weight: Positive = 2.0
    extra: bool = False


class ByHand(MultiViewClusterer):
    """Writes its constructor itself."""

    def __init__(self, *, n_clusters=None, power: Count = 2, n_init=3, random_state=None):
        self.n_clusters, self.power, self.n_init, self.random_state = n_clusters, power, n_init, random_state

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        return Representation(embedding=np.asarray(data.views[0].matrix) ** self.power)


class Places(MultiViewClusterer):
    """Every sample's place in the order that it is given."""

    canonical: ClassVar[bool] = True

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        places = np.arange(data.n_samples)
        return Representation(labels=places) if n_clusters == 2 else Representation(affinity=np.outer(places, places))


def test_annotations_become_keyword_parameters_with_defaults() -> None:
    assert Deeper().get_params() == {
        "n_clusters": None, "n_init": 20, "random_state": None, "weight": 2.0, "depth": None, "extra": False,
    }  # fmt: skip
    assert clone(Deeper(depth=4)).depth == 4
    assert repr(Deeper(depth=4)) == "Deeper(depth=4)"
    with pytest.raises(TypeError):
        Deeper(4)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("model", "field"),
    [
        (Weighted(weight=0), "weighted.weight"),
        (Weighted(depth=1.5), "weighted.depth"),
        (Deeper(extra="no"), "deeper.extra"),
        (Weighted(n_init=0), "weighted.n_init"),
        (Weighted(n_clusters=0), "weighted.n_clusters"),
        (ByHand(power=0), "by-hand.power"),
    ],
)
def test_fit_refuses_what_the_declaration_refuses(model, field) -> None:
    with pytest.raises(InvalidSetting, match=f"{field} must be") as caught:
        model.fit(blobs())
    assert caught.value.field == field


@pytest.mark.parametrize("n_clusters", [2, 3])
def test_a_canonical_method_sees_one_order_whatever_order_is_given(n_clusters) -> None:
    data, order = blobs(missing=0.3), np.random.default_rng(1).permutation(60)
    first = Places(n_clusters=n_clusters).represent(data)
    second = Places(n_clusters=n_clusters).represent(data.take(order))
    if n_clusters == 2:
        np.testing.assert_array_equal(second.labels, first.labels[order])
    else:
        np.testing.assert_array_equal(second.affinity, first.affinity[np.ix_(order, order)])


def test_a_class_that_nobody_announces_is_named_after_itself() -> None:
    assert (Deeper.spec.name, Deeper.spec.summary) == ("deeper", "With a default and a parameter of its own.")


def test_an_announced_class_finds_its_spec_and_says_source_cost_and_status() -> None:
    from mvarena.algorithms.nmf.mic import MIC

    assert MIC.spec.name == "mic"
    for text in (MIC.spec.cost, MIC.spec.source, f"Status: {MIC.spec.status}."):
        assert text in MIC.__doc__


class Drawn(MultiViewClusterer):
    """An embedding drawn from the random state."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        rng = np.random.default_rng(self.random_state)
        return Representation(embedding=rng.standard_normal((data.n_samples, 2)))


@pytest.mark.parametrize("generator", [np.random.RandomState, np.random.default_rng])
def test_a_generator_gives_each_fit_another_seed_and_the_same_ones_again(generator) -> None:
    views = [np.arange(12.0).reshape(6, 2)]

    def fits() -> list[np.ndarray]:
        model = Drawn(n_clusters=2, random_state=generator(3))
        found = [model.fit(views).embedding_ for _ in range(2)]
        assert isinstance(model.random_state, type(generator(3)))
        return found

    first, again = fits(), fits()
    assert np.array_equal(first, again)
    assert not np.array_equal(first[0], first[1])
