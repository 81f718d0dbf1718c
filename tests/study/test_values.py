"""What users write: rates, ranges, decibels, durations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.errors import InvalidSetting
from mvarena.study.values import numbers_from, parse_duration, parse_rate, parse_rates, parse_shard


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (parse_rates, "0.3", (0.3,)),
        (parse_rates, "0.1,0.3", (0.1, 0.3)),
        (parse_rates, "0.1:0.9:0.2", (0.1, 0.3, 0.5, 0.7, 0.9)),
        (parse_rates, "0:0.3:0.1", (0.0, 0.1, 0.2, 0.3)),
        (parse_rates, "0.1:0.35:0.1,0.9", (0.1, 0.2, 0.3, 0.9)),
        (parse_rates, "0.5, 0.5", (0.5,)),
        (numbers_from, "5", (5,)),
        (numbers_from, "2:4", (2, 3, 4)),
        (numbers_from, "3:3", (3,)),
        (numbers_from, "9, 2:4,3", (9, 2, 3, 4)),
        (parse_duration, "90", 90),
        (parse_duration, "90s", 90),
        (parse_duration, "10m", 600),
        (parse_duration, "1.5h", 5400),
        (parse_duration, "250ms", 0.25),
        (parse_shard, "2/8", (2, 8)),
        (parse_shard, " 1 / 1 ", (1, 1)),
    ],
)
def test_what_is_written_has_its_value(read, text, value):
    assert read(text) == value


UNREADABLE = [
    (numbers_from, ["", "2,", "a", "2:", ":4", "2:4:1", "2.5"], "neither a number nor a range"),
    (numbers_from, ["4:2", "2:200"], "the smaller number first"),
    (parse_rates, ["", ","], "contains no rate"),
    (parse_rates, ["a", "4000dB", "1e9 dB"], "is not a rate|is larger than any number"),
    (parse_rates, ["0.1:0.9", "0.1:0.9:0", "0.9:0.1:0.1", "0.1:0.9:x", "0:inf:1"], "is not a range of rates"),
    (parse_rates, ["0:1:0.000001"], "at most 1000 are allowed"),
    (parse_duration, ["", "0", "0s", "-5s", "10 parsecs", "m", "nan"], "is not a duration"),
    (parse_shard, ["", "2", "0/8", "9/8", "2/0", "-1/8", "2:8", "2/8/3", "a/b"], "write 1/8 for the first"),
]


@pytest.mark.parametrize(
    ("read", "text", "says"), [(one, text, says) for one, texts, says in UNREADABLE for text in texts]
)
def test_what_cannot_be_read_is_said(read, text, says):
    with pytest.raises(InvalidSetting, match=says):
        read(text)


@given(st.integers(0, 100), st.integers(1, 20), st.integers(1, 30))
def test_a_range_holds_its_ends_exactly(start, step, count):
    stop = start + step * count
    rates = parse_rates(f"{start / 100}:{stop / 100}:{step / 100}")
    assert len(rates) == count + 1
    assert rates[0] == start / 100
    assert rates[-1] == stop / 100


def test_decibels_are_power_ratios():
    assert parse_rate("10dB") == pytest.approx(10)
    assert parse_rate("-20 dB") == pytest.approx(0.01)
    assert parse_rate("inf dB") == float("inf")
