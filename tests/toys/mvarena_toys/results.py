"""Odd results: what an algorithm may return or raise that is no result (`tests/engine/test_validation.py` has more)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mvarena.contracts.algorithm import Representation
from mvarena_toys.deeds import deed


class Account:
    """Stands for a History, with one thing odd."""

    objective: Any = np.array([1.0])
    n_iter: Any = 1
    converged: Any = True
    stopped_because: Any = "it was enough"

    def __init__(self, **odd: Any) -> None:
        self.__dict__.update(odd)


class Command:
    """Runs a command where it is unpickled."""

    def __reduce__(self) -> Any:
        return os.system, (f"touch {os.environ['MVARENA_TOYS_NOTES']}.pwned",)


def _with_account(data: Any, **odd: Any) -> Representation:
    return Representation(embedding=data.views[0].matrix * 1.0, history=Account(**odd))


@deed("FAILED", "cannot be stored")
def counts_2_to_the_70(data: Any) -> Any:
    return _with_account(data, n_iter=2**70)


@deed("FAILED", "returned a Command")
def returns_a_command(_: Any) -> Any:
    return Command()


@deed("DONE")
def says_a_novel_that_no_database_takes(data: Any) -> Any:
    return _with_account(data, stopped_because="\x00\ud800\x1b[2J" + "la " * 10**7)


@deed("FAILED", "characters are left out")
def raises_a_novel(_: Any) -> Any:
    raise ValueError("no " * 10**7)


@deed("FAILED", "cannot say what it is")
def raises_what_cannot_be_told(_: Any) -> Any:
    class Mute(Exception):
        def __str__(self) -> str:
            raise SystemExit

    raise Mute


class _Nameless(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise SystemExit("no name")


class _Unspeakable(BaseException, metaclass=_Nameless):
    def __str__(self) -> str:
        raise _Unspeakable

    __repr__ = __str__


@deed("FAILED", long=True)
def raises_what_has_no_name(_: Any) -> None:
    raise _Unspeakable


@deed("FAILED", "SystemExit")
def exits(_: Any) -> Any:
    raise SystemExit(0)


@deed("FAILED", "KeyboardInterrupt")
def presses_ctrl_c(_: Any) -> Any:
    raise KeyboardInterrupt
