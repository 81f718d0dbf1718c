"""Completion of names in bash, zsh and fish: click's, with the names that the catalog knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from mvarena.contracts.specs import Component
    from mvarena.registry.catalog import Catalog

COMPLETE_VARIABLE = "_MVARENA_COMPLETE"  # set by the scripts that shells source

Completer = Callable[[click.Context, click.Parameter, str], list[Any]]
Names = Callable[["Catalog", str], Iterable[str]]  # of the catalog, and what was typed so far


def names_for(key: str) -> Completer | None:
    """Completer for the value of a key, an option or an argument; None where there is none."""
    value = _NAMES.get(key)
    if value is None and key not in _TAKE_FILES:
        return None

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        from mvarena.registry.catalog import installed_catalog

        del ctx, param
        files = [CompletionItem(incomplete, type="file")] if key in _TAKE_FILES else []
        names = value(installed_catalog(), incomplete) if value else ()
        return files + [CompletionItem(name) for name in names if name.startswith(incomplete)]

    return complete


def _component(kind: Component, *others: str) -> Names:
    return lambda catalog, _: [*others, *catalog.names(kind)]


def _algorithms(catalog: Catalog, incomplete: str) -> list[str]:
    from mvarena.study.families import families

    patterns = sorted({f"{family}:*" for family in families(catalog).values()}) if ":" not in incomplete else []
    return ["all", *catalog.names("algorithm"), *patterns]


def _parameters(catalog: Catalog, incomplete: str) -> list[str]:
    """'apmc.' and so on; behind the dot the parameters of that component."""
    from mvarena.contracts.parameters import parameters_of

    component = incomplete.rpartition(".")[0]
    kinds: tuple[Component, ...] = ("algorithm", "corruption", "transform")
    if not component:
        return [f"{name}." for kind in kinds for name in catalog.names(kind)]
    specs = [spec for kind in kinds for spec in catalog.specs(kind) if spec.name == component]
    return [f"{component}.{name}=" for spec in specs for name in parameters_of(catalog.load(spec))]


def _fillings(catalog: Catalog, _: str) -> list[str]:
    return [name.removeprefix("fill-") for name in catalog.names("transform") if name.startswith("fill-")]


def _protocols(_catalog: Catalog, _: str) -> list[str]:
    from mvarena.study.protocols import PROTOCOLS

    return sorted(PROTOCOLS)


def _studies(_catalog: Catalog, _: str) -> list[str]:
    from mvarena.study.file import shipped_studies

    return list(shipped_studies())


def _anything(catalog: Catalog, incomplete: str) -> list[str]:
    """Names that `mvarena show` accepts."""
    from mvarena.registry.catalog import COMPONENTS

    names = [name for kind in COMPONENTS for name in catalog.names(kind)]
    return sorted({*names, *_protocols(catalog, incomplete), *_studies(catalog, incomplete)})


_NAMES: dict[str, Names] = {
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
