"""One scaling and filling is shown at a time, the same for all where it is stored."""

from __future__ import annotations

import pandas as pd

from mvarena.analysis.conditions import newest_versions, one_preparation

SCORE = {"acc": [0.5]}


def shown(builder) -> tuple[set[tuple[str, str, str]], str]:
    frame, preparation = one_preparation(builder.frame())
    return set(frame[["dataset", "algorithm", "prepare"]].itertuples(index=False, name=None)), preparation.words


def test_the_pair_of_most_methods_is_shown(long_frame) -> None:
    for name in ("a", "b", "c"):
        long_frame.trial(name, SCORE, prepare="scale-auto,fill-knn")
    long_frame.trial("d", SCORE, prepare="scale-auto")
    for name in ("a", "b"):
        for repeat in range(9):
            long_frame.trial(name, SCORE, prepare="minmax,fill-knn", repeat=repeat)
    rows, words = shown(long_frame)
    assert {(name, steps) for _, name, steps in rows} == {
        *((name, "scale-auto,fill-knn") for name in "abc"),
        ("d", "scale-auto"),
    }
    assert words == "scaling auto, filling knn"


def test_a_method_with_and_without_a_filling_counts_once(long_frame) -> None:
    for steps in ("scale-auto", "scale-auto,fill-knn", "minmax,fill-knn"):
        long_frame.trial("a", SCORE, prepare=steps)
    long_frame.trial("b", SCORE, prepare="minmax,fill-knn")
    assert shown(long_frame)[1] == "scaling minmax, filling knn"


def test_of_equally_many_auto_and_knn_are_shown(long_frame) -> None:
    for steps in ("minmax,fill-mean", "scale-auto,fill-mean", "scale-auto,fill-knn", "unit-rows,fill-knn"):
        long_frame.trial("a", SCORE, prepare=steps)
    assert shown(long_frame)[1] == "scaling auto, filling knn"


def test_methods_that_fill_nothing_belong_to_every_filling(long_frame) -> None:
    long_frame.trial("takes-missing", SCORE, prepare="scale-auto")
    for filling in ("knn", "mean"):
        long_frame.trial("fills", SCORE, prepare=f"scale-auto,fill-{filling}")
    long_frame.trial("filled-by-mean", SCORE, prepare="scale-auto,fill-mean")
    long_frame.trial("filled-by-knn", SCORE, prepare="scale-auto,fill-knn")
    long_frame.trial("filled-by-knn-too", SCORE, prepare="scale-auto,fill-knn")
    rows, _ = shown(long_frame)
    assert {name for _, name, _ in rows} == {"takes-missing", "fills", "filled-by-knn", "filled-by-knn-too"}
    assert {steps for _, _, steps in rows} == {"scale-auto", "scale-auto,fill-knn"}


def test_adaptation_is_no_scaling(long_frame) -> None:
    for steps in ("scale-auto,gaussian-kernel,center-kernels,fill-knn", "scale-auto,fill-knn,shift-nonnegative"):
        long_frame.trial(steps[11:15], SCORE, prepare=steps)
    assert len(shown(long_frame)[0]) == 2


def test_a_data_set_without_the_common_pair_shows_one_of_its_own(long_frame) -> None:
    for name in ("a", "b"):
        for dataset in ("x", "y"):
            long_frame.trial(name, SCORE, dataset=dataset, prepare="scale-auto,fill-knn")
        long_frame.trial(name, SCORE, dataset="kernels", prepare="fill-knn")
    long_frame.trial("a", SCORE, dataset="kernels", prepare="fill-mean")
    rows, words = shown(long_frame)
    assert {steps for dataset, _, steps in rows if dataset == "kernels"} == {"fill-knn"}
    assert words == "scaling auto, filling knn (kernels: scaling none)"


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
    assert shown(long_frame)[1].startswith("scaling auto")


def test_of_two_orders_of_the_same_steps_the_one_that_scales_first_is_kept(long_frame) -> None:
    for steps in ("fill-mean,unit-rows", "unit-rows,fill-mean"):
        long_frame.trial("a", SCORE, prepare=steps)
    long_frame.trial("b", SCORE, prepare="fill-mean,unit-rows")
    rows, _ = shown(long_frame)
    assert {(name, steps) for _, name, steps in rows} == {("a", "unit-rows,fill-mean"), ("b", "fill-mean,unit-rows")}


def test_of_features_of_kernels_those_with_a_unit_are_kept(long_frame) -> None:
    for steps in ("kernel-features,fill-knn", "kernel-features,unit-view,fill-knn"):
        long_frame.trial("a", SCORE, prepare=steps)
    long_frame.trial("b", SCORE, prepare="kernel-features,fill-knn")
    rows, words = shown(long_frame)
    assert {steps for _, name, steps in rows if name == "a"} == {"kernel-features,unit-view,fill-knn"}
    assert {steps for _, name, steps in rows if name == "b"} == {"kernel-features,fill-knn"}
    assert words == "scaling none, filling knn"


def test_what_else_is_stored_is_said(long_frame) -> None:
    for steps in ("scale-auto,fill-knn", "scale-auto,fill-mean", "minmax"):
        long_frame.trial("a", SCORE, prepare=steps)
    sentence = one_preparation(long_frame.frame())[1].sentence
    assert sentence == (
        "Shown: scaling auto, filling knn. Also stored: scaling minmax and filling mean; "
        "choose with --scale, --fill or --prepare."
    )


def test_one_preparation_needs_no_sentence(long_frame) -> None:
    long_frame.trial("a", SCORE, prepare="scale-auto")
    assert one_preparation(long_frame.frame())[1].sentence == ""


def test_no_rows_are_no_rows(long_frame) -> None:
    frame, preparation = one_preparation(long_frame.frame())
    assert isinstance(frame, pd.DataFrame)
    assert (len(frame), preparation.words) == (0, "")


def test_of_methods_without_a_declared_version_the_newest_is_shown(long_frame) -> None:
    for version, day in (("code-b", 1), ("code-a", 3), ("code-c", 2)):
        long_frame.trial("mine", SCORE, algorithm_version=version, started_at=f"2026-01-0{day}T00:00:00.000000+00:00")
    long_frame.trial("mine", SCORE, algorithm_version="code-b", started_at="2026-01-04T12:00:00.000000+00:00")
    for version in ("1", "2"):
        long_frame.trial("declared", SCORE, algorithm_version=version)
    frame, several = newest_versions(long_frame.frame())
    kept = set(frame[["algorithm", "algorithm_version"]].itertuples(index=False, name=None))
    assert kept == {("mine", "code-b"), ("declared", "1"), ("declared", "2")}
    assert several == {"mine": 3}


def test_one_version_leaves_the_rows_as_they_are(long_frame) -> None:
    long_frame.trial("mine", SCORE, algorithm_version="code-a").trial("other", SCORE)
    frame = long_frame.frame()
    assert newest_versions(frame)[0] is frame
    assert newest_versions(frame)[1] == {}
