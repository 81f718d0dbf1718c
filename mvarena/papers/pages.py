"""Pages with generated parts: what stands between two markers is made from the results, the prose around it stays.

    <!-- mvarena:table apmc-table-1 -->
    ... generated ...
    <!-- end -->

`table` and `figure` hold a whole part; `value` one number within a sentence:
<!-- mvarena:value apmc-choices / ROW / COLUMN / acc -->86.1<!-- end -->.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from mvarena.errors import InvalidData

_PART = re.compile(r"<!-- mvarena:(?P<kind>[a-z]+) (?P<what>[^\n]*?) -->(?P<old>.*?)<!-- end -->", re.DOTALL)
_OPEN = re.compile(r"<!-- mvarena:[^\n]*?-->")
_BLOCKS = ("table", "figure")


def filled(page: str, part: Callable[[str, str], str], only: Collection[str] | None = None) -> str:
    """`page` with every generated part made again by `part(kind, what)`.

    only : the items whose parts are; those of others stay as they are. None: all.

    Raises InvalidData for a marker that is not closed.
    """
    opened, closed = len(_OPEN.findall(page)), len(_PART.findall(page))
    if opened != closed:
        raise InvalidData(f"{opened - closed} of {opened} generated parts have no '<!-- end -->' of their own; add it.")

    def again(match: re.Match[str]) -> str:
        kind, what = match["kind"], match["what"].strip()
        if only is not None and item_of(what) not in only:
            return match[0]
        text = part(kind, what)
        body = f"\n\n{text.strip()}\n\n" if kind in _BLOCKS else text
        return f"<!-- mvarena:{kind} {match['what']} -->{body}<!-- end -->"

    return _PART.sub(again, page)


def item_of(what: str) -> str:
    """The item that a part is of: 'scaling / auto / all / nmi' -> 'scaling'."""
    return what.partition(" / ")[0].strip()


def marked(kind: str, what: str) -> str:
    """An empty part, to be filled."""
    return f"<!-- mvarena:{kind} {what} --><!-- end -->"


def parts_of(page: str) -> list[tuple[str, str]]:
    """(kind, what) of every part, in order."""
    return [(match["kind"], match["what"].strip()) for match in _PART.finditer(page)]
