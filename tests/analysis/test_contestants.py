"""Names show what sets contestants apart, and nothing else."""

from __future__ import annotations

import pandas as pd
import pytest

from mvarena.analysis.naming import name_contestants, natural_order

SCORE = {"acc": [0.5]}


def named(builder, **options) -> pd.DataFrame:
    return name_contestants(builder.frame().drop_duplicates("key"), **options)


def test_the_parameters_that_are_not_defaults_are_the_name(long_frame) -> None:
    long_frame.trial("apmc", SCORE, params={"n_neighbors": 7, "sigma": None}).trial("concat", SCORE)
    assert list(named(long_frame)["contestant"]) == ["apmc (n_neighbors=7, sigma=none)", "concat"]


def test_what_differs_between_data_sets_only_is_not_shown(long_frame) -> None:
    for dataset, k in (("digits", 10), ("3sources", 6)):
        long_frame.trial("apmc", SCORE, dataset=dataset, params={"n_clusters": k})
    assert set(named(long_frame)["contestant"]) == {"apmc"}


def test_a_name_means_the_same_in_every_data_set(long_frame) -> None:
    for dataset, m in (("digits", 7), ("digits", 10), ("3sources", 7)):
        long_frame.trial("apmc", SCORE, dataset=dataset, params={"n_neighbors": m})
    assert list(named(long_frame)["contestant"])[2] == "apmc (n_neighbors=7)"


@pytest.mark.parametrize(
    ("column", "values", "expected"),
    [
        ("prepare", ("minmax,unit-rows", ""), ["apmc (prepare=minmax,unit-rows)", "apmc (prepare=none)"]),
        ("algorithm_version", ("1", "2"), ["apmc (version=1)", "apmc (version=2)"]),
        ("protocol", ("fair", "mkkm"), ["apmc (protocol=fair)", "apmc (protocol=mkkm)"]),
        ("seed", (0, 1), ["apmc (seed=0)", "apmc (seed=1)"]),
        ("steps", ("m 1,x 1", "m 1,x 2"), ["apmc (x version=1)", "apmc (x version=2)"]),
    ],
)
def test_other_differences(long_frame, column: str, values: tuple[object, object], expected: list[str]) -> None:
    for value in values:
        long_frame.trial("apmc", SCORE, **{column: value})
    assert list(named(long_frame)["contestant"]) == expected


def test_preparations_that_differ_between_algorithms_are_not_shown(long_frame) -> None:
    long_frame.trial("apmc", SCORE, prepare="minmax").trial("concat", SCORE, prepare="fill-mean")
    assert list(named(long_frame)["contestant"]) == ["apmc", "concat"]


def test_protocols_that_differ_between_algorithms_are_shown(long_frame) -> None:
    long_frame.trial("apmc", SCORE, protocol="fair").trial("concat", SCORE, protocol="oracle", pick="best-by-labels")
    assert list(named(long_frame)["contestant"]) == ["apmc (protocol=fair)", "concat (protocol=oracle)"]


def test_seeds_that_differ_between_algorithms_are_shown(long_frame) -> None:
    long_frame.trial("apmc", SCORE, seed=0).trial("concat", SCORE, seed=1)
    assert list(named(long_frame)["contestant"]) == ["apmc (seed=0)", "concat (seed=1)"]


def test_numbers_in_names_order_by_value() -> None:
    names = ["apmc (m=10)", "apmc (m=7)", "apmc (m=0.5)", "apmc", "3-way"]
    assert sorted(names, key=natural_order) == ["3-way", "apmc", "apmc (m=0.5)", "apmc (m=7)", "apmc (m=10)"]


def test_the_number_of_clusters_is_shown_only_where_it_differs(long_frame) -> None:
    for k in (3, 4):
        long_frame.trial("apmc", SCORE, params={"n_clusters": k})
    names = list(named(long_frame)["contestant"])
    assert names == ["apmc (n_clusters=3)", "apmc (n_clusters=4)"]
