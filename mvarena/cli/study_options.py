"""The options that describe a study: each key of a study file is a flag, and what is typed overrides the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.completion import names_for
from mvarena.cli.options import FILTER_FLAGS, Function, SectionOption
from mvarena.contracts.reader import CHOICES
from mvarena.errors import InvalidSetting
from mvarena.study.keys import STUDY_KEYS, key_named, key_of_field

if TYPE_CHECKING:
    from mvarena.study.building import Block, RunOptions
    from mvarena.study.file import StudyFile
    from mvarena.study.settings import Layer, Layers

# options of single commands, which errors name beside the keys
_OTHERS = ("rerun", "shard", "choose", "save", "out", "format", "trial", "figure", "html", "grid")
_OTHER_FLAGS = {name: f"--{name.replace('_', '-')}" for name in _OTHERS}
_SHARD = (
    "Run part I of N: --shard 2/8 in the second of eight jobs, each with a database of its own; mvarena results merge "
    "joins them."
)

# heading of the help -> key of a study file -> its line in `--help`; None: only `--help-all` shows it
_SECTIONS: dict[str, dict[str, str | None]] = {
    "Methods": {
        "algo": "Methods, families (kernel:*), your own class or all",
        "param": "Parameters; several values make a grid",
        "grid": "paper: the range that each paper searches",
    },
    "Data": {
        "data": "Data sets or files; ready: all that are available",
        "clusters": "Number of clusters; by default of classes",
        "labels": "File with the labels of your .csv files",
        **dict.fromkeys(("orientation", "header", "decimal", "drop", "impute", "outcomes", "time", "event")),
    },
    "Conditions": {
        "corrupt": "Corruptions, such as missing-even, or none",
        "rates": "Rates: 0.1 0.3, or 0.1:0.9:0.2",
        "scale": "Scaling of features: auto (default), none, ...",
        "fill": "Filling of missing samples: knn (default), ...",
        "prepare": None,
    },
    "Protocol": {
        "protocol": "Evaluation protocol  [default: fair]",
        "repeats": "Repeats per condition, each with its own mask",
        "restarts": "k-means restarts per trial",
        "controls": "Run the baselines, too  [default: controls]",
        "seed": "Seed of every random choice  [default: 0]",
    },
    "Limits and workers": {
        "timeout": "Wall-clock limit of a trial: 90s, 10m, 2h",
        "cpu-time": "Limit of its CPU time",
        "memory": "Limit of its memory: 512MiB, 8GiB",
        "jobs": "Number of worker processes  [default: auto]",
        **dict.fromkeys(("threads", "scheduler")),
    },
    "Results": {
        "db": "Results database  [default: results.db]",
        "metric": "Metrics to show",
        "keep-restarts": None,
    },
}
_BRIEF = {name: brief for keys in _SECTIONS.values() for name, brief in keys.items()}
_SECTION_OF = {name: section for section, names in _SECTIONS.items() for name in names}
_PLACES = list(_SECTION_OF)  # a key that is in no section stands in files alone


SEVERAL = tuple(f"--{key.name}" for key in STUDY_KEYS if key.several)


def flag_of(field: str | None) -> str:
    """' (--repeats)' for the field of a study, ' (--param)' for 'apmc.n_neighbors'; empty for what has no flag."""
    key = key_of_field(field)
    value = f"--{key}" if key else _OTHER_FLAGS.get(field or "", "") or FILTER_FLAGS.get(field or "", "")
    return f" ({value})" if value else ""


def study_options(command: Function) -> Function:
    """Add the study file and every option that describes a study to a command."""
    command = click.option("--shard", metavar="I/N", help=_SHARD, cls=SectionOption, section="Limits and workers",
                           brief=None)(command)  # fmt: skip
    for name in reversed(_PLACES):
        command = study_option(name)(command)
    return click.argument("study", required=False, metavar="[STUDY]", shell_complete=names_for("study"))(command)


def study_option(name: str) -> Callable[[Function], Function]:
    """The option of one key. Nothing is filled in where nothing is typed: a study file may say it."""
    key = key_named(name)
    settings: dict[str, Any] = {"help": key.meaning, "cls": SectionOption, "section": _SECTION_OF[key.name]}
    settings["brief"] = _BRIEF[key.name]
    if key.kind == "switch":
        return click.option(f"--{key.name}/--no-{key.name}", key.field, default=None, **settings)
    settings |= {"metavar": key.metavar, "shell_complete": names_for(key.name)}
    if key.default is not None:
        settings["help"] += f"  [default: {key.default}]"
    if key.several:
        settings["multiple"] = True
    if key.name in CHOICES:
        settings["type"] = click.Choice(CHOICES[key.name])
    elif key.kind == "whole":
        settings["type"] = int
    return click.option(f"--{key.name}", key.field, **settings)


def typed(options: Mapping[str, Any]) -> Layer:
    """Settings from the command line; `options` may hold others, too."""
    from mvarena.study.settings import Layer, checked

    settings = {key.name: options.get(key.field) for key in STUDY_KEYS}
    return Layer(checked({name: value for name, value in settings.items() if value not in (None, ())}, ""))


def file_of(options: Mapping[str, Any]) -> StudyFile | None:
    """The study file that is named; None where none is. Raises UsageError where nothing says what to run."""
    from mvarena.study.file import study_at

    if options.get("study") is not None:
        return study_at(options["study"])
    lacking = [f"--{key.name}" for key in STUDY_KEYS if key.name in ("algo", "data") and not options.get(key.field)]
    if lacking:
        raise click.UsageError(
            f"Missing option '{lacking[0]}'. Name a study (mvarena run study.toml; mvarena list studies), or --algo "
            "and --data."
        )
    return None


def blocks_from(options: Mapping[str, Any]) -> tuple[list[Block], Layers]:
    """The studies that the options and the study file describe, and what holds of all: jobs, timeout, db and so on.

    MVARENA_DB stands for a database that neither names.
    """
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.building import blocks_of
    from mvarena.study.settings import Layer, laid_over

    file, upper = file_of(options), typed(options)
    named = os.environ.get("MVARENA_DB")
    lowest = Layer({"db": named} if named else {})
    if file is None:
        settings = [laid_over([upper])]
        return blocks_of(settings, installed_catalog()), laid_over([lowest, upper])
    return file.blocks(installed_catalog(), upper), laid_over([lowest, file.defaults, upper])


def how_from(options: Mapping[str, Any], said: Layers) -> RunOptions:
    """Options of the run: what `said` holds of them, and the part of the study that is asked for.

    Raises StoreError for what names no database.
    """
    from mvarena.store.connections import parse_address
    from mvarena.study.building import run_options
    from mvarena.study.values import parse_shard

    shard = options.get("shard")
    how = run_options(said)
    parse_address(how.db)
    return replace(how, shard=None if shard is None else parse_shard(shard))


def save_typed(path: Path, options: Mapping[str, Any]) -> None:
    """Write the options that were typed to a new study file. Raises InvalidSetting where they override another."""
    from mvarena.study.file import save_study
    from mvarena.study.settings import laid_over

    if file_of(options) is not None:
        raise InvalidSetting("a command is saved as a study file, and one was named; edit that file.", field="save")
    save_study(path, laid_over([typed(options)]))
