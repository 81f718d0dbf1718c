"""Hooks for finished trials: each in a process of its own that lives as long as the run."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pluggy
import pytest

from mvarena import hookimpl
from mvarena.registry import hookspecs, listeners
from mvarena.registry.listeners import Listeners


def listening(**hooks: Callable[..., Any]) -> Listeners:
    manager = pluggy.PluginManager("mvarena")
    manager.add_hookspecs(hookspecs)
    for name, hook in hooks.items():
        manager.register(SimpleNamespace(mvarena_trial_finished=hookimpl(hook)), name)
    return Listeners(manager)


def test_what_a_hook_keeps_is_there_at_the_next_trial_and_nowhere_else(tmp_path: Path) -> None:
    kept: list[Any] = []

    def keeps(trial: Any, outcome: Any) -> None:
        kept.append((trial, outcome))
        (tmp_path / "kept").write_text(f"{os.getpid()} {kept}")

    told = listening(keeps=keeps)
    assert [told.tell(trial=number, outcome="good") for number in (1, 2)] == [[], []]
    told.close()
    process, _, text = (tmp_path / "kept").read_text().partition(" ")
    assert text == "[(1, 'good'), (2, 'good')]"
    assert kept == []
    with pytest.raises(ProcessLookupError):
        os.kill(int(process), 0)


def test_a_hook_that_raises_is_called_again_and_one_that_ends_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listeners, "TOLD_S", 2.0)
    (tmp_path / "seen").touch()

    def sees(trial: Any) -> None:
        with (tmp_path / "seen").open("a") as file:
            file.write(str(trial))

    def raises(outcome: Any) -> None:
        raise ValueError(outcome)

    told = listening(
        ends=lambda: os._exit(0),
        hangs=lambda: time.sleep(60),
        raises=raises,
        sees=sees,
        closes=lambda: os.closerange(0, 256),
    )
    first, second = (sorted(told.tell(trial=number, outcome="odd")) for number in (1, 2))
    told.close()
    assert [sentence.partition(" failed in mvarena_trial_finished: ")[0] for sentence in first] == [
        f"The plugin {name}" for name in ("closes", "ends", "hangs", "raises")
    ]
    assert "it exited with code 0. It is told of no more trials of this run." in first[1]
    assert "it took longer than the 2 s allowed" in first[2]
    assert second == ["The plugin raises failed in mvarena_trial_finished: ValueError: odd"]
    assert (tmp_path / "seen").read_text() == "12"
