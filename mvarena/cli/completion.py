"""Completion of names in bash, zsh and fish: click's, with the names that the catalog knows."""

from __future__ import annotations

from typing import Any

import click

from mvarena.cli.names import COMPLETE_VARIABLE
from mvarena.cli.options import ManyValues

SHELLS = ("bash", "zsh", "fish")
_EXAMPLES = """\b
Examples:
  mvarena completion bash > ~/.local/share/bash-completion/completions/mvarena
  mvarena completion zsh > ~/.zfunc/_mvarena
  mvarena completion fish > ~/.config/fish/completions/mvarena.fish
  eval "$(mvarena completion bash)"
"""


@click.command(epilog=_EXAMPLES)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that lets SHELL complete commands, options and names."""
    from click.shell_completion import get_completion_class

    result = get_completion_class(shell)
    assert result is not None
    script = result(context.find_root().command, {}, "mvarena", COMPLETE_VARIABLE)
    # bash asks click for its version by running it, which is of no use where the script is only printed
    click.echo(script.source_template % script.source_vars())


def complete_many() -> None:
    """Make the shells' completion know options that take several words: the second one, too, is completed."""
    from click.shell_completion import BashComplete, FishComplete, ZshComplete, add_completion_class

    for kind in (BashComplete, FishComplete, ZshComplete):
        add_completion_class(_with_many(kind))


def _with_many(kind: Any) -> Any:
    class Complete(kind):  # type: ignore[misc]
        def get_completions(self, args: list[str], incomplete: str) -> list[Any]:
            return list(super().get_completions(_repeated(self.cli, args), incomplete))

    return Complete


def _repeated(cli: click.Command, args: list[str]) -> list[str]:
    """`args` with the open option named once more, where it takes several words and has one already."""
    context = click.Context(cli)
    command: click.Command | None = cli
    for word in args:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(context, word)
    words = [index for index, word in enumerate(args) if word.startswith("-")]
    if not isinstance(command, ManyValues) or not words or words[-1] == len(args) - 1:
        return args
    last = args[words[-1]]
    return [*args, last] if last in command.many else args
