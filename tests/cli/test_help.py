"""The help: commands by what they are for, options by what they say, short texts that fit."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
from click.testing import CliRunner

from mvarena.cli.main import cli
from mvarena.cli.options import SectionOption
from mvarena.cli.output import wrapped
from mvarena.cli.run import run
from mvarena.study.keys import STUDY_KEYS

WIDTH = 80


def shown(*words: str) -> str:
    return CliRunner().invoke(cli, [*words, "--help"], terminal_width=WIDTH).output


def headings(text: str) -> list[str]:
    return [line.removesuffix(":") for line in text.splitlines() if line[:1].isupper() and line.endswith(":")]


def test_commands_stand_under_headings_each_on_one_line() -> None:
    text = shown()
    assert headings(text) == ["Options", "Run", "Look at results", "Manage results and data", "Learn and extend"]
    lines = {line.split()[0]: line for line in text.splitlines() if line.startswith("  ") and line.split()}
    for name in cli.list_commands(click.Context(cli)):
        assert name in lines, f"{name} is missing"
    assert "..." not in text.partition("Run:")[2]


def test_a_command_of_a_plugin_has_its_own_heading() -> None:
    cli.add_command(click.Command("greet", help="Greet somebody."))
    try:
        assert "Commands of plugins:\n  greet  Greet somebody" in shown()
    finally:
        cli.commands.pop("greet")


def test_options_of_a_study_stand_under_headings() -> None:
    assert headings(shown("run")) == [
        "Methods", "Data", "Conditions", "Protocol", "Limits and workers", "Results", "Options",
    ]  # fmt: skip
    sections = {param.name: param.section for param in run.params if isinstance(param, SectionOption)}
    of_files_alone = {"skip_after_limit"}
    assert set(sections) == {key.field for key in STUDY_KEYS} - of_files_alone | {"shard", "rerun"}


def test_the_help_of_run_fits_a_screen_and_help_all_has_every_option() -> None:
    text = shown("run")
    assert len(text.splitlines()) <= 60
    brief = {line.split()[0] for line in text.splitlines() if line.startswith("  -")}
    assert len(brief) <= 30
    full = CliRunner().invoke(cli, ["run", "--help-all"], terminal_width=WIDTH).output
    assert {f"--{key.name}" for key in STUDY_KEYS if key.kind != "switch"} <= set(re.findall(r"--[a-z-]+", full))
    assert "--scheduler" not in text


def test_a_value_given_twice_is_an_error() -> None:
    for words in (["run", "--db", "a.db", "--db=b.db"], ["results", "list", "--by", "algo", "--by", "data"]):
        found = CliRunner().invoke(cli, words)
        assert found.exit_code == 2
        assert f"Option '{words[-2] if '=' not in words[-1] else '--db'}' takes one value" in found.output


def test_prose_breaks_between_words_at_the_width_of_a_terminal() -> None:
    text = "  algorithms and-data: " + "word " * 30 + "x" * 50
    lines = wrapped(text, 40).splitlines()
    assert all(len(line) <= 40 or line.strip() == "x" * 50 for line in lines)
    assert all(line.startswith("  ") for line in lines)
    assert " ".join(text.split()) == " ".join(" ".join(lines).split())
    assert wrapped("short\nlines", 40) == "short\nlines"


def test_sentences_of_a_help_fit_a_terminal() -> None:
    for words, command in [(("mvarena",), cli), *commands_below(cli, ("mvarena",))]:
        context = click.Context(command, info_name=" ".join(words), terminal_width=WIDTH, max_content_width=WIDTH)
        shown = command.get_help(context)
        assert "..." not in shown.partition("Commands:")[2], "the first sentence of each command is whole"
        for line in shown.splitlines():
            assert len(line) <= WIDTH or line.strip().startswith(("mvarena ", "--")), f"{words}: {line}"


def commands_below(group: click.Group, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        yield (*above, name), command
        if isinstance(command, click.Group):
            yield from commands_below(command, (*above, name))
