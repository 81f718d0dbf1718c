"""Generated pages in Markdown: tables, parts between markers, and the check that files are what their sources give.

    <!-- mvarena:table apmc-table-1 -->
    ... generated ...
    <!-- end -->

A part of a kind in BLOCKS is a paragraph of its own; any other stands within a sentence:
`<!-- mvarena:value apmc-choices / ROW / COLUMN / acc -->86.1<!-- end -->`. The prose around the parts stays.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

from mvarena.errors import InvalidData

BLOCKS = ("table", "figure")
_PART = re.compile(r"<!-- mvarena:(?P<kind>[a-z]+) (?P<what>[^\n]*?) -->(?P<old>.*?)<!-- end -->", re.DOTALL)
_OPEN = re.compile(r"<!-- mvarena:[^\n]*?-->")
_ALIGNED = {"l": "---", "r": "--:"}


def markdown_rows(heads: Sequence[object], rows: Iterable[Sequence[object]], align: str = "") -> str:
    """A Markdown table; bars within cells are escaped, ends of lines become blanks, other markup stays.

    align : 'l' or 'r' for each column; left for those that it does not reach.
    """
    rules = [_ALIGNED[letter] for letter in align.ljust(len(heads), "l")]
    return "\n".join([_line(heads).replace("|  |", "| |"), f"|{'|'.join(rules)}|", *map(_line, rows)])


_BAR = re.compile(r"(?<!\\)\|")


def _line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(value: object) -> str:
    return " ".join(_BAR.sub(r"\\|", str(value)).split())


def csv_text(rows: Iterable[Mapping[str, object]]) -> str:
    """The rows as a .csv file with the names of the first row as heads; '' without rows."""
    values = list(rows)
    text = io.StringIO()
    if values:
        writer = csv.DictWriter(text, list(values[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(values)
    return text.getvalue()


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
        body = f"\n\n{text.strip()}\n\n" if kind in BLOCKS else text
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


def differing(files: Mapping[Path, str]) -> list[Path]:
    """The files that do not hold the text that they are to hold."""
    return [path for path, text in files.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]


def write_changed(files: Mapping[Path, str]) -> list[Path]:
    """Write the files that differ, and return their paths."""
    changed = differing(files)
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], encoding="utf-8", newline="\n")
    return changed
