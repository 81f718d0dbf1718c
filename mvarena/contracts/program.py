"""Clustering program in any language, as described by its `algorithm.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from mvarena.contracts.parameters import Parameter

Format: TypeAlias = Literal["mat", "npz", "csv"]
Writes: TypeAlias = Literal["labels", "embedding", "affinity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program as a contestant.

    file : the file that announces it; its folder is where relative paths start.
    command : the program and its arguments, with {input}, {output}, {folder}, {seed}, {clusters} and {param.NAME}.
    format : of the input: one .mat or .npz file, or a folder of .csv files.
    takes : "views" or "matrix", the views side by side. missing : "nan", "mask", or "" for complete data only.
    samples : "rows" or "columns" of the arrays.
    writes : what the program finds. install : how to get the program where it is missing, as a command.
    parameters : with a default each. about : name -> what a parameter means, of those that say it.
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
    parameters: tuple[Parameter, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict, hash=False)
