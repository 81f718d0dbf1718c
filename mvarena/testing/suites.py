"""The checks of a component, to be run one by one, all at once, or by pytest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from unittest import SkipTest

from mvarena.contracts.specs import Spec
from mvarena.system.threads import one_linear_algebra_thread

if TYPE_CHECKING:
    from collections.abc import Iterator


_KINDS = ("algorithm", "dataset", "corruption", "transform", "metric")


def checks_of(spec: Spec, target: Any = None) -> list[BoundCheck]:
    """The checks that apply to the component of `spec`, in order; each is called without arguments.

    There are none for a reader or a picker.

    target : the component itself; by default it is imported from where the spec says when a check runs.
    """
    if spec.component not in _KINDS:
        return []
    suite: Suite[Any] = import_module(f"mvarena.testing.{spec.component}").SUITE
    checks = [check for check in suite.checks if check.applies(spec)]
    return [BoundCheck(check, spec, target, suite.subject) for check in checks]


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


# Checks: small named functions that take a component and raise AssertionError with a sentence.

Subject = TypeVar("Subject")


@dataclass(frozen=True)
class Check(Generic[Subject]):
    """One property that every component of a kind has.

    name : as it is shown. asserts : the property, in a sentence. run : raises AssertionError where it does not hold,
    and unittest.SkipTest where it cannot be found out. applies : whether a component of that spec is to have it.
    """

    name: str
    asserts: str
    run: Callable[[Subject], None]
    applies: Callable[[Any], bool]


@dataclass(frozen=True)
class BoundCheck:
    """A check of one component: call it."""

    check: Check[Any]
    spec: Spec
    target: Any
    subject: Callable[[Any, Any], Any]

    def __str__(self) -> str:
        return f"{self.spec.name}-{self.check.name}"

    def __call__(self) -> None:
        """Raises AssertionError with a sentence if the component fails the check, SkipTest if it cannot be run.

        Linear algebra has one thread meanwhile, unless the check says otherwise: the examples are small.
        """
        try:
            with one_linear_algebra_thread():
                self.check.run(self.subject(self.spec, _loaded(self.spec) if self.target is None else self.target))
        except (AssertionError, SkipTest):
            raise
        except Exception as error:
            raise AssertionError(f"{self.spec.name} raised {type(error).__name__}: {error}") from error


class Suite(Generic[Subject]):
    """The checks of one kind of component, in the order in which they are defined.

    subject : makes what they take, of a spec and the component behind it.
    """

    def __init__(self, subject: Callable[[Any, Any], Subject]) -> None:
        self.subject = subject
        self.checks: list[Check[Subject]] = []

    def check(self, applies: Callable[[Any], bool] = lambda _: True) -> Callable[[Any], Any]:
        """Marks a function as a check; its name and the first line of its docstring are shown."""

        def added(function: Callable[[Subject], None]) -> Callable[[Subject], None]:
            name = function.__name__.replace("_", "-")
            sentence = (function.__doc__ or "").partition("\n")[0]
            self.checks.append(Check(name, sentence, function, applies))
            return function

        return added


@dataclass(frozen=True)
class Result:
    """Result of a check: 'passed', 'failed' or 'skipped', and the reason where it is not 'passed'."""

    check: BoundCheck
    state: str
    sentence: str = ""


def run_check(check: BoundCheck) -> Result:
    """The result of one check."""
    try:
        check()
    except SkipTest as reason:
        return Result(check, "skipped", str(reason))
    except AssertionError as error:
        return Result(check, "failed", str(error))
    return Result(check, "passed")


def run_checks(checks: Iterable[BoundCheck]) -> None:
    """Run all; AssertionError with one line for each that fails."""
    failed = [result for result in map(run_check, checks) if result.state == "failed"]
    if failed:
        raise AssertionError("\n".join(f"{result.check}: {result.sentence}" for result in failed))


def require(holds: Any, sentence: str) -> None:
    """Raise AssertionError with that sentence unless `holds`."""
    if not holds:
        raise AssertionError(sentence)


@contextmanager
def refused(expected: type[Exception], sentence: str) -> Iterator[list[Exception]]:
    """Raise AssertionError with that sentence unless `expected` is raised inside; the list then holds the error."""
    caught: list[Exception] = []
    try:
        yield caught
    except expected as error:
        caught.append(error)
        return
    except Exception as error:
        raise AssertionError(f"{sentence}; instead it raised {type(error).__name__}: {error}") from error
    raise AssertionError(f"{sentence}; it raised no error.")
