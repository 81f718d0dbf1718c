"""Tools for authors of components: example data, and the checks that every built-in component passes.

    from mvarena.testing import parametrize_with_checks

    @parametrize_with_checks(SPECS)
    def test_conformance(check):
        check()

`check_algorithm(SPEC)` and the like run all checks at once; `mvarena plugin check NAME` does so from a terminal.
"""

from mvarena.testing.examples import blobs as blobs
from mvarena.testing.examples import word_counts as word_counts
from mvarena.testing.suites import check_algorithm as check_algorithm
from mvarena.testing.suites import check_corruption as check_corruption
from mvarena.testing.suites import check_dataset as check_dataset
from mvarena.testing.suites import check_metric as check_metric
from mvarena.testing.suites import check_transform as check_transform
from mvarena.testing.suites import checks_of as checks_of
from mvarena.testing.suites import parametrize_with_checks as parametrize_with_checks
from mvarena.testing.suites import run_check as run_check
