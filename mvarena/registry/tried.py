"""Code of plugins that has to run in this process runs in a fork first: what would end the process, or hang, is an
error instead."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress

from mvarena.errors import PluginError
from mvarena.system import forking

START_S = 120.0  # as long as a worker may take to start


def tried_apart(what: str, deed: Callable[[], object]) -> None:
    """Do `deed` in a fork, silently, before it is done here; nothing in a process that may end, or without forks.

    what : begins the sentence of an error. Raises PluginError where it ends its process, takes longer than START_S,
    or presses Ctrl-C. What else it raises is left to whoever does it here.
    Cost: 5 to 10 ms, and what `deed` costs.
    """
    if forking.is_fork or forking.may_end or not hasattr(os, "fork"):
        return

    def answer() -> bytes:
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        try:
            deed()
        except KeyboardInterrupt:  # Ctrl-C would have ended this process
            return b"it tried to exit the program (KeyboardInterrupt: )"
        except BaseException:
            return b""  # it is raised again here
        return b""

    ended = forking.forked(answer, seconds=START_S)
    fault = ended.fault if ended.answer is None else ended.answer.decode(errors="replace")
    if fault and ended.code != -signal.SIGINT:  # Ctrl-C, which is pressed here, too
        raise PluginError(f"{what}: {fault}.")


def look_at(target: object) -> None:
    """Read what a component declares: annotations, and the types that they name, are code."""
    from mvarena.contracts.parameters import parameters_of

    for parameter in parameters_of(target).values():
        with suppress(Exception):
            parameter.checked(parameter.default)
