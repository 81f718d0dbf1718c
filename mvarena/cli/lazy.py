"""Imports that are put off until they are used: of commands, and of modules in the command line's own process.

scikit-learn imports `scipy.stats`, which takes as long as all the rest of it together, and `scipy.special`; SciPy asks
NumPy for all that it has, down to its compiler of Fortran. None is used before something is computed.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Any

import click

from mvarena.cli.options import check_given_once
from mvarena.errors import unknown_name

_PUT_OFF = ("scipy.spatial", "scipy.special", "scipy.stats", "numpy.f2py", "numpy.testing")


class _Lazily(MetaPathFinder):
    """Finds what the usual finder finds, to be executed when an attribute of it is first asked for."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname in _PUT_OFF else None
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


def put_off_imports() -> None:
    """From here on; nothing that is imported already changes."""
    if not any(isinstance(item, _Lazily) for item in sys.meta_path):
        sys.meta_path.insert(0, _Lazily())


_LONGEST_SUMMARY = 200  # characters of a command's first sentence in the help of its group; the terminal wraps it


class SummaryGroup(click.Group):
    """A group whose help shows the first sentence of each command whole."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(self.summaries(ctx, self.list_commands(ctx)))

    def summaries(self, ctx: click.Context, names: Sequence[str]) -> list[tuple[str, str]]:
        """Names with the first sentences of their commands, hidden ones apart."""
        commands = [(name, self.get_command(ctx, name)) for name in names]
        return [
            (name, command.get_short_help_str(_LONGEST_SUMMARY).removesuffix("."))
            for name, command in commands
            if command is not None and not command.hidden
        ]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not isinstance(command, click.Group) and not ctx.resilient_parsing:
            check_given_once(command, ctx, rest)
        return name, command, rest


class LazyGroup(SummaryGroup):
    """A group of commands that are imported when they are asked for.

    targets : name -> "package.module:attribute", in the order of the help.
    """

    def __init__(self, *args: Any, targets: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.targets = targets

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.targets, *sorted(set(super().list_commands(ctx)) - set(self.targets))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.targets:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = self.targets[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            kind = f"command of {self.name}" if ctx.parent else "command"
            raise unknown_name(kind, args[0], self.list_commands(ctx), f"See '{ctx.command_path} --help'.")
        return super().resolve_command(ctx, args)
