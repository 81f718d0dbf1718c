"""The plugins' hooks for finished trials: each runs in one fork for the whole of a run, so that what it does to its
process does nothing to the run, and what its module keeps is there at the next trial."""

from __future__ import annotations

import json
import os
import pickle
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pluggy

from mvarena.registry.plugins import call_implementation
from mvarena.system import forking
from mvarena.system.framing import Frames, framed

HOOK = "mvarena_trial_finished"
TOLD_S = 60.0  # that a hook may take for a trial
_END_S = 10.0
_MOST, _PIECE = 1 << 40, 1 << 20


class Listeners:
    """The hooks for finished trials of the plugins that `manager` knows."""

    def __init__(self, manager: pluggy.PluginManager) -> None:
        self._waiting = [_Listener(one) for one in getattr(manager.hook, HOOK).get_hookimpls()]

    def tell(self, **given: Any) -> list[str]:
        """Call each with the trial and the outcome that are given; a sentence for each one that failed.

        One that ends its process, or takes longer than TOLD_S, is told of nothing more.
        """
        return [sentence for one in self._waiting if (sentence := one.tell(given))]

    def close(self) -> None:
        for one in self._waiting:
            one.close()


class _Listener:
    def __init__(self, implementation: Any) -> None:
        self._implementation = implementation
        self._link: socket.socket | None = None
        self._fork: forking.Fork | None = None
        self._fault = ""

    def tell(self, given: dict[str, Any]) -> str | None:
        values = [given[name] for name in self._implementation.argnames]
        if not hasattr(os, "fork"):
            return call_implementation(self._implementation, HOOK, values)
        if self._fault:
            return None
        if self._fork is None:
            self._begin()
        assert self._link is not None
        assert self._fork is not None
        with suppress(OSError):  # of one that has ended, it is heard now
            self._link.sendall(framed(pickle.dumps(values, pickle.HIGHEST_PROTOCOL)))
        ended = self._fork.heard(TOLD_S)
        try:
            said = None if ended.answer is None else json.loads(ended.answer)
        except ValueError:
            said = None
        if isinstance(said, list):
            return str(said[0]) if said else None
        self._fault = ended.fault or "it answered for something else"
        self._link.close()
        self._fork.end()
        self._fork = None
        return (
            f"The plugin {self._implementation.plugin_name} failed in {HOOK}: {self._fault}. "
            "It is told of no more trials of this run."
        )

    def close(self) -> None:
        if self._fork is not None and self._link is not None:
            self._link.close()
            self._fork.heard(_END_S)  # what it has begun
            self._fork.end()
            self._fork = None

    def _begin(self) -> None:
        self._link, other = socket.socketpair()
        self._link.settimeout(TOLD_S)
        with other:
            self._fork = forking.Fork(partial(self._listen, other))

    def _listen(self, link: socket.socket, tell: Callable[[bytes], None]) -> bytes:
        """In the fork: call the hook for each message, until the conductor hangs up."""
        _keep_only(link.fileno(), *forking.private)
        frames = Frames(_MOST)
        while piece := link.recv(_PIECE):
            for message in frames.add(piece):
                said = call_implementation(self._implementation, HOOK, pickle.loads(message))
                tell(json.dumps([said] if said else []).encode())
        return b"[]"


def _keep_only(*descriptors: int) -> None:
    """Close all other files but the standard streams: connections end with who holds them. What the hook prints goes to
    standard error."""
    sys.stdout.flush()
    os.dup2(2, 1)
    for name in os.listdir("/dev/fd"):
        number = int(name)
        if number > 2 and number not in descriptors:
            with suppress(OSError):
                os.close(number)
