"""Reference pages of commands, protocols, study files, hooks and the database."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from typing import Any

import click

from generation.components import OWN
from generation.markdown import code, named, table
from mvarena.cli.main import cli
from mvarena.registry import hookspecs
from mvarena.store.results_view import COLUMNS, DECODING
from mvarena.study.file import shipped_studies
from mvarena.study.keys import STUDY_KEYS
from mvarena.study.protocols import PROTOCOLS


def protocols_page() -> str:
    rows = []
    for name, protocol in PROTOCOLS.items():
        said = protocol.as_dict()
        rows.append((named(name), said["summary"], said["restarts"], said["pick"], said["repeats"], said["prepare"]))
    parts = [
        "# Protocols and studies",
        "A protocol says how a representation becomes a score: how often k-means starts, which start counts, how "
        "often all is repeated, and what is prepared how. `fair` is the default; the others are those of papers.",
        table(("protocol", "in words", "k-means starts", "counts", "repeats", "preparation"), rows),
        "Studies that come with mvarena, to run by name (`mvarena run quick`) or to copy:",
        table(("study", "file"), [(named(name), f"`mvarena show {name} --kind study`") for name in shipped_studies()]),
    ]
    return "\n\n".join(parts) + "\n"


def command_line_page() -> str:
    parts = [
        "# Command line",
        "The help of every command, as `--help` prints it.",
        code(_help(cli, "mvarena")),
    ]
    for words, command in commands(cli, ("mvarena",)):
        parts += [f"{'#' * len(words)} {' '.join(words)}", code(_help(command, " ".join(words)))]
    return "\n\n".join(parts) + "\n"


def commands(group: click.Group, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Words -> each command below a group, groups before what is in them; those of plugins left out."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or not getattr(command.callback, "__module__", "").startswith(f"{OWN}."):
            continue
        yield (*above, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*above, name))


def _help(command: click.Command, name: str) -> str:
    return command.get_help(click.Context(command, info_name=name, terminal_width=88, max_content_width=88))


def study_file_page() -> str:
    rows = [
        (named(key.name), key.kind, "–" if key.default is None else json.dumps(key.default),
         "each run" if key.per_run else "the whole file", key.meaning)
        for key in STUDY_KEYS
    ]  # fmt: skip
    example = "\n".join([
        'algo = ["apmc", "concat"]',
        "repeats = 3",
        "",
        "[[run]]",
        'data = ["digits[fou,fac]"]',
        "rates = [0.1, 0.5]",
        "",
        "[[run]]",
        'data = ["bbcsport"]',
        'scale = ["auto", "unit-rows"]',
    ])  # fmt: skip
    parts = [
        "# Study files",
        "A study is a TOML file. Its keys are the options of `mvarena run` without their hyphens; `[[run]]` blocks "
        "share what stands above them, and an option that is typed goes before the file.",
        code(example, "toml"),
        "    mvarena run --algo apmc concat --data digits --save study.toml --dry-run\n"
        "    mvarena run study.toml --dry-run",
        table(("key", "value", "default", "of", "meaning"), rows),
    ]
    return "\n\n".join(parts) + "\n"


def hooks_page() -> str:
    parts = [
        "# Hooks",
        "A plugin is a distribution with an entry point in the group `mvarena`; the module that it names has some "
        "of these functions, each marked with `@mvarena.hookimpl`. Hooks that return specs are called once, when "
        "mvarena starts; what the specs name is imported when it is used.",
    ]
    for name, function in hooks():
        signature = re.sub(r"'|mvarena\.\w+(\.\w+)*\.", "", str(inspect.signature(function)))
        parts += [f"## {name}", code(f"{name}{signature}", "python"), inspect.getdoc(function) or ""]
    return "\n\n".join(parts) + "\n"


def hooks() -> list[tuple[str, Any]]:
    """Names and declarations of the hooks, in the order of their file."""
    return [(name, one) for name, one in vars(hookspecs).items() if name.startswith("mvarena_") and callable(one)]


def database_page() -> str:
    parts = [
        "# Database",
        "Results are stored in SQLite, or in PostgreSQL where `--db` is a URL. The view `results` has one row per "
        "trial and metric, for programs that know SQL: the value that the protocol counts. It stays as it is within a "
        "minor release; the "
        "tables below it may change, and an older database is upgraded when a run writes into it.",
        "    sqlite3 results.db \"SELECT algorithm, avg(value) FROM results WHERE metric = 'acc' GROUP BY 1\"",
        table(("column", "meaning"), [(named(name), meaning) for name, (meaning, _) in COLUMNS.items()]),
        "Labels are packed. To read them:",
        code(DECODING, "python"),
    ]
    return "\n\n".join(parts) + "\n"
