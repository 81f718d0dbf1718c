"""The planted errors (`python tests/planted.py`) can be planted: each snippet stands once, and each test is there."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import planted

ERRORS = planted.declared()


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.name)
def test_a_planted_error_has_one_place_and_its_tests(error: planted.Planted):
    place = planted.place_of(error)
    compile(place.text, str(place.path), "exec")
    assert place.text != place.path.read_text("utf-8")
    assert [name for name in error.functions if name not in planted.files_of_tests()] == []


def test_there_are_sixty_with_a_name_and_a_sentence_each():
    assert len(ERRORS) >= 60
    assert len({error.name for error in ERRORS}) == len({error.wrong for error in ERRORS}) == len(ERRORS)


def test_blanks_line_breaks_and_names_do_not_matter():
    found = planted.pattern_of("f($a, $b) - $a").fullmatch("f(\n    first,second\n) -\tfirst")
    assert found is not None
    assert (found["a"], found["b"]) == ("first", "second")
    assert planted.pattern_of("f($a) - $a").search("f(one) - other") is None
    assert planted.pattern_of("not x").search("notx, cannot x") is None


def test_a_snippet_that_stands_nowhere_or_twice_is_refused():
    with pytest.raises(ValueError, match="no file"):
        planted.place_of(replace(ERRORS[0], old="this stands nowhere at all"))
    with pytest.raises(ValueError, match="must stand in one place"):
        planted.place_of(replace(ERRORS[0], old="import numpy as np"))


def test_an_error_without_any_test_of_its_name_is_refused():
    with pytest.raises(ValueError, match="none of its tests is found: test_that_nobody_wrote"):
        planted.arguments_of(replace(ERRORS[0], tests=("test_that_nobody_wrote",)))
