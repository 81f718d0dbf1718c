"""Every command line in the documents is one: its options exist, its names are known, its parameters can be read.

Those of the guides and of the help are run, too (`test_documents_run.py`); those of the pages under `reports/` took
hours, so that here they are read as far as a run would before it plans.
"""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import click
import pytest
from documents import (
    GUIDES,
    PAGES,
    ROOT,
    commands_of,
    help_examples,
    shown_commands_of,
)

from mvarena.cli.main import cli
from mvarena.cli.study_options import blocks_from
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.user_code import is_local
from mvarena.study.components import contestants_of
from mvarena.study.conditions import Conditions
from mvarena.study.file import shipped_studies
from mvarena.study.preparation import Preparations
from mvarena.study.protocols import protocol_named

COMMANDS = {
    " ".join(words): words
    for document in (*GUIDES, *PAGES)
    for read in (commands_of, shown_commands_of)
    for words in read(document.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("words", [words for words in COMMANDS.values() if words[0] == "mvarena"], ids=" ".join)
def test_a_command_of_the_documents_can_be_read(words):
    command, name, rest = cli, *words[:1], words[1:]
    while isinstance(command, click.Group):
        name, *rest = rest
        found = command.get_command(click.Context(command), name)
        assert found is not None, f"there is no command {name}"
        command = found
    with command.make_context(name, rest) as context:
        if words[1] == "run" and not context.params.get("schema"):
            check_study(context.params)


def check_study(options: dict[str, Any]) -> None:
    """Raises what `mvarena run` would say about names and parameters before it plans."""
    catalog = installed_catalog()
    # a file of the reader's own is an example
    named = tuple(name for name in options["algorithms"] if not is_local(name))
    study = options.get("study")
    if study is not None and study not in shipped_studies():
        return
    own = len(named) < len(options["algorithms"])  # parameters of a class in such a file are not known here
    parameters = () if own else options["params"]
    options = options | {"params": parameters, "algorithms": named or (("concat",) if study is None else ())}
    for block in blocks_from(options)[0]:
        Preparations(block.study, contestants_of(block.study, catalog), protocol_named(block.study.protocol), catalog)
        Conditions(block.study, catalog)


def test_a_script_of_the_documents_is_there():
    assert len(COMMANDS) > 50, "they are found"
    scripts = [words[1] for words in COMMANDS.values() if words[0] == "python" and words[1] != "-m"]
    assert scripts
    assert [name for name in scripts if not (ROOT / name).is_file()] == []


def test_a_benchmark_of_the_documents_is_declared():
    """Within sentences, too."""
    texts = [path.read_text(encoding="utf-8") for path in (*GUIDES, *PAGES)]
    commands = [found.split() for text in texts for found in re.findall(r"`(python -m benchmarks\s[^`]+)`", text)]
    assert commands
    for words in commands:
        listed = subprocess.run(
            [sys.executable, *words[1:], "--list"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert listed.returncode == 0, listed.stderr


def test_every_command_has_an_example_in_its_help():
    shown = {tuple(words[1:3]) for words in help_examples(cli)} | {tuple(words[1:2]) for words in help_examples(cli)}
    names = {(name,) for name in cli.list_commands(click.Context(cli))}
    assert names - shown == set()
