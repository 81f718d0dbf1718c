"""Completion of names in bash, zsh and fish: click's, with the names that the catalog knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click

COMPLETE_VARIABLE = "_MVARENA_COMPLETE"  # set by the scripts that shells source

Completer = Callable[[click.Context, click.Parameter, str], list[Any]]


def names_for(key: str) -> Completer | None:
    """Completer for the value of a key, an option or an argument; None where there is none."""
    value = _NAMES.get(key)
    if value is None and key not in _TAKE_FILES:
        return None

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        del ctx, param
        files = [CompletionItem(incomplete, type="file")] if key in _TAKE_FILES else []
        names = value(incomplete) if value else ()
        return files + [CompletionItem(name) for name in names if name.startswith(incomplete)]

    return complete


def _component(kind: Any, *others: str) -> Callable[[str], Iterable[str]]:
    def names(incomplete: str) -> list[str]:
        from mvarena.registry.catalog import installed_catalog

        del incomplete
        return [*others, *installed_catalog().names(kind)]

    return names


def _algorithms(incomplete: str) -> list[str]:
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.families import family_of

    catalog = installed_catalog()
    names = catalog.names("algorithm")
    families = sorted({family_of(catalog.algorithm(name)) for name in names}) if ":" not in incomplete else []
    return ["all", *names, *(f"{family}:*" for family in families)]


def _parameters(incomplete: str) -> list[str]:
    """'apmc.' and so on; behind the dot the parameters of that component."""
    from mvarena.contracts.parameters import parameters_of
    from mvarena.registry.catalog import installed_catalog

    catalog, component = installed_catalog(), incomplete.rpartition(".")[0]
    kinds = ("algorithm", "corruption", "transform")
    if not component:
        return [f"{name}." for kind in kinds for name in catalog.names(kind)]  # type: ignore[arg-type]
    specs = [spec for kind in kinds for spec in catalog.specs(kind) if spec.name == component]  # type: ignore[arg-type]
    return [f"{component}.{name}=" for spec in specs for name in parameters_of(catalog.load(spec))]


def _fillings(incomplete: str) -> list[str]:
    from mvarena.registry.catalog import installed_catalog

    del incomplete
    names = installed_catalog().names("transform")
    return [name.removeprefix("fill-") for name in names if name.startswith("fill-")]


def _protocols(incomplete: str) -> list[str]:
    from mvarena.study.protocols import PROTOCOLS

    del incomplete
    return sorted(PROTOCOLS)


def _studies(incomplete: str) -> list[str]:
    from mvarena.study.file import shipped_studies

    del incomplete
    return list(shipped_studies())


def _anything(incomplete: str) -> list[str]:
    """Names that `mvarena show` accepts."""
    from mvarena.registry.catalog import COMPONENTS, installed_catalog

    names = [name for kind in COMPONENTS for name in installed_catalog().names(kind)]
    return sorted({*names, *_protocols(incomplete), *_studies(incomplete)})


_NAMES: dict[str, Callable[[str], Iterable[str]]] = {
    "algo": _algorithms,
    "data": _component("dataset", "ready"),
    "corrupt": _component("corruption", "none"),
    "scale": _component("transform", "auto", "none"),
    "prepare": _component("transform", "auto", "paper", "none"),
    "fill": _fillings,
    "param": _parameters,
    "protocol": _protocols,
    "pick": _component("picker"),
    "metric": _component("metric"),
    "study": _studies,
    "show": _anything,
}
_TAKE_FILES = ("algo", "data", "study", "labels", "outcomes", "db")


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
    if not words or words[-1] == len(args) - 1:
        return args
    last = args[words[-1]]
    return [*args, last] if last in getattr(command, "many", ()) else args
