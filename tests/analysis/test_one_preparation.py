"""One scaling and filling is shown at a time, the same for all where it is stored."""

from __future__ import annotations

import pytest

from mvarena.analysis.conditions import newest_versions, one_preparation

SCORE = {"acc": [0.5]}
KNN = "scale-auto,fill-knn"
FEATURES, UNIT = "kernel-features,fill-knn", "kernel-features,unit-view,fill-knn"


@pytest.mark.parametrize(
    ("trials", "left_out", "words"),
    [
        # the pair of most methods, however many trials each has
        ([(KNN, "abc"), ("scale-auto", "d"), ("minmax,fill-knn", "ab"), ("minmax,fill-knn", "ab")],
         [("minmax,fill-knn", "ab")], "scaling auto, filling knn"),
        # a method with and without a filling counts once
        ([("scale-auto", "a"), (KNN, "a"), ("minmax,fill-knn", "ab")], [("scale-auto", "a"), (KNN, "a")],
         "scaling minmax, filling knn"),
        # of equally many auto and knn
        ([("minmax,fill-mean", "a"), ("scale-auto,fill-mean", "a"), (KNN, "a"), ("unit-rows,fill-knn", "a")],
         [("minmax,fill-mean", "a"), ("scale-auto,fill-mean", "a"), ("unit-rows,fill-knn", "a")],
         "scaling auto, filling knn"),
        # who fills nothing belongs to every filling
        ([("scale-auto", "t"), (KNN, "fgh"), ("scale-auto,fill-mean", "fm")], [("scale-auto,fill-mean", "fm")],
         "scaling auto, filling knn"),
        # adaptation is no scaling
        ([("scale-auto,gaussian-kernel,center-kernels,fill-knn", "a"), (f"{KNN},shift-nonnegative", "b")], [],
         "scaling auto, filling knn"),
        # of two orders of the same steps the one that scales first, where one method has both
        ([("fill-mean,unit-rows", "ab"), ("unit-rows,fill-mean", "a")], [("fill-mean,unit-rows", "a")],
         "scaling unit-rows, filling mean"),
        # of features of kernels those with a unit
        ([(FEATURES, "ab"), (UNIT, "a")], [(FEATURES, "a")], "scaling none, filling knn"),
    ],
)  # fmt: skip
def test_one_pair_is_shown(
    long_frame, trials: list[tuple[str, str]], left_out: list[tuple[str, str]], words: str
) -> None:
    """trials, left_out : preparation, and the methods that it stands for, a letter each."""
    for steps, methods in trials:
        for name in methods:
            long_frame.trial(name, SCORE, prepare=steps)
    frame, preparation = one_preparation(long_frame.frame())
    shown = set(zip(frame["prepare"], frame["algorithm"], strict=True))
    every, gone = ({(steps, name) for steps, methods in some for name in methods} for some in (trials, left_out))
    assert shown == every - gone
    assert preparation.words == words


def test_a_data_set_without_the_common_pair_shows_one_of_its_own(long_frame) -> None:
    for name in ("a", "b"):
        for dataset in ("x", "y"):
            long_frame.trial(name, SCORE, dataset=dataset, prepare=KNN)
        long_frame.trial(name, SCORE, dataset="kernels", prepare="fill-knn")
    long_frame.trial("a", SCORE, dataset="kernels", prepare="fill-mean")
    frame, preparation = one_preparation(long_frame.frame())
    assert set(frame.loc[frame["dataset"] == "kernels", "prepare"]) == {"fill-knn"}
    assert preparation.words == "scaling auto, filling knn (kernels: scaling none)"


def test_two_files_of_one_name_are_two_data_sets(long_frame) -> None:
    """Each shows the best of its own; neither hides the other."""
    for name in ("a", "b"):
        long_frame.trial(name, SCORE, dataset="data.mat", content="c0ffee00", prepare="scale-auto")
        long_frame.trial(name, SCORE, dataset="data.mat", content="beef0000", prepare="minmax")
    frame, preparation = one_preparation(long_frame.frame())
    assert {(row.content, row.scaling) for row in frame.itertuples()} == {("c0ffee00", "auto"), ("beef0000", "minmax")}
    assert preparation.words == "scaling auto (data.mat #beef00: scaling minmax)"


def test_data_sets_of_kernels_do_not_decide(long_frame) -> None:
    long_frame.trial("a", SCORE, dataset="x", prepare="scale-auto")
    long_frame.trial("a", SCORE, dataset="x", prepare="minmax")
    for name in ("a", "b", "c"):
        long_frame.trial(name, SCORE, dataset="kernels", prepare="kernel-features")
        long_frame.trial(name, SCORE, dataset="kernels", prepare="kernel-features,minmax")
    assert one_preparation(long_frame.frame())[1].words.startswith("scaling auto")


def test_what_else_is_stored_is_said_where_there_is_any(long_frame) -> None:
    assert one_preparation(long_frame.frame())[1].words == ""
    long_frame.trial("a", SCORE, prepare=KNN)
    assert one_preparation(long_frame.frame())[1].sentence == ""
    for steps in ("scale-auto,fill-mean", "minmax"):
        long_frame.trial("a", SCORE, prepare=steps)
    assert one_preparation(long_frame.frame())[1].sentence == (
        "Shown: scaling auto, filling knn. Also stored: scaling minmax and filling mean; "
        "choose with --scale, --fill or --prepare."
    )


def test_of_methods_without_a_declared_version_the_newest_is_shown(long_frame) -> None:
    long_frame.trial("declared", SCORE, algorithm_version="1").trial("declared", SCORE, algorithm_version="2")
    long_frame.trial("mine", SCORE, algorithm_version="code-a", started_at="2026-01-03T00:00:00.000000+00:00")
    one_version = long_frame.frame()
    assert newest_versions(one_version)[0] is one_version
    for version, day in (("code-b", 1), ("code-c", 2), ("code-b", 4)):
        long_frame.trial("mine", SCORE, algorithm_version=version, started_at=f"2026-01-0{day}T00:00:00.000000+00:00")
    frame, several = newest_versions(long_frame.frame())
    kept = set(frame[["algorithm", "algorithm_version"]].itertuples(index=False, name=None))
    assert kept == {("mine", "code-b"), ("declared", "1"), ("declared", "2")}
    assert several == {"mine": 3}
