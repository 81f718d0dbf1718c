from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.errors import InvalidData, StoreError
from mvarena.store.encoding import (
    canonical_json,
    pack_floats,
    pack_labels,
    pack_texts,
    unpack_floats,
    unpack_labels,
    unpack_texts,
)

INT64 = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.text(st.characters())))
def test_texts_come_back(texts: list[str]) -> None:
    assert unpack_texts(pack_texts(texts)) == tuple(texts)


@given(st.lists(INT64))
def test_labels_come_back(labels: list[int]) -> None:
    back = unpack_labels(pack_labels(np.array(labels, dtype=np.int64)))
    assert back.dtype == np.int64
    assert back.tolist() == labels


@pytest.mark.parametrize(
    ("labels", "width"),
    [
        ([0, 127], b"1"),
        ([-128, 0], b"1"),
        ([0, 128], b"2"),
        ([-129], b"2"),
        ([2**15], b"4"),
        ([2**31], b"8"),
        ([], b"1"),
    ],
)
def test_labels_take_no_more_bytes_than_they_need(labels: list[int], width: bytes) -> None:
    assert pack_labels(np.array(labels, dtype=np.int64))[:1] == width


def test_labels_are_packed_the_same_from_any_integer_type() -> None:
    wide = np.array([0, 1, 2, 1])
    assert pack_labels(wide) == pack_labels(wide.astype(np.uint8)) == pack_labels(wide.astype(">i4"))


NO_LABELS = [np.zeros(3), np.zeros((2, 2), dtype=int), np.array(["a"]), np.array([True])]


@pytest.mark.parametrize("wrong", [*NO_LABELS, np.array([2**63], dtype=np.uint64)], ids=str)
def test_what_are_no_labels_is_refused(wrong: np.ndarray) -> None:
    with pytest.raises(InvalidData, match=r"labels must be integers|does not fit into 64 bits"):
        pack_labels(wrong)


@pytest.mark.parametrize(
    ("read", "content", "says"),
    [
        *((unpack_texts, zlib.compress(content), "damaged") for content in (b"", b"1", b"[" * 100_000, b"\xff")),
        (unpack_labels, pack_labels(np.arange(100))[:-5], "damaged"),
        (unpack_labels, b"8" + zlib.compress(bytes(15)), "damaged"),
        (unpack_labels, b"9rest", "upgrade mvarena"),
    ],
)
def test_damaged_bytes_and_those_of_a_later_form_are_refused(
    read: Callable[[bytes], object], content: bytes, says: str
) -> None:
    with pytest.raises(StoreError, match=says):
        read(content)


@given(st.lists(st.floats(width=64)))
def test_floats_come_back_bit_by_bit(values: list[float]) -> None:
    back = unpack_floats(pack_floats(values))
    assert np.array(back).tobytes() == np.array(values, dtype=float).tobytes()


def test_canonical_json_does_not_depend_on_order_and_keeps_nan_infinity_and_numpy_numbers() -> None:
    assert canonical_json({"b": 1, "a": [1, 2]}) == canonical_json({"a": [1, 2], "b": 1}) == '{"a":[1,2],"b":1}'
    back = json.loads(canonical_json({"nan": math.nan, "inf": -math.inf, "single": np.float32(0.5), "n": np.int64(3)}))
    assert math.isnan(back["nan"])
    assert (back["inf"], back["single"], back["n"]) == (-math.inf, 0.5, 3)
