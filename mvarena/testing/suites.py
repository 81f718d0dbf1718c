"""The checks of a component, to be run one by one, all at once, or by pytest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from mvarena.contracts.specs import Spec
from mvarena.testing.checks import BoundCheck, Suite, run_checks

# the module of each kind's checks and the class of what they take
_HOMES = {
    "algorithm": ("mvarena.testing.algorithm", "Contestant"),
    "dataset": ("mvarena.testing.dataset", "DataSet"),
    "corruption": ("mvarena.testing.corruption", "Spoiler"),
    "transform": ("mvarena.testing.transform", "Preparation"),
    "metric": ("mvarena.testing.metric", "Measure"),
}


def checks_of(spec: Spec, target: Any = None) -> list[BoundCheck]:
    """The checks that apply to the component of `spec`, in order; each is called without arguments.

    There are none for a reader or a picker.

    target : the component itself; by default it is imported from where the spec says when a check runs.
    """
    if spec.component not in _HOMES:
        return []
    home = import_module(_HOMES[spec.component][0])
    subject = getattr(home, _HOMES[spec.component][1])
    suite: Suite[Any] = home.SUITE
    return suite.of(spec, lambda: subject(spec, _loaded(spec) if target is None else target))


def check_component(spec: Spec, target: Any = None) -> None:
    """Run every check of a component; AssertionError with one line for each that fails."""
    run_checks(checks_of(spec, target))


check_algorithm = check_dataset = check_corruption = check_transform = check_metric = check_component


def parametrize_with_checks(specs: Iterable[Spec]) -> Callable[[Any], Any]:
    """A pytest decorator: the test runs once for each check of each component, its argument `check` to be called.

    pytest shows them as test_conformance[apmc-permutation].
    """
    import pytest

    checks = [check for spec in specs for check in checks_of(spec)]
    return pytest.mark.parametrize("check", checks, ids=str)


def _loaded(spec: Spec) -> Any:
    from mvarena.registry.catalog import Catalog

    return Catalog(()).load(spec)
