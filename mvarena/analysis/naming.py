"""Names of contestants: the algorithm with the parameters that are not defaults, and what else sets rows apart."""

from __future__ import annotations

import hashlib
import json
import re
import string
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

_NAMED_BY = ("dataset", "algorithm", "algorithm_version", "params", "prepare", "steps", "protocol", "pick", "seed")
CHOSEN_BY = "chosen by"  # in the parameters of a contestant of which a picker chose the others
_CLUSTERS = "n_clusters"  # the parameter that says what is looked for, and not by which method


def name_contestants(trials: pd.DataFrame) -> pd.DataFrame:
    """`trials` with the column contestant added.

    trials : one row per trial, with the columns dataset, algorithm, algorithm_version, params (JSON text of those that
        are not defaults), prepare, steps, protocol, pick and seed.

    A name is the algorithm with its parameters: 'apmc', 'apmc (n_neighbors=7)'; n_clusters is part of it where it
    differs among the rows of the algorithm in some data set. The same holds for the preparation and version; protocol
    and seed are shown where one data set has several, and the version of a corruption or transform where there are
    several: 'apmc (prepare=minmax)', 'apmc (minmax version=2)'. The same things are shown for all data sets, so that a
    name means one thing in a figure of several panels.
    Cost O(number of trials), of which those that differ in nothing that is named are looked at once.
    """
    alike = trials.groupby([*_NAMED_BY], dropna=False, sort=False).ngroup().to_numpy()
    firsts = np.unique(alike, return_index=True)[1]
    named = trials[[*_NAMED_BY]].iloc[firsts]
    named = named.assign(protocol_text=_protocol_texts(named))
    names = [
        f"{algorithm} ({variant})" if variant else algorithm
        for algorithm, variant in zip(named["algorithm"], _variants(named), strict=True)
    ]
    return trials.assign(contestant=np.array(names, dtype=object)[alike] if len(names) else [])


@lru_cache(maxsize=10_000)  # rows of summaries ask for the same few names
def natural_order(name: str) -> tuple[tuple[int, float, str], ...]:
    """A sort key under which 'apmc (n_neighbors=7)' comes before 'apmc (n_neighbors=10)'."""
    parts = re.split(r"(\d+(?:\.\d+)?)", name.lower())
    return tuple((0, float(part), "") if part[:1].isdigit() else (1, 0.0, part) for part in parts)


def by_name(summary: pd.DataFrame, column: str = "contestant") -> pd.DataFrame:
    """The rows of a summary, contestant by contestant in the natural order of their names (or of another column)."""
    places = {name: index for index, name in enumerate(sorted(summary[column].unique(), key=natural_order))}
    return summary.iloc[summary[column].map(places).argsort(kind="stable")]


def _text(value: Any) -> str:
    if value is None:
        return "none"
    return value if isinstance(value, str) else json.dumps(value)


def _protocol_texts(trials: pd.DataFrame) -> list[str]:
    """The protocol's name; with its pick where one name stands for several picks."""
    several = trials.groupby("protocol")["pick"].nunique() > 1
    return [
        f"{name}/{pick}" if several[name] else name
        for name, pick in zip(trials["protocol"], trials["pick"], strict=True)
    ]


def _variants(trials: pd.DataFrame) -> list[str]:
    """Distinguishing settings of each row, as text; empty where there are none."""
    asked = {text: _text(json.loads(text).get(_CLUSTERS)) for text in trials["params"].unique()}
    told = _varying(trials.assign(asked=trials["params"].map(asked)), "asked")
    versions = _varying(trials, "algorithm_version")
    prepared = _varying(trials, "prepare")
    protocols, seeds = (_differ(trials, column) for column in ("protocol_text", "seed"))
    renewed = _renewed_steps(trials["steps"])
    texts: dict[tuple[Any, ...], str] = {}
    rows = list(trials.drop(columns="dataset").itertuples(index=False))
    for row in dict.fromkeys(rows):
        params = json.loads(row.params)
        parts = [f"{CHOSEN_BY} {params.pop(CHOSEN_BY)}"] if CHOSEN_BY in params else []
        shown = sorted(name for name in params if name != _CLUSTERS or row.algorithm in told)
        parts += [f"{name}={_text(params[name])}" for name in shown]
        if row.algorithm in prepared:
            parts.append(f"prepare={row.prepare or 'none'}")
        if row.algorithm in versions:
            parts.append(f"version={row.algorithm_version}")
        if protocols:
            parts.append(f"protocol={row.protocol_text}")
        if seeds:
            parts.append(f"seed={row.seed}")
        parts += [" version=".join(step) for step in _steps(row.steps) if step[0] in renewed]
        texts[row] = ", ".join(parts)
    return [texts[row] for row in rows]


def _differ(trials: pd.DataFrame, column: str) -> bool:
    """True if some data set has several values of `column`."""
    return bool((trials.groupby("dataset")[column].nunique() > 1).any())


def _steps(text: str) -> list[tuple[str, str]]:
    """'missing-even 1,unit-rows 2' as names and versions."""
    parts = (step.partition(" ") for step in text.split(",") if step)
    return [(name, version) for name, _, version in parts]


def _renewed_steps(texts: pd.Series) -> set[str]:
    """The corruptions and transforms of which there are results of several versions."""
    versions = Counter(name for name, _ in {step for text in texts.unique() for step in _steps(text)})
    return {name for name, count in versions.items() if count > 1}


def _varying(trials: pd.DataFrame, column: str) -> set[str]:
    """The algorithms that have several values of `column` in one data set."""
    counts = trials.groupby(["algorithm", "dataset"], dropna=False)[column].nunique(dropna=False)
    return {algorithm for (algorithm, _), count in counts.items() if count > 1}


# What each data set is called: its name, and a part of its fingerprint where one name has had several contents.

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
    called = [shown[pair] for pair in zip(frame["dataset"], frame["content"], strict=True)]
    return pd.Series(called, index=frame.index, dtype=object, name="dataset")


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
