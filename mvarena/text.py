"""Text for readers: plurals, lists of words, paths without folders, and names that others chose made visible.

A name (of a file, variable, class or plugin) may hold what a terminal obeys, what turns the text around it from right
to left, what nobody sees, and, if it is that of a file, bytes that are no text. None of these reaches a reader;
different names stay different.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from html import escape

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LINE = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")

# in a sentence: at least two folders, so that 'and/or' and '1/2' stay
_PATH = re.compile(r"(?<![\w.~-])(?:~|[A-Za-z]:|\.{1,2})?(?:[/\\][^\s/\\'\",;:()\[\]]+)+[/\\](?=[^\s/\\])")


def plural(count: int, noun: str, several: str = "") -> str:
    """'1 trial', '3 trials'; '3 corpora' where `several` says so."""
    return f"{count} {noun if count == 1 else several or f'{noun}s'}"


def listed(items: Iterable[str], *, last: str = "and", most: int | None = None) -> str:
    """'a', 'a and b', 'a, b and c'. most : of more words than that and one, the first, and how many more there are."""
    words = list(items)
    if most is not None and len(words) > most + 1:
        words = [*words[:most], f"{len(words) - most} more"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


def without_folders(text: str) -> str:
    """A sentence with '.../' in place of the folders of each path in it."""
    return _PATH.sub(".../", text)


def visible(text: str) -> str:
    """`text` on one line, invisible characters as escapes: '\\x1b', '\\u202e', '\\xff' for a stray byte.

    Blanks of every kind and ends of lines become plain blanks. Letters of every script stay.
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def visible_lines(text: str) -> str:
    """Visible form of text of several lines, which stay lines."""
    return "\n".join(map(visible, _LINE.split(text.expandtabs(4))))


def shortened(text: str, most: int) -> str:
    """`text` in at most `most` characters: its beginning and its end, which is where names differ, around '…'."""
    if len(text) <= most:
        return text
    end = (most - 1) // 2
    return f"{text[: most - 1 - end]}…{text[len(text) - end :]}"


def told_error(error: BaseException) -> str:
    """'ValueError: too large', at most 2000 characters; the texts of anybody's errors are code, which may fail.

    Ctrl-C meanwhile is raised.
    """
    try:
        return f"{type(error).__name__}: {error}"[:2000]
    except (Exception, SystemExit):
        return "an error that cannot say what it is"


def csv_cell(text: str) -> str:
    """`text` as a cell that a spreadsheet takes for text: what it would run as a formula gets an apostrophe in front.

    Numbers stay as they are: '-1.5' is no formula.
    """
    return f"'{text}" if text.startswith(_FORMULA) and not _is_number(text) else text


def _shown(letter: str) -> str:
    if letter.isprintable():
        return letter
    if letter.isspace() or unicodedata.category(letter).startswith("Z"):
        return " "
    code = ord(letter)
    if 0xDC80 <= code <= 0xDCFF:  # how Python carries a byte that is no text
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text == text.strip()


# Passwords in the addresses of databases: no message, log or file is to hold one, however wrong the address is. A
# password may hold what should have been encoded, '/' and '@' too: it ends at the last '@'.

_PASSWORDS = (
    re.compile(r"^(\s*[A-Za-z][\w+.-]*:/+[^:@/\s]*):.*(?=@[^@\s]*\s*$)", re.DOTALL),  # the text is an address
    re.compile(r"\b([A-Za-z][\w+.-]*:/+[^:@/\s]*):[^\s'\"]*(?=@)"),  # an address in a text
    re.compile(r"^([\w.+-]+):[^/\s'\"]+(?=@)"),  # an address that lacks its scheme
    re.compile(r"()&(?:ssl)?pass(?:word|wd|phrase)?=[^&\s'\"]+", re.IGNORECASE),
    re.compile(r"()(?:ssl)?pass(?:word|wd|phrase)?\s*=\s*(?!\s)(?:'[^']*'|[^&\s;'\"]+)&?", re.IGNORECASE),
)


def without_passwords(text: str) -> str:
    """`text`, an address or any other, without the passwords of database addresses in it, well formed or not.

    An address is usable without: the driver asks `~/.pgpass` or PGPASSWORD for the password.
    """
    for pattern in _PASSWORDS:
        text = pattern.sub(r"\1", text)
    return text


def small_html_table(title: str, heads: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A table for a notebook; title and cells are text, never markup."""
    head = "".join(f"<th>{escape(str(item))}</th>" for item in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(item))}</td>' for item in row)}</tr>" for row in rows)
    return f"<p>{escape(title)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
