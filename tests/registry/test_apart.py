"""Code of plugins that is needed before a trial runs in a fork: what it does to its process is an error."""

from __future__ import annotations

import copyreg
import ctypes
import faulthandler
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from mvarena import running
from mvarena.contracts.data_source import DataSource, SourceCard
from mvarena.contracts.specs import DatasetSpec
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible, InvalidSetting, MvarenaError, PluginError
from mvarena.registry.catalog import Catalog
from mvarena.registry.data_sources import announced_source
from mvarena.registry.plugin_calls import apart, ended_after
from mvarena.study.options import RunOptions


def _data() -> MultiViewData:
    views = [np.arange(8.0).reshape(4, 2), sparse.csr_array(np.eye(4))]
    return MultiViewData.from_arrays(views, labels=["a", "a", "b", "b"], name="mine")


def test_data_come_back_as_they_are() -> None:
    given, back = _data(), apart("It", _data)
    assert back.fingerprint == given.fingerprint
    assert (back.name, back.classes, back.view_names) == (given.name, given.classes, given.view_names)
    assert np.array_equal(back.labels, given.labels)


def test_what_it_changes_stays_its_own() -> None:
    def deed() -> int:
        os.environ["MVARENA_TEST_CHANGED"] = "1"
        sys.path.clear()
        return os.getpid()

    assert apart("It", deed) != os.getpid()
    assert "MVARENA_TEST_CHANGED" not in os.environ
    assert sys.path


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        (lambda: os._exit(0), "It: it exited with code 0."),
        (lambda: (faulthandler.disable(), ctypes.string_at(0)), "It: its process was ended by SIGSEGV."),
        (lambda: sys.exit(3), "It: it tried to exit the program (SystemExit: 3)."),
        (lambda: 1 / 0, "It: ZeroDivisionError: division by zero."),
        (lambda: (_ for _ in ()).throw(KeyboardInterrupt), "It: KeyboardInterrupt: ."),
        (lambda: lambda: 0, "It: "),
    ],
    ids=["exit", "crash", "sys.exit", "error", "interrupt", "function"],
)
def test_what_goes_wrong_is_an_error_that_names_it(deed: Callable[[], Any], said: str) -> None:
    with pytest.raises(PluginError) as error:
        apart("It", deed)
    assert str(error.value).startswith(said)


def test_a_hang_is_ended() -> None:
    started = time.monotonic()
    with (
        ended_after(0.5),
        pytest.raises(
            PluginError, match=r"It: it took longer than the 0\.5 s allowed\. Allow it more with --timeout\."
        ),
    ):
        apart("It", lambda: time.sleep(60))
    with pytest.raises(PluginError, match=r"0\.2 s allowed\.$"):
        apart("It", lambda: time.sleep(60), 0.2)
    assert time.monotonic() - started < 30


def test_a_loader_has_a_limit_while_a_run_is_planned_though_nobody_sets_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def plan(*_: object) -> None:
        apart("It", lambda: time.sleep(60))

    monkeypatch.setattr(running, "plan_blocks", plan)
    assert running.LOAD_S == 600
    monkeypatch.setattr(running, "LOAD_S", 0.2)
    for how, allowed in ((RunOptions(), r"0\.2 s"), (RunOptions(timeout_s=0.4), r"0\.4 s")):
        with pytest.raises(PluginError, match=f"than the {allowed} allowed. Allow it more with --timeout"):
            running.preview(None, [], how)


def test_errors_of_mvarena_come_back_with_what_they_say() -> None:
    def refuse() -> None:
        raise InvalidSetting("too large.", field="rates", value=2.0)

    with pytest.raises(InvalidSetting, match=r"^too large\.$") as error:
        apart("It", refuse)
    assert (error.value.field, error.value.value) == ("rates", 2.0)

    class Own(Incompatible):
        pass

    def refuse_so() -> None:
        raise Own("not these.")

    with pytest.raises(MvarenaError, match=r"^not these\.$"):
        apart("It", refuse_so)


def test_libraries_that_write_exceptions_in_their_own_way_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise InvalidSetting("too large.", field="rates", value=2.0)

    for kind in (InvalidSetting, PluginError):  # as tblib, which Dask takes, registers every exception
        monkeypatch.setitem(copyreg.dispatch_table, kind, lambda _error: (os.path.join, ("a", "b")))
    with pytest.raises(InvalidSetting, match=r"^too large\.$"):
        apart("It", refuse)
    with pytest.raises(PluginError, match=r"^It: ZeroDivisionError"):
        apart("It", lambda: 1 / 0)


class _Shell:
    def __reduce__(self) -> Any:
        return os.system, ("echo harm",)


@dataclass
class _Foreign:
    value: int = 1


@pytest.mark.parametrize("made", [_Shell, _Foreign, lambda: [_Shell()], lambda: np.array([_Shell()], dtype=object)])
def test_what_comes_back_runs_nothing(made: Callable[[], Any], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PluginError, match="it returned something that cannot be used"):
        apart("It", made)
    assert "harm" not in capfd.readouterr().out


# data sets ------------------------------------------------------------------------------------------------


class Exits(DataSource):
    def __init__(self, spec: DatasetSpec) -> None:
        os._exit(0)

    def load(self, seed: int) -> MultiViewData:
        return _data()

    def describe(self) -> SourceCard:
        return SourceCard(name="mine")


class Held(DataSource):
    """A source that says all of itself."""

    def __init__(self, spec: DatasetSpec) -> None:
        self.spec = spec

    @property
    def generated(self) -> bool:
        return True

    def load(self, seed: int) -> MultiViewData:
        return _data()

    def describe(self) -> SourceCard:
        return SourceCard(name=self.spec.name, samples=4)

    def content(self, data: MultiViewData) -> str:
        return f"mine:{data.n_samples}"


def no_data(seed: int) -> list[int]:
    return [seed]


def source(name: str) -> DataSource:
    return announced_source(
        DatasetSpec(name="mine", label="mine", summary="", target=f"{__name__}:{name}"), Catalog(())
    )


def test_each_method_of_a_source_of_a_plugin_answers() -> None:
    held = source("Held")
    assert held.generated is True
    assert held.describe() == SourceCard(name="mine", samples=4)
    assert held.content(held.load(0)) == "mine:4"
    assert (held.files(), held.verify(), held.fetch()) == ((), (), ())


def test_a_constructor_that_exits_is_an_error() -> None:
    for ask in (lambda: source("Exits").load(0), lambda: source("Exits").describe()):
        with pytest.raises(PluginError, match="The data set 'mine': it exited with code 0"):
            ask()


def test_what_is_no_data_is_named() -> None:
    with pytest.raises(PluginError, match="The data set 'mine' returned a list instead of MultiViewData"):
        source("no_data").load(0)
