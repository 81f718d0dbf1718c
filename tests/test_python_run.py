"""`mvarena.run` as an editor and a notebook see it: its keywords, its bar."""

from __future__ import annotations

import inspect
import sys
from dataclasses import fields
from types import ModuleType

import pytest

import mvarena
from mvarena.study.building import RunOptions
from mvarena.study.keys import key_of_field
from mvarena.study.model import Study

pytestmark = pytest.mark.usefixtures("kept_workers")

SMALL = {"repeats": 2, "restarts": 1, "rates": 0.3, "jobs": 1}


def test_every_field_of_a_study_is_a_keyword_and_has_a_type():
    parameters = inspect.signature(mvarena.run).parameters
    assert {item.name for item in fields(Study)} <= set(parameters)
    named_otherwise = {"timeout": "timeout_s", "cpu_time": "cpu_s"}
    of_data = {"views", "outcomes", "time", "event"}
    rest = set(parameters) - {item.name for item in fields(Study)} - {"progress"} - of_data
    assert {named_otherwise.get(name, name) for name in rest} <= {item.name for item in fields(RunOptions)}
    assert all(key_of_field(named_otherwise.get(name, name)) for name in parameters if name != "progress")
    for name, parameter in parameters.items():
        assert parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY), name
        assert parameter.annotation not in (parameter.empty, "Any"), name
        assert f"{name}" in (mvarena.run.__doc__ or ""), name


@pytest.mark.slow
def test_a_metric_that_is_asked_for_is_computed():
    scores = mvarena.run("concat", "toy-blobs", **SMALL, metrics="silhouette-views").scores
    assert scores.loc[scores["metric"] == "silhouette-views", "value"].notna().all()
    assert "silhouette-views" in set(scores["metric"])


class Handle:
    """What IPython displays and updates."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def update(self, html: str) -> None:
        self.shown.append(html)


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Handle:
    """A process that a notebook runs, as far as IPython tells."""
    handle = Handle()

    def display(html: str, *, display_id: bool) -> Handle:
        assert display_id
        handle.update(html)
        return handle

    shell, displays = ModuleType("IPython"), ModuleType("IPython.display")
    shell.get_ipython = type("ZMQInteractiveShell", (), {})  # type: ignore[attr-defined]
    vars(displays).update(HTML=str, display=display)
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", displays)
    return handle


def test_a_notebook_shows_a_bar(notebook: Handle, capsys):
    mvarena.run(["concat", "toy-raises"], "toy-blobs", **SMALL)
    assert notebook.shown[0] == '<progress value="0" max="4"></progress> 0 of 4 trials'
    assert notebook.shown[-1].startswith('<progress value="4" max="4"></progress> 4 of 4 trials, 2 failed ')
    assert capsys.readouterr().err == ""
    notebook.shown.clear()
    mvarena.run("concat", "toy-blobs", **SMALL, progress=False)
    assert not notebook.shown


@pytest.mark.slow
def test_a_script_shows_no_bar_unless_one_is_asked_for(capsys, monkeypatch):
    mvarena.run("concat", "toy-blobs", **SMALL)
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    mvarena.run("concat", "toy-blobs", **SMALL, progress=True)
    assert "trials" in capsys.readouterr().err
