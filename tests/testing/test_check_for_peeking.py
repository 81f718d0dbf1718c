"""The check for peeking finds methods that read classes anywhere, and none that do not."""

from __future__ import annotations

import gc
import itertools
import sys
from collections.abc import Callable

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from mvarena.data import MultiViewData
from mvarena.testing import blobs
from mvarena.testing.peeking import peeking

Labels = np.ndarray
DATA = blobs(90, spread=1.0, seed=3)


def clustered(data: MultiViewData, seed: int = 0, n_init: int = 3) -> Labels:
    matrix = np.hstack([view.matrix for view in data.views])
    return KMeans(data.n_clusters, n_init=n_init, random_state=seed).fit_predict(matrix)


def labelled_in_frames(n_samples: int) -> list[Labels]:
    """The classes of data of that size in the callers' frames, the nearest first."""
    found, frame = [], sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            if isinstance(value, MultiViewData) and value.labels is not None and value.n_samples == n_samples:
                found.append(value.labels)
        frame = frame.f_back
    return found


def from_the_nearest_frame(data: MultiViewData) -> Labels:
    return labelled_in_frames(data.n_samples)[0]


def from_the_farthest_frame(data: MultiViewData) -> Labels:
    return labelled_in_frames(data.n_samples)[-1]


def from_the_collector(data: MultiViewData) -> Labels:
    gc.collect()  # all that is left is of one generation, the newest last: other tests may keep data of that size
    known = [one for one in gc.get_objects() if isinstance(one, MultiViewData) and one.name == data.name]
    return [one.labels for one in known if one.labels is not None and one.n_samples == data.n_samples][-1]


def the_best_start_by_classes(data: MultiViewData) -> Labels:
    classes = labelled_in_frames(data.n_samples)[0]
    starts = [clustered(data, seed, 1) for seed in range(12)] + [np.roll(clustered(data), 30)]
    return max(starts, key=lambda labels: adjusted_rand_score(classes, labels))


def half_of_them(data: MultiViewData) -> Labels:
    labels = clustered(data).copy()
    labels[::2] = labelled_in_frames(data.n_samples)[0][::2]
    return labels


def noisy_classes(data: MultiViewData) -> Labels:
    rng = np.random.default_rng(next(runs))
    classes = labelled_in_frames(data.n_samples)[0]
    return np.where(rng.random(data.n_samples) < 0.2, rng.integers(0, 3, data.n_samples), classes)


def partly_from_a_file(data: MultiViewData) -> Labels:
    known = DATA.labels[: data.n_samples]
    return np.where(np.random.default_rng(0).random(data.n_samples) < 0.3, 0, known)


def remembered(data: MultiViewData, kept: dict[int, Labels] = {}) -> Labels:  # noqa: B006  # for the next runs
    return kept.setdefault(data.n_samples, labelled_in_frames(data.n_samples)[0])


runs = itertools.count()
MEMORY = [from_the_nearest_frame, from_the_farthest_frame, the_best_start_by_classes, half_of_them, noisy_classes]


def seen_by(method: Callable[[MultiViewData], Labels]) -> Callable[[MultiViewData], Labels]:
    """The method as a trial runs it: with data that hold no classes."""

    def fit(given: MultiViewData) -> Labels:
        return method(given.without_labels())

    return fit


@pytest.mark.parametrize("method", MEMORY)
def test_classes_in_memory(method):
    assert peeking(seen_by(method), DATA).startswith("its labels follow classes in the memory of its process")


@pytest.mark.slow
def test_classes_in_objects_that_nothing_refers_to():
    assert peeking(seen_by(from_the_collector), DATA)


@pytest.mark.parametrize("method", [partly_from_a_file, remembered])
def test_classes_elsewhere(method):
    assert peeking(seen_by(method), DATA).startswith("its labels follow classes that it reads elsewhere")


def differs_each_time(data: MultiViewData) -> Labels:
    rng = np.random.default_rng(next(runs))
    return np.where(rng.random(data.n_samples) < 0.3, rng.integers(0, 3, data.n_samples), clustered(data))


SOUND = {
    "k-means": clustered,
    "in one cluster": lambda data: np.zeros(data.n_samples, dtype=int),
    "each alone": lambda data: np.arange(data.n_samples),
    "by their order": lambda data: np.arange(data.n_samples) % 3,
    "other labels each time": differs_each_time,
    "random labels each time": lambda data: np.random.default_rng(next(runs)).integers(0, 3, data.n_samples),
    "by one feature": lambda data: (data.views[0].matrix[:, 0] > 0).astype(int),
}


@pytest.mark.parametrize("name", SOUND)
@pytest.mark.parametrize("seed", range(2))
def test_methods_that_read_none(name, seed):
    assert peeking(seen_by(SOUND[name]), blobs(60, spread=0.8, seed=seed), seed) == ""


@pytest.mark.parametrize(
    "data", [DATA.without_labels(), blobs(12, n_clusters=1)], ids=["without classes", "of one class"]
)
def test_without_classes_nothing_is_run(data):
    def fails(given: MultiViewData) -> Labels:
        raise AssertionError

    assert peeking(fails, data) == ""


def test_samples_without_a_class_do_not_count():
    labels = DATA.labels.copy()
    labels[::3] = -1
    data = MultiViewData(DATA.name, DATA.views, DATA.mask, labels)
    assert peeking(seen_by(clustered), data) == ""
    assert peeking(seen_by(from_the_nearest_frame), data).startswith("its labels follow classes in the memory")
