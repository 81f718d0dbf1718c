"""A method is called verified where a test compares its own solver with reference numbers, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mvarena.registry.catalog import installed_catalog

COMPARED = [path.read_text() for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__)]
WITH_NUMBERS = [text for text in COMPARED if "golden_numbers(" in text]
VERIFIED = [spec for spec in installed_catalog().specs("algorithm") if spec.status == "verified"]


@pytest.mark.parametrize("spec", VERIFIED, ids=lambda spec: spec.name)
def test_a_test_that_reads_reference_numbers_calls_its_module(spec):
    module, _, name = spec.target.partition(":")
    package, _, stem = module.rpartition(".")
    imported = re.compile(
        rf"from {re.escape(module)} import|from {re.escape(package)} import .*\b{stem}\b|import .*\b{name}\b"
    )
    assert any(imported.search(text) for text in WITH_NUMBERS), (
        f"{spec.name} is called verified, and no test with reference numbers imports {module}"
    )
