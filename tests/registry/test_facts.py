"""What plugins say of the machine stands with the environment of trials, and one that fails harms nothing."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from mvarena import hookimpl
from mvarena.registry import facts
from mvarena.registry.facts import facts_of_plugins, full_environment
from mvarena.registry.plugins import load_plugins
from mvarena.system.environment import environment


def manager_of(**answers):
    """A pluggy manager with one plugin for each name, which answers the hook by calling the value."""
    manager = load_plugins([]).manager
    for name, answer in answers.items():
        manager.register(SimpleNamespace(mvarena_environment=hookimpl(lambda answer=answer: answer())), name)
    return manager


def test_each_plugin_says_its_facts_as_text():
    found = facts_of_plugins(manager_of(one=lambda: {"torch": "2.13", "cores": 4}, silent=dict))
    assert found == {"one": {"torch": "2.13", "cores": "4"}}


@pytest.mark.parametrize("answer", [lambda: 1 / 0, lambda: sys.exit(3), lambda: None, lambda: ["torch"]])
def test_a_plugin_that_fails_says_so_and_stops_no_other(answer):
    found = facts_of_plugins(manager_of(bad=answer, good=lambda: {"gpu": "none"}))
    assert found["good"] == {"gpu": "none"}
    assert list(found["bad"]) == ["failed"]


def test_long_facts_are_cut():
    assert len(facts_of_plugins(manager_of(one=lambda: {"gpu": "x" * 10_000}))["one"]["gpu"]) == 200


def test_the_environment_of_a_trial_holds_them(monkeypatch):
    manager = manager_of(one=lambda: {"torch": "2.13"})
    monkeypatch.setattr(facts, "installed_plugins", lambda: SimpleNamespace(manager=manager))
    assert full_environment.__wrapped__() == environment() | {"plugins": {"one": {"torch": "2.13"}}}
