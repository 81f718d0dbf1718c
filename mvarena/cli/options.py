"""Options that several commands share, and options that take any number of values: --algo apmc concat."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeVar

import click

from mvarena.cli.names import names_for

Function = TypeVar("Function", bound=Callable[..., Any])
DEFAULT_DATABASE = "results.db"


class ManyValues(click.Command):
    """A command whose options in `many` take every following word up to the next option.

    `--algo a b` reads as `--algo a --algo b`; a lone `--` or any word that begins with a hyphen ends the list.
    """

    def __init__(self, *args: Any, many: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.many = many

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:  # as for a shell that completes a line
            self._check_values(ctx, args)
        return super().parse_args(ctx, self._repeated(args))

    def _repeated(self, args: list[str]) -> list[str]:
        spread: list[str] = []
        current = None
        fresh = False
        for word in args:
            if word.startswith("-"):
                current = word if word in self.many else None
                fresh = current is not None
                spread.append(word)
            else:
                if current is not None and not fresh:
                    spread.append(current)
                fresh = False
                spread.append(word)
        return spread

    def _check_values(self, ctx: click.Context, args: list[str]) -> None:
        """Raise UsageError for an option without a value, which would take the next option for one."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        flags = {name for option in options for name in (*option.opts, *option.secondary_opts)}
        valued = {name for option in options if not option.is_flag and not option.count for name in option.opts}
        for word, following in pairwise([*args, None]):
            if word == "--":
                return
            if word in valued and (following is None or following in flags):
                raise click.UsageError(f"Option '{word}' needs a value.", ctx)


def database_option(help_text: str) -> Callable[[Function], Function]:
    """--db, a path or a database URL."""
    return click.option(
        "--db",
        "database",
        default=DEFAULT_DATABASE,
        show_default=True,
        metavar="PATH|URL",
        envvar="MVARENA_DB",
        help=help_text,
    )


def names_option(flag: str, variable: str, help_text: str, required: bool = False) -> Callable[[Function], Function]:
    """An option that takes one or more names, separated by spaces or repeated."""
    complete = names_for(flag.removeprefix("--"))
    return click.option(
        flag, variable, multiple=True, required=required, metavar="NAME...", help=help_text, shell_complete=complete
    )


def split_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names that may also be separated by commas, as in --algo apmc,concat."""
    return tuple(part.strip() for name in names for part in name.split(",") if part.strip())
