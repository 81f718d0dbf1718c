"""Names show what sets contestants apart, and nothing else; data sets are told apart by what they hold."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.analysis.naming import name_contestants, names_by_content, natural_order

APMC, CONCAT = {"algorithm": "apmc"}, {"algorithm": "concat"}


@pytest.mark.parametrize(
    ("trials", "names"),
    [
        ([APMC | {"params": {"k": 7, "sigma": None}}, CONCAT], ["apmc (k=7, sigma=none)", "concat"]),
        ([APMC | {"params": {"m": 7}}, APMC | {"params": {"m": 10}}, APMC | {"dataset": "other", "params": {"m": 7}}],
         ["apmc (m=7)", "apmc (m=10)", "apmc (m=7)"]),
        # the number of clusters, where it differs on one data set
        ([APMC | {"params": {"n_clusters": 3}}, APMC | {"params": {"n_clusters": 4}}],
         ["apmc (n_clusters=3)", "apmc (n_clusters=4)"]),
        ([APMC | {"params": {"n_clusters": 3}}, APMC | {"dataset": "other", "params": {"n_clusters": 4}}],
         ["apmc", "apmc"]),
        ([APMC | {"prepare": "minmax,unit-rows"}, APMC | {"prepare": ""}],
         ["apmc (prepare=minmax,unit-rows)", "apmc (prepare=none)"]),
        ([APMC | {"algorithm_version": "1"}, APMC | {"algorithm_version": "2"}],
         ["apmc (version=1)", "apmc (version=2)"]),
        ([APMC | {"steps": "m 1,x 1"}, APMC | {"steps": "m 1,x 2"}], ["apmc (x version=1)", "apmc (x version=2)"]),
        # between algorithms protocols and seeds are shown, preparations are not
        ([APMC | {"prepare": "minmax"}, CONCAT | {"prepare": "fill-mean"}], ["apmc", "concat"]),
        ([APMC | {"protocol": "fair"}, CONCAT | {"protocol": "oracle"}],
         ["apmc (protocol=fair)", "concat (protocol=oracle)"]),
        ([APMC | {"seed": 0}, CONCAT | {"seed": 1}], ["apmc (seed=0)", "concat (seed=1)"]),
    ],
)  # fmt: skip
def test_a_contestant_is_named_by_what_differs(long_frame, trials: list[dict], names: list[str]) -> None:
    for trial in trials:
        long_frame.trial(values={"acc": [0.5]}, **trial)
    named = name_contestants(long_frame.frame().drop_duplicates("key"))
    assert list(named["contestant"]) == names


def test_numbers_in_names_order_by_value() -> None:
    names = ["apmc (m=10)", "apmc (m=7)", "apmc (m=0.5)", "apmc", "3-way"]
    assert sorted(names, key=natural_order) == ["3-way", "apmc", "apmc (m=0.5)", "apmc (m=7)", "apmc (m=10)"]


def names_of(*pairs: tuple[str, str]) -> list[str]:
    return list(names_by_content(pd.DataFrame(pairs, columns=["dataset", "content"])))


def test_several_contents_of_one_name_show_so_much_of_themselves_that_they_differ() -> None:
    found = names_of(("x", "1a2b3c4d" * 8), ("digits", "b" * 64), ("x", "9f8e7d6c" * 8))
    assert found == ["x #1a2b3c", "digits", "x #9f8e7d"]
    assert names_of(("x", "abcdef1" + "0" * 57), ("x", "abcdef2" + "0" * 57)) == ["x #abcdef1", "x #abcdef2"]
    first, second = names_of(("drawn", "generated:drawn:1"), ("drawn", "generated:drawn:2"))
    assert first != second
    assert all(len(name) == len("drawn #") + 6 for name in (first, second))


@given(st.lists(st.tuples(st.sampled_from("xy"), st.text("01abcdef", min_size=6, max_size=9)), min_size=1))
def test_two_rows_share_a_name_exactly_where_name_and_content_agree(pairs) -> None:
    found = names_of(*pairs)
    assert len(set(zip(pairs, found, strict=True))) == len(set(pairs)) == len(set(found))
