"""The planted errors of `planted.py` can be planted: their code stands once, and their tests exist."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from planted import PLANTED, ROOT, occurrences
from planted import test_files as files_of


@pytest.mark.parametrize("error", PLANTED, ids=lambda error: error.name)
def test_the_code_of_an_error_stands_once_and_its_tests_exist(error):
    assert len(occurrences(ROOT, error.old)) == 1
    assert files_of(ROOT, error)


def test_there_are_sixty_errors_of_different_names():
    assert len({error.name for error in PLANTED}) == len(PLANTED) >= 60
