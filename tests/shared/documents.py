"""The commands and the Python blocks of the documents and of the command line's own help."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# written by hand; what docs/generate.py writes is made of the components
_FOLDERS = ("", "tutorials", "howto", "explanation")
WRITTEN = [path for folder in _FOLDERS for path in sorted((DOCS / folder).glob("*.md"))]
WRITTEN += [
    DOCS / "reference" / name
    for name in ("index.md", "python.md", "contracts.md", "testing.md", "errors.md", "policy.md")
]
_WITH_STORED_TRIALS = ("gallery.md", "many-machines.md")  # about one database, about a cluster
# what the change log names may be gone
_AT_THE_TOP = sorted(path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md")
GUIDES = [*_AT_THE_TOP, *(path for path in WRITTEN if path.name not in _WITH_STORED_TRIALS)]
PAGES = sorted(ROOT.glob("reports/*/README.md"))

_ASSIGNMENT = re.compile(r'^(\w+)=("[^"]*"|\S*)\s*(#.*)?$', re.MULTILINE | re.DOTALL)
_LOOP = re.compile(r"for (\w+) in ([^;]*); do\s(.*?);? done", re.DOTALL)
_ENVIRONMENT = re.compile(r"^(\w+=\S* )+")
_FENCED = re.compile(r"^```(\w*|\{command\})\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SHOWN = re.compile(r"^```\{command\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(mvarena [^`]+)`")


def shell_of(text: str) -> str:
    """The indented lines of a document, with continued lines joined and loops unrolled."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    joined = "\n".join(lines).replace("\\\n", "")
    return _LOOP.sub(lambda loop: _unrolled(*loop.groups()), joined)


def _unrolled(name: str, values: str, body: str) -> str:
    return "\n".join(_expanded(body, {name: value}) for value in values.split())


def _expanded(line: str, variables: dict[str, str]) -> str:
    return re.sub(r"\$(\w+)", lambda found: variables.get(found[1], found[0]), line)


def commands_of(text: str) -> Iterator[list[str]]:
    """The words of each command in a block that is ours, or a Python script's, with variables in place."""
    variables: dict[str, str] = {}
    for line in shell_of(_FENCED.sub("", text)).splitlines():
        expanded = _expanded(line, variables)
        if assigned := _ASSIGNMENT.match(expanded):
            variables[assigned[1]] = assigned[2].strip('"')
        elif re.match(r"(mvarena|python) ", command := _ENVIRONMENT.sub("", expanded, count=1)):
            yield shlex.split(command, comments=True)


def shown_commands_of(text: str) -> Iterator[list[str]]:
    """The words of each command whose output a guide shows (`docs/outputs.py`); the documents' build runs them."""
    for block in _SHOWN.findall(text):
        lines = [line for line in block.replace("\\\n", " ").splitlines() if line.startswith("mvarena ")]
        yield from map(shlex.split, lines)


def inline_commands_of(text: str) -> Iterator[list[str]]:
    """The words of each command within a sentence, between backticks."""
    for command in _INLINE.findall(_FENCED.sub("", text)):
        yield shlex.split(command)


def python_blocks_of(text: str) -> list[str]:
    """What stands between ```python and ```."""
    return [block for language, block in _FENCED.findall(text) if language == "python"]


def sessions_of(text: str) -> str:
    """What stands between ```pycon and ```: one session of the interpreter, with its output."""
    return "\n".join(block for language, block in _FENCED.findall(text) if language == "pycon")


def help_examples(group: click.Group) -> Iterator[list[str]]:
    """The words of each example in the help of a command and of all below it."""
    yield from _examples_in(group)
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from help_examples(command)
        elif command is not None:
            yield from _examples_in(command)


def _examples_in(command: click.Command) -> Iterator[list[str]]:
    for text in (command.help or "", command.epilog or ""):
        _, said, examples = text.partition("Example")
        if said:
            for line in re.split(r"[\n;]", examples.partition(":")[2]):
                if line.strip().startswith("mvarena "):
                    yield shlex.split(line, comments=True)
