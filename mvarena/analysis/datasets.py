"""What each data set is called: its name, and a part of its fingerprint where one name has had several contents."""

from __future__ import annotations

import hashlib
import string
from collections.abc import Iterable

import pandas as pd

_SHORTEST = 6


def names_by_content(frame: pd.DataFrame) -> pd.Series:
    """The names of the data sets, row by row; 'data.mat #1a2b3c' where others of that name have another content.

    frame : rows with the columns dataset and content. Two files of one name, or a file that was changed, are thus two
    data sets in everything that is computed from the result. Cost O(rows).
    """
    pairs = frame[["dataset", "content"]].drop_duplicates()
    several = pairs["dataset"].duplicated(keep=False)
    shown = dict(zip(map(tuple, pairs.to_numpy()), pairs["dataset"], strict=True))
    for name, part in pairs[several].groupby("dataset", sort=False):
        short = _short(part["content"])
        shown |= {(name, content): f"{name} #{short[content]}" for content in part["content"]}
    return pd.Series(
        [shown[pair] for pair in zip(frame["dataset"], frame["content"], strict=True)],
        index=frame.index,
        dtype=object,
        name="dataset",
    )


def _short(contents: Iterable[str]) -> dict[str, str]:
    """Content -> the first hex digits that tell it from the others, six at least."""
    digests = {content: _hexadecimal(content) for content in contents}
    length = _SHORTEST
    while len({digest[:length] for digest in digests.values()}) < len(set(digests.values())):
        length += 1
    return {content: digest[:length] for content, digest in digests.items()}


def _hexadecimal(content: str) -> str:
    """A fingerprint as it is; of any other text, such as a generator's name and version, its sha256."""
    if len(content) >= _SHORTEST and set(content) <= set(string.hexdigits):
        return content
    return hashlib.sha256(content.encode()).hexdigest()
