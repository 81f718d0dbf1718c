"""Sentences on joining samples of several files by ids: their overlap, and spellings under which ids would match."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import combinations

from mvarena.errors import InvalidData
from mvarena.text import listed, plural

_MOST_PARTS = 6

# what differs -> the id without it
_SPELLINGS: dict[str, Callable[[str], str]] = {
    "upper and lower case": str.casefold,
    "'.', '_', '-' and blanks": lambda text: re.sub(r"[\s._-]+", "-", text),
    "leading zeros": lambda text: re.sub(r"(?<!\d)0+(?=\d)", "", text),
    "'.0' at the end": lambda text: re.sub(r"\.0+$", "", text),
    "what follows the patient in a TCGA barcode": lambda text: re.sub(
        r"(?i)^(TCGA[-.]\w\w[-.]\w{4})[-.].*", r"\1", text
    ),
}


def joined_ids(names: Sequence[str], ids: Sequence[Sequence[str]]) -> tuple[list[str], str]:
    """The ids of all files, in the order of their first appearance, and a sentence on how well they meet.

    names : of the files. Raises InvalidData for a file that shares no id with any other, with how they would meet.
    """
    for i, own in enumerate(ids):
        refuse_other_starts(names[0], ids[0], names[i], own)
        others = {identity for j, column in enumerate(ids) if j != i for identity in column}
        if len(ids) > 1 and others.isdisjoint(own):
            first, second = sorted((i, 0 if i else 1))
            raise InvalidData(no_common_ids(names[first], ids[first], names[second], ids[second]))
    order = list(dict.fromkeys(identity for column in ids for identity in column))
    if len(ids) == 1:
        return order, f"the ids name {plural(len(order), 'sample')}"
    sets = [set(column) for column in ids]
    patterns = Counter(tuple(identity in own for own in sets) for identity in order)
    parts = [f"{count} {_where(pattern, names)}" for pattern, count in sorted(patterns.items(), reverse=True)]
    rest = len(parts) - _MOST_PARTS
    shown = [*parts[:_MOST_PARTS], *([f"and {rest} other combinations"] if rest > 0 else [])]
    text = f"{plural(len(order), 'sample')}: {', '.join(shown)}"
    hints = [spelling_hint(names[i], ids[i], names[j], ids[j]) for i, j in combinations(range(len(ids)), 2)]
    return order, "; ".join([text, *filter(None, hints)])


def counts(column: Sequence[str], starts: Sequence[int] = (0, 1)) -> bool:
    """True for whole numbers that count the rows, from one of `starts`."""
    return any(list(column) == [str(start + i) for i in range(len(column))] for start in starts)


def refuse_other_starts(name: str, ids: Sequence[str], other: str, other_ids: Sequence[str]) -> None:
    """Raise InvalidData where both files number their rows, one from 0 and the other from 1."""
    if ids and other_ids and counts(ids) and counts(other_ids) and ids[0] != other_ids[0]:
        raise InvalidData(
            f"{name} numbers its rows from {ids[0]}, and {other} from {other_ids[0]}; leave both numbers out if "
            "their rows are in one order (--drop does so for views), or give ids."
        )


def _where(pattern: tuple[bool, ...], names: Sequence[str]) -> str:
    if all(pattern):
        return "in both" if len(pattern) == 2 else f"in all {len(pattern)}"
    return f"only in {listed(name for name, there in zip(names, pattern, strict=True) if there)}"


def no_common_ids(name: str, ids: Sequence[str], other: str, other_ids: Sequence[str]) -> str:
    """Sentence that two files share no id, with one of each and the spelling under which they would match."""
    hint = spelling_hint(name, ids, other, other_ids)
    shown = f"'{ids[0]}' in {name}, '{other_ids[0]}' in {other}"
    return f"{name} and {other} have no sample id in common: {shown}{f'; {hint}' if hint else ''}; write ids alike."


def spelling_hint(name: str, ids: Sequence[str], other: str, other_ids: Sequence[str]) -> str:
    """Words on the difference in spelling between ids of two files, with an example; empty for none."""
    common = set(ids) & set(other_ids)
    left, right = ([item for item in column if item not in common] for column in (ids, other_ids))
    best, most = "", max(len(common) // 10, 0)
    for count in (1, 2):
        for words in combinations(_SPELLINGS, count):
            first, second = ({_spelt(item, words): item for item in column} for column in (left, right))
            meeting = [key for key in first if key in second]
            if len(meeting) > most:
                pair = f"'{first[meeting[0]]}' and '{second[meeting[0]]}'"
                best = (
                    f"{len(meeting)} {'more ' * bool(common)}of {name} and {other} would meet without {listed(words)}, "
                )
                best += f"as {pair}"
                most = len(meeting)
    return best


def _spelt(text: str, words: Collection[str]) -> str:
    for word in words:
        text = _SPELLINGS[word](text)
    return text
