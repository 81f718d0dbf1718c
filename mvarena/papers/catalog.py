"""The transcribed papers, and what of them a name means."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from pydantic import ValidationError

from mvarena.errors import InvalidData, unknown_name
from mvarena.papers.model import AnyItem, Paper


@cache
def papers() -> dict[str, Paper]:
    """Every transcribed paper by its name. Raises InvalidData for a file that is none."""
    result = {}
    for file in sorted(files("mvarena.papers").iterdir(), key=lambda one: one.name):
        if file.name.endswith(".toml"):
            name = file.name.removesuffix(".toml")
            result[name] = read_paper(file.read_text(encoding="utf-8"), name)
    return result


def read_paper(text: str, name: str) -> Paper:
    """A paper from TOML. Raises InvalidData, which names the place, for what is no paper."""
    try:
        return Paper.model_validate({"name": name, **tomllib.loads(text)})
    except tomllib.TOMLDecodeError as error:
        raise InvalidData(f"{name}.toml is not TOML: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        position = ".".join(str(part) for part in first["loc"])
        raise InvalidData(f"{name}.toml, {position}: {first['msg']}.") from error


def asked(names: Iterable[str]) -> Iterator[tuple[Paper, tuple[AnyItem, ...]]]:
    """The papers and their items that `names` mean, in the shelf's order: a paper's name means all of it, no name all.

    Raises UnknownName for a name that is none.
    """
    names = tuple(names)
    known = [name for paper in papers().values() for name in (paper.name, *paper.items)]
    for name in names:
        if name not in known:
            raise unknown_name("table or figure", name, known, "See 'mvarena reproduce --list'.")
    for paper in papers().values():
        full = not names or paper.name in names
        items = tuple(item for name, item in paper.items.items() if full or name in names)
        if items:
            yield paper, items
