"""The register of hostile deeds."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mvarena.data import MultiViewData


@dataclass(frozen=True)
class Deed:
    """What an algorithm does instead of clustering.

    status : how its trial must end. says : part of the reason. dataset : on which it is done.
    long : for a slow test.
    """

    name: str
    do: Callable[[MultiViewData], Any]
    status: str
    says: str
    dataset: str
    long: bool


DEEDS: dict[str, Deed] = {}


def deed(status: str, says: str = "", *, dataset: str = "toy-blobs", long: bool = False) -> Callable[[Any], Any]:
    """Registers the function below under its name."""

    def added(function: Callable[[MultiViewData], Any]) -> Callable[[MultiViewData], Any]:
        name = function.__name__.replace("_", "-")
        DEEDS[name] = Deed(name, function, status, says, dataset, long)
        return function

    return added


def note(number: int) -> None:
    """Write down the number of a process that must not outlive its worker."""
    if place := os.environ.get("MVARENA_TOYS_NOTES"):
        with Path(place).open("a") as file:
            file.write(f"{number}\n")
