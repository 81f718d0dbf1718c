"""Every command line in the documents is one: its options exist, its names are known, its parameters can be read."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from mvarena.cli.main import cli
from mvarena.cli.study_options import blocks_from
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.local import is_local
from mvarena.study.components import contestants_of
from mvarena.study.conditions import Conditions
from mvarena.study.preparation import Preparations
from mvarena.study.protocols import protocol_named
from mvarena.study.shipped import shipped_studies

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("reports/*/README.md"))]

_ASSIGNMENT = re.compile(r'^(\w+)=("[^"]*"|\S*)\s*(#.*)?$', re.MULTILINE | re.DOTALL)
_LOOP = re.compile(r"for (\w+) in ([^;]*); do\s(.*?);? done", re.DOTALL)
_ENVIRONMENT = re.compile(r"^(\w+=\S* )+")


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
    """The words of each command that is ours, or a Python script's, with variables in place."""
    variables: dict[str, str] = {}
    for line in shell_of(text).splitlines():
        expanded = _expanded(line, variables)
        if assigned := _ASSIGNMENT.match(expanded):
            variables[assigned[1]] = assigned[2].strip('"')
        elif re.match(r"(mvarena|python) ", command := _ENVIRONMENT.sub("", expanded, count=1)):
            yield shlex.split(command, comments=True)


COMMANDS = [
    pytest.param(words, id=f"{document.parent.name}: {' '.join(words)}"[:120])
    for document in DOCUMENTS
    for words in commands_of(document.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("words", [one for one in COMMANDS if one.values[0][0] == "mvarena"])
def test_a_command_of_the_documents_can_be_read(words):
    command, name, rest = cli, *words[:1], words[1:]
    while isinstance(command, click.Group):
        name, *rest = rest
        found = command.get_command(click.Context(command), name)
        assert found is not None, f"there is no command {name}"
        command = found
    with command.make_context(name, rest) as context:
        if name in ("run", "plan") and not context.params.get("schema"):
            check_study(context.params)


def check_study(options: dict[str, Any]) -> None:
    """Raises what `mvarena run` would say about names and parameters before it plans."""
    catalog = installed_catalog()
    # a file of the reader's own is an example
    named = tuple(name for name in options["algorithms"] if not is_local(name))
    study = options.get("study")
    if study is not None and study not in shipped_studies():
        return
    options = options | {"algorithms": named or (("concat",) if study is None else ())}
    for block in blocks_from(options)[0]:
        Preparations(block.study, contestants_of(block.study, catalog), protocol_named(block.study.protocol), catalog)
        Conditions(block.study, catalog)


@pytest.mark.parametrize("words", [one for one in COMMANDS if one.values[0][:2] != ["python", "-m"]])
def test_a_script_of_the_documents_is_there(words):
    assert words[0] == "mvarena" or (ROOT / words[1]).is_file()


@pytest.mark.parametrize("words", [one for one in COMMANDS if one.values[0][:3] == ["python", "-m", "benchmarks"]])
def test_a_benchmark_of_the_documents_is_declared(words):
    listed = subprocess.run(
        [sys.executable, *words[1:], "--list"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert listed.returncode == 0, listed.stderr


def test_what_documents_write_is_understood():
    text = """
    A="concat apmc"
    R="mvarena run --algo $A"   # two of them
    for P in none minmax; do
      $R --prepare $P --data "digits[fou,fac]" \\
        --repeats 1; done
    OMP_NUM_THREADS=1 python -m benchmarks store
    unrelated(text)
"""
    ours = ["mvarena", "run", "--algo", "concat", "apmc", "--prepare", "none", "--data", "digits[fou,fac]", "--repeats"]
    assert list(commands_of(text)) == [
        [*ours, "1"],
        [*ours[:6], "minmax", *ours[7:], "1"],
        ["python", "-m", "benchmarks", "store"],
    ]
