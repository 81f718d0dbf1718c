"""The table of contestants in the docs: every method once, marked by what it holds."""

from __future__ import annotations

import re
import sys

from built_in import CATALOG, ours
from documents import DOCS

from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.study.families import FREE_OF_SQUARES
from mvarena.testing.algorithm.results import grows_linearly

sys.path.insert(0, str(DOCS))
from generation.contestants import contestants_table

TABLE = contestants_table(CATALOG)


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


def test_linear_methods_are_marked_and_those_that_hold_squares_are_not():
    of_features = [spec for spec in ours("algorithm") if "features" in spec.capabilities.kinds]
    linear = {spec.name for spec in of_features if grows_linearly(CATALOG.load(spec)())}
    assert set(re.findall(rf"([\w-]+){FREE_OF_SQUARES}", TABLE)) == linear
    assert not linear & {spec.name for spec in of_features if issubclass(CATALOG.load(spec), SquareClusterer)}
