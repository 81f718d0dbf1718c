"""The environment of a trial with what plugins say of it: packages and devices that mvarena itself knows nothing of."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from functools import cache
from typing import Any

import pluggy

from mvarena.registry.plugins import installed_plugins
from mvarena.system.environment import environment
from mvarena.text import told_error

_HOOK = "mvarena_environment"
_LONGEST = 200  # letters of a fact that are kept


@cache
def full_environment() -> dict[str, Any]:
    """The environment of `mvarena.system.environment` and, under "plugins", each plugin's facts: name -> fact.

    Cost: as much as the plugins take, once for a process.
    """
    added = facts_of_plugins(installed_plugins().manager)
    return environment() | ({"plugins": added} if added else {})


def facts_of_plugins(manager: pluggy.PluginManager) -> dict[str, dict[str, str]]:
    """The plugin's name -> what it says, for each that says something; of one that fails, that it "failed" and why."""
    added = {}
    for implementation in getattr(manager.hook, _HOOK).get_hookimpls():
        try:
            with redirect_stdout(sys.stderr):
                told = {str(name): str(fact)[:_LONGEST] for name, fact in dict(implementation.function()).items()}
        except (
            Exception,
            SystemExit,
        ) as error:  # no trial is to end for what a plugin says of the machine
            told = {"failed": told_error(error)[:_LONGEST]}
        if told:
            added[implementation.plugin_name] = told
    return added
