"""What kinds of tables and kinds of figures share: found by their names, with one sentence where one shows nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from mvarena.errors import MvarenaError, unknown_name


@dataclass(frozen=True, kw_only=True)
class Kind:
    """name, and in words what it shows. needs : what must be stored for it, as the sentence says that refuses it."""

    name: str
    summary: str
    needs: str


OneKind = TypeVar("OneKind", bound=Kind)


def kinds_named(what: str, known: Iterable[OneKind], names: Sequence[str]) -> list[OneKind]:
    """Those of `known` that have these names, in order, each once. what : 'table', 'figure'.

    Raises UnknownName for any other.
    """
    by_name = {kind.name: kind for kind in known}
    for name in names:
        if name not in by_name:
            raise unknown_name(f"kind of {what}", name, by_name, f"There are {', '.join(by_name)}.")
    return [by_name[name] for name in dict.fromkeys(names)]


def nothing_to_show(what: str, kind: Kind) -> MvarenaError:
    """The error for a kind of table or figure that was asked for and has nothing to show."""
    return MvarenaError(
        f"there is nothing to show in the {what} '{kind.name}': it needs {kind.needs}.", field=what, value=kind.name
    )
