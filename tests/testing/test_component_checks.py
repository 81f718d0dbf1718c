"""The checks of data sets, corruptions, transforms and metrics find what they are for."""

from __future__ import annotations

from typing import Any

import pytest
from faulty_components import (
    CORRUPTIONS,
    DATASETS,
    METRICS,
    TRANSFORMS,
    Scaled,
    a_corruption,
    a_dataset,
    a_metric,
    a_transform,
    by,
    doubled,
    fixed,
    purity,
)

from mvarena.contracts.specs import Spec
from mvarena.errors import DataUnavailable
from mvarena.testing import (
    check_corruption,
    check_dataset,
    check_metric,
    check_transform,
    checks_of,
    corruption,
    dataset,
    metric,
    run_check,
    transform,
)

ALL = [*DATASETS, *CORRUPTIONS, *TRANSFORMS, *METRICS]
SUITES = {"dataset": dataset, "corruption": corruption, "transform": transform, "metric": metric}


def test_sound_components_pass():
    check_dataset(*a_dataset(fixed))
    check_corruption(*a_corruption(Scaled))
    check_transform(*a_transform(by(doubled)))
    check_metric(*a_metric(purity))


@pytest.mark.parametrize(("fault", "spec", "target"), ALL, ids=[fault for fault, *_ in ALL])
def test_a_fault_fails_its_check(fault: str, spec: Spec, target: Any):
    (check,) = [check for check in checks_of(spec, target) if check.check.name == fault]
    assert run_check(check).state == "failed"


@pytest.mark.parametrize(("kind", "home"), SUITES.items(), ids=str)
def test_every_check_is_held_by_a_fault(kind: str, home: Any):
    assert {check.name for check in home.SUITE.checks} == {fault for fault, spec, _ in ALL if spec.component == kind}


def test_files_that_are_not_at_hand_are_no_failure():
    def unavailable(seed: int) -> None:
        raise DataUnavailable("fetch them first.")

    results = [run_check(check) for check in checks_of(*a_dataset(unavailable))]
    assert {result.state for result in results} == {"skipped"}
    assert "fetch them first" in results[0].sentence
