"""Clustering program in any language, as described by its `algorithm.toml`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

Format: TypeAlias = Literal["mat", "npz", "csv"]
Writes: TypeAlias = Literal["labels", "embedding", "affinity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramParameter:
    """Parameter of a program: its default, the bounds of a number, the choices of a text, and its meaning.

    least, most : the bounds, which may be reached; above: a bound that may not.
    """

    name: str
    default: Any
    least: float | None = None
    most: float | None = None
    above: float | None = None
    choices: tuple[Any, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program as a contestant.

    file : the file that announces it; its folder is where relative paths start.
    command : the program and its arguments, with {input}, {output}, {folder}, {seed}, {clusters} and {param.NAME}.
    format : of the input: one .mat or .npz file, or a folder of .csv files.
    takes : "views" or "matrix", the views side by side. missing : "nan", "mask", or "" for complete data only.
    samples : "rows" or "columns" of the arrays.
    writes : what the program finds. install : how to get the program where it is missing, as a command.
    """

    name: str
    file: Path
    command: tuple[str, ...]
    format: Format = "mat"
    takes: str = "views"
    missing: str = ""
    samples: str = "rows"
    writes: Writes = "labels"
    install: str = ""
    parameters: tuple[ProgramParameter, ...] = ()
