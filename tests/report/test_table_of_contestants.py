"""The table of contestants: what the command prints, every method once, marked by what it holds."""

from __future__ import annotations

import re

import pytest
from built_in import CATALOG, ours
from click.testing import CliRunner

from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.cli.main import cli
from mvarena.report.announced_methods import contestants_table
from mvarena.study.families import FREE_OF_SQUARES
from mvarena.testing.algorithm.results import grows_linearly

TABLE = contestants_table(CATALOG)


def test_the_command_prints_it():
    assert CliRunner().invoke(cli, ["list", "algorithms", "--markdown"], catch_exceptions=False).output == TABLE


def test_every_algorithm_stands_in_it_once_by_its_family_and_status():
    shown = []
    for row in TABLE.splitlines()[2:]:
        family, taking, needing, status = (cell.strip() for cell in row.strip("|").split("|"))
        for cell, takes in ((taking, True), (needing, False)):
            for name in re.findall(r"[\w-]+", cell):
                spec = CATALOG.algorithm(name)
                assert (family, status, takes) == (spec.target.split(".")[2], spec.status, spec.capabilities.missing)
                shown.append(name)
    assert sorted(shown) == sorted(spec.name for spec in ours("algorithm"))


@pytest.mark.parametrize("spec", ours("algorithm"), ids=lambda spec: spec.name)
def test_methods_that_hold_squares_are_not_marked(spec):
    if issubclass(CATALOG.load(spec), SquareClusterer) or "features" not in spec.capabilities.kinds:
        assert f"{spec.name}{FREE_OF_SQUARES}" not in TABLE


@pytest.mark.parametrize("spec", ours("algorithm"), ids=lambda spec: spec.name)
def test_linear_methods_are_marked(spec):
    linear = "features" in spec.capabilities.kinds and grows_linearly(CATALOG.load(spec)())
    assert bool(re.search(rf"\b{spec.name}{FREE_OF_SQUARES}", TABLE)) is linear


@pytest.mark.parametrize("words", [["datasets", "--markdown"], ["algorithms", "--markdown", "--json"]])
def test_only_algorithms_have_a_table(words):
    found = CliRunner().invoke(cli, ["list", *words])
    assert found.exit_code == 2
    assert "mvarena list methods --markdown" in found.output
