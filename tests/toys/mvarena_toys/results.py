"""Odd results: what an algorithm may return or raise that is no result."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from mvarena.contracts.algorithm import Representation
from mvarena_toys.deeds import DEEDS, Deed, deed


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


class Fickle(int):
    """A number that is another each time it is asked."""

    asked = 0

    def __int__(self) -> int:
        self.asked += 1
        return 1 if self.asked < 2 else 2**80


ACCOUNTS = {
    "counts-nan": ("n_iter", float("nan"), "ValueError"),
    "counts-2-to-the-70": ("n_iter", 2**70, "cannot be stored"),
    "counts-none": ("n_iter", None, "TypeError"),
    "converged-array": ("converged", np.array([True, False]), "ValueError"),
    "objective-text": ("objective", ["low", "lower"], "ValueError"),
    "objective-command": ("objective", Command(), "TypeError"),
}
LABELS = {
    "labels-0.7": (np.full(30, 0.7), "0.7 is among them"),
    "labels-nan": (np.full(30, np.nan), "nan is among them"),
    "labels-negative": (np.full(30, -3), "-3 is among them"),
    "labels-text": (np.full(30, "a"), "of type <U1"),
    "labels-short": (np.zeros(29, dtype=int), "(29,)"),
    "labels-table": (np.zeros((30, 2), dtype=int), "(30, 2)"),
    "labels-huge": (np.full(30, 2**40), "from 0 to"),
    "labels-beyond-64-bits": (np.full(30, 2**64 - 1, dtype=np.uint64), "from 0 to"),
    "labels-objects": (np.array([Command()] * 30, dtype=object), "of type object"),
    "labels-bytes-of-a-gigabyte": (np.broadcast_to(np.int8(0), (2**30,)), "shape"),
}


def _account(field: str, value: Any) -> Any:
    return lambda data: Representation(embedding=data.views[0].matrix * 1.0, history=Account(**{field: value}))


def _labels(value: Any) -> Any:
    return lambda _: Representation(labels=value)


for name, (field, value, says) in ACCOUNTS.items():
    DEEDS[name] = Deed(name, _account(field, value), "FAILED", says, "toy-blobs", False)
for name, (value, says) in LABELS.items():
    DEEDS[name] = Deed(name, _labels(value), "FAILED", says, "toy-blobs", False)


@deed("DONE")
def counts_in_a_fickle_way(data: Any) -> Any:
    return Representation(embedding=data.views[0].matrix * 1.0, history=Account(n_iter=Fickle(3)))


@deed("DONE")
def says_what_no_database_takes(data: Any) -> Any:
    return Representation(embedding=data.views[0].matrix * 1.0, history=Account(stopped_because="\x00\ud800\x1b[2J"))


@deed("DONE")
def says_a_novel(data: Any) -> Any:
    return Representation(embedding=data.views[0].matrix * 1.0, history=Account(stopped_because="la " * 10**7))


@deed("FAILED", "returned a dict")
def returns_a_mapping(_: Any) -> Any:
    return {"labels": np.zeros(30)}


@deed("FAILED", "returned a Command")
def returns_a_command(_: Any) -> Any:
    return Command()


@deed("FAILED", "")
def embeds_in_nan(_: Any) -> Any:
    return Representation(embedding=np.full((30, 2), np.nan))


@deed("FAILED", "")
def embeds_another_number_of_samples(_: Any) -> Any:
    return Representation(embedding=np.random.default_rng(0).normal(size=(31, 2)))


@deed("FAILED", "")
def assigns_by_itself(_: Any) -> Any:
    class Own(Representation):
        def assign(self, *_: Any, **__: Any) -> Any:
            return [Command()]

    return Own(embedding=np.zeros((30, 2)))


@deed("FAILED", "cannot say what it is")
def raises_what_cannot_be_told(_: Any) -> Any:
    class Mute(Exception):
        def __str__(self) -> str:
            raise SystemExit

    raise Mute


@deed("FAILED", "characters are left out")
def raises_a_novel(_: Any) -> Any:
    raise ValueError("no " * 10**7)


@deed("FAILED", "SystemExit")
def exits(_: Any) -> Any:
    raise SystemExit(0)


@deed("FAILED", "KeyboardInterrupt")
def presses_ctrl_c(_: Any) -> Any:
    raise KeyboardInterrupt


@deed("FAILED", "GeneratorExit")
def ends_a_generator(_: Any) -> Any:
    raise GeneratorExit


@deed("FAILED", "RecursionError")
def recurses(data: Any) -> Any:
    return recurses(data)


@deed("FAILED", "FileNotFoundError")
def opens_what_is_not_there(_: Any) -> Any:
    Path("/no/such/file").read_text()
