"""Options that several commands share, and options that take any number of values: --algo apmc concat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mvarena.cli.completion import names_for

if TYPE_CHECKING:
    from mvarena.store.filters import Filter
    from mvarena.store.runs import Asked


Function = TypeVar("Function", bound=Callable[..., Any])
DEFAULT_DATABASE = "results.db"


_ALL = "mvarena.help-all"  # set in a context whose help shows every option


class SectionOption(click.Option):
    """An option that the help of a `ManyValues` shows under a heading of its own.

    section : the heading. brief : the line of `--help`; None: only `--help-all` shows the option.
    """

    def __init__(self, *args: Any, section: str, brief: str | None = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section
        self.brief = brief


class ManyValues(click.Command):
    """A command whose options in `many` take every following word up to the next option.

    `--algo a b` reads as `--algo a --algo b`; a lone `--` or any word that begins with a hyphen ends the list. Its help
    shows options by section, in the order of their first ones. Where some options are rare (`SectionOption`), `--help`
    shows the others, each on its brief line, and `--help-all` all of them in full.
    """

    def __init__(self, *args: Any, many: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.many = many
        if any(isinstance(param, SectionOption) and param.brief is None for param in self.params):
            self.params.append(_help_all())

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            brief = getattr(param, "brief", "") if not ctx.meta.get(_ALL) else ""
            if brief is None or not isinstance(param, click.Option) or not (record := param.get_help_record(ctx)):
                continue
            sections.setdefault(getattr(param, "section", "Options"), []).append((record[0], brief or record[1]))
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)

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


def _help_all() -> click.Option:
    def shown(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            ctx.meta[_ALL] = True
            click.echo(ctx.get_help())
            ctx.exit()

    settings: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False, "callback": shown}
    return click.Option(["--help-all"], help="Show every option in full.", **settings)


def check_given_once(command: click.Command, ctx: click.Context, words: Sequence[str]) -> None:
    """Raise UsageError where an option of `command` that takes one value is given twice among `words`."""
    single = {
        name: option
        for option in command.get_params(ctx)
        if isinstance(option, click.Option) and not (option.is_flag or option.multiple or option.count)
        for name in option.opts
    }
    given: set[click.Option] = set()
    rest = iter(words)
    for word in rest:
        if word == "--":
            return
        name, equals, _ = word.partition("=")
        option = single.get(name)
        if option in given:
            raise click.UsageError(f"Option '{name}' takes one value, and is given twice.", ctx)
        if option is not None:
            given.add(option)
            if not equals:
                next(rest, None)  # its value


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
    """An option that takes one or more names, separated by spaces or commas, or repeated."""
    return click.option(
        flag,
        variable,
        multiple=True,
        required=required,
        metavar="NAME...",
        help=help_text,
        shell_complete=names_for(flag.removeprefix("--")),
        callback=lambda _context, _option, names: split_names(names),
    )


def split_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names that may also be separated by commas, as in --algo apmc,concat."""
    return tuple(part.strip() for name in names for part in name.split(",") if part.strip())


# The options that say which stored trials are meant, the same for every command that reads a results database.

# field of `Filter` -> its flag, what follows it, the help
_FILTERS = {
    "algorithms": ("--algo", "NAME...", "Only these algorithms; * matches any text, ? any character."),
    "families": ("--family", "NAME...", "Only algorithms of these families, such as graph or kernel."),
    "datasets": ("--data", "NAME...", 'Only these data sets, such as "webkb-*".'),
    "params": ("--param", "NAME.PARAMETER=VALUE...", "Only trials with these parameters, such as mic.beta=0.1."),
    "stored_rates": ("--rate", "RATE...", "Only at these rates: 0.3, or 0.1:0.5 for all from 0.1 to 0.5."),
    "corruptions": ("--corrupt", "NAME...", "Only under these corruptions."),
    "scalings": ("--scale", "NAME...", "Only with these scalings: auto, none, or transforms such as tfidf,unit-rows."),
    "fillings": ("--fill", "NAME...", "Only with these fillings of missing samples: knn, mean, zero, or none."),
    "preparations": (
        "--prepare",
        "STEPS...",
        "Only with these preparation steps, such as minmax,unit-rows, or none.",
    ),
    "protocols": ("--protocol", "NAME...", "Only of these protocols."),
    "statuses": ("--status", "NAME...", "Only trials with this status: done, failed, timeout, out-of-memory, ..."),
}
_COMMAS = ("algorithms", "families", "fillings", "protocols", "statuses")  # of which no name holds a comma
FILTER_FLAGS = {field: flag for field, (flag, _, _) in _FILTERS.items()}
SEVERAL_FILTERS = tuple(flag for flag, _, _ in _FILTERS.values())


def filter_options(command: Function) -> Function:
    """Add the options; a command takes them as `**options` and makes the filter of them by `filter_from`."""
    return some_filters(*_FILTERS)(command)


def some_filters(*names: str) -> Callable[[Function], Function]:
    """The options of these fields of a `Filter` alone."""

    def added(command: Function) -> Function:
        for field in reversed(names):
            flag, metavar, text = _FILTERS[field]
            settings: dict[str, Any] = {"cls": SectionOption, "section": "Filters", "multiple": True}
            command = click.option(flag, f"only_{field}", metavar=metavar, help=text, **settings)(command)
        return command

    return added


def filter_from(options: dict[str, Any]) -> Filter:
    """The filter of the options that the command has."""
    from mvarena.store.filters import Filter

    given = [field for field in _FILTERS if f"only_{field}" in options]
    values = {field: options.pop(f"only_{field}") for field in given}
    return Filter(**values | {field: split_names(values[field]) for field in _COMMAS if field in values})


# Command line as typed, stored with the results of the run.


_TYPED = "mvarena.typed"  # the words behind 'mvarena', in the context that all commands of one call share


def note_typed(ctx: click.Context, words: list[str]) -> None:
    """Remember what was typed, for `as_typed`."""
    ctx.meta.setdefault(_TYPED, tuple(words))


def as_typed(study: str | None = None) -> Asked:
    """The command that is running, with the study (a path, or a shipped one's name) that it runs, as they are kept."""
    from mvarena.store.runs import Asked, kept_study, typed_command
    from mvarena.study.file import study_at

    text = "" if study is None else kept_study(study_at(study).document)
    return Asked(typed_command(click.get_current_context().meta[_TYPED]), text)
