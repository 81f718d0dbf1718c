"""Passwords in the addresses of databases: no message, log or file is to hold one, however wrong the address is."""

from __future__ import annotations

import re

HIDDEN = "***"
# a password may hold what should have been encoded, '/' and '@' too: it ends at the last '@'
_IN_URL = re.compile(r"(?P<before>\b[A-Za-z][\w+.-]*:/+[^:@/\s]*:)[^\s'\"]*(?=@)")
_IN_ALL_OF_IT = re.compile(r"(?P<before>^\s*[A-Za-z][\w+.-]*:/+[^:@/\s]*:).*(?=@)", re.DOTALL)
_IN_ADDRESS = re.compile(r"(?P<before>^[\w.+-]+:)[^/\s'\"]+(?=@)")
_AS_KEY = re.compile(r"(?P<before>(?i:pass(?:word|wd|phrase)?)\s*=\s*)(?!\s)(?:'[^']*'|[^&\s;'\"]+)")


def shown_address(address: str) -> str:
    """A database's address, as somebody typed it, with '***' for its password; that may hold blanks and quotes, too."""
    return without_passwords(_IN_ALL_OF_IT.sub(rf"\g<before>{HIDDEN}", address))


def address_without_password(address: str) -> str:
    """The address as a file may keep it: the driver asks `~/.pgpass` or PGPASSWORD for what is left out."""
    for found in (_IN_ALL_OF_IT, _IN_ADDRESS):
        address = found.sub(lambda one: one["before"].removesuffix(":"), address)
    return re.sub(r"(?<=[?&])(?:ssl)?pass(?:word|wd|phrase)?=[^&]*&?", "", address).rstrip("?&")


def without_passwords(text: str) -> str:
    """`text` with '***' for each password of a database address in it, well formed or not."""
    for found in (_IN_URL, _IN_ADDRESS, _AS_KEY):
        text = found.sub(rf"\g<before>{HIDDEN}", text)
    return text
