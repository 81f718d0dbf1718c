"""What an outcome says of the machine: the processor, its cores, the routines of linear algebra."""

from __future__ import annotations

import os

import pytest

from mvarena.system import environment as environment_module
from mvarena.system.environment import cpu_model, environment, usable_cores
from mvarena.system.openblas import can_use, processes_use, routines_in_use


def test_the_environment_of_a_trial_holds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found = environment()
    assert found["cpu"] == cpu_model() != ""
    assert 1 <= found["usable_cores"] == usable_cores() <= found["cores"]
    assert found.get("openblas", "") == routines_in_use()
    assert not {"hostname", "user", "path"} & set(found)
    assert environment_module.environment.cache_info().currsize == 1


@pytest.mark.skipif(not routines_in_use(), reason="numpy uses another library than OpenBLAS")
def test_routines_can_be_used_where_the_processor_has_them() -> None:
    assert can_use(routines_in_use())
    assert not can_use("Nehalem9")
    assert not can_use("Haswell; true")


@pytest.mark.parametrize("before", [None, "Zen"])
def test_processes_use_other_routines_within_alone(before: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_CORETYPE", raising=False)
    if before:
        monkeypatch.setenv("OPENBLAS_CORETYPE", before)
    with processes_use(""):
        assert os.environ.get("OPENBLAS_CORETYPE") == before
    with processes_use("Haswell"):
        assert os.environ["OPENBLAS_CORETYPE"] == "Haswell"
    assert os.environ.get("OPENBLAS_CORETYPE") == before
