"""`mvarena results`: what a results database holds, and what is to be done with it."""

from __future__ import annotations

from importlib import import_module

import click

_COMMANDS = {
    "list": "mvarena.cli.results.listing:list_results",
    "show": "mvarena.cli.results.show:show_trial",
    "runs": "mvarena.cli.results.runs:list_runs",
    "failures": "mvarena.cli.results.listing:failures",
    "delete": "mvarena.cli.results.edit:delete",
    "keep": "mvarena.cli.results.edit:keep",
    "merge": "mvarena.cli.results.edit:merge_results",
    "vacuum": "mvarena.cli.results.edit:vacuum_results",
    "check": "mvarena.cli.results.edit:check_results",
    "sql": "mvarena.cli.results.runs:sql",
}
_EXAMPLES = """\b
Examples:
  mvarena results list --db results.db
  mvarena results list --trials --algo apmc --data "digits*" --rate 0.3
  mvarena results show 158d1ed3
  mvarena results runs
  mvarena results failures --since 2d
  mvarena results delete --algo "mkkm-*" --status timeout
  mvarena results merge other.db --db results.db
"""


class _Commands(click.Group):
    """Imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module, _, attribute = _COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from mvarena.errors import unknown_name

            raise unknown_name("command of results", args[0], _COMMANDS, "See 'mvarena results --help'.")
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, epilog=_EXAMPLES)
def results() -> None:
    """List, show, delete, merge and check what a results database holds.

    Which trials are meant is said as for report, export, score and pick: --algo, --family, --data, --param, --rate,
    --corrupt, --scale, --protocol, --status, --since and --until, with * and ? in names.
    """
