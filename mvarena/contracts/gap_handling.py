"""Gaps or filled data: which of them a class of somebody's own is handed.

It says so by its class attribute `missing`; else its parameters, its code and its docstring are looked at.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from mvarena.errors import InvalidSetting

NAN, MASK = "nan", "mask"
_OF_NAN = {
    *("isnan", "isna", "isnull", "notna", "notnull", "isfinite", "nan_to_num", "nan_euclidean_distances"),
    *("nanmean", "nansum", "nanstd", "nanvar", "nanmedian", "nanmin", "nanmax", "SimpleImputer", "KNNImputer"),
}
_SAYS_NAN = re.compile(r"\bNaNs?\b")
_DENIES = re.compile(r"\b(no|not|without|never|cannot|free|complete|must|fill\w*|remove\w*|n't)\b", re.IGNORECASE)
_remembered: WeakKeyDictionary[Any, str | None] = WeakKeyDictionary()


def missing_of(kind: type, method: str, parameters: Mapping[str, Any]) -> tuple[str | None, str]:
    """NAN, MASK or None for filled data, and the evidence of the guess ('' for a declaration or no evidence).

    method : the name of the method that gets the data. parameters : what it has beside the data.
    Raises InvalidSetting for another declaration.
    """
    if hasattr(kind, "missing"):
        declared = kind.missing
        if declared not in (None, False, NAN, MASK):
            raise InvalidSetting(
                f"{kind.__name__}.missing is {declared!r}; write missing = 'nan' for rows of NaN, 'mask' for the mask, "
                "or None for filled data.",
                field="missing",
            )
        return declared or None, ""
    if MASK in parameters:
        return MASK, f"the parameter mask of {method}"
    code = getattr(kind, "function", kind)
    if code in _remembered:
        remembered = _remembered[code]
        return remembered, "its code" if remembered else ""
    name = next(_names_of_nan(code), None)
    if name is not None:
        return NAN, f"{name} in its code"
    docs = (inspect.getdoc(kind), inspect.getdoc(getattr(kind, method)))
    return (NAN, "NaN in its docstring") if any(_speaks_of_nan(text or "") for text in docs) else (None, "")


def remember_missing(code: Any, missing: str | None) -> None:
    """Keep a guess about a class or function from another process, in which its source was available."""
    _remembered[code] = missing


def _speaks_of_nan(text: str) -> bool:
    sentences = re.split(r"(?<=[.;:])\s|\n\s*\n", text)
    return any(_SAYS_NAN.search(sentence) and not _DENIES.search(sentence) for sentence in sentences)


def _names_of_nan(code: Any) -> Iterator[str]:
    """Names of functions for NaN that a class or function calls, or that those of its module do which it names."""
    module = vars(sys.modules.get(code.__module__, object))
    waiting, seen = [code], set()
    while waiting:
        item = waiting.pop()
        seen.add(item)
        for node in _without_checks(_tree_of(item)):
            name = str(getattr(node, "attr", getattr(node, "id", "")))
            if name in _OF_NAN:
                yield name
            named = module.get(name) if isinstance(node, ast.Name) else None
            is_code = inspect.isclass(named) or inspect.isfunction(named)
            if is_code and named.__module__ == code.__module__ and named not in seen:
                waiting.append(named)


def _tree_of(code: Any) -> ast.AST:
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, TypeError, SyntaxError):  # typed at a prompt, or a lambda in the midst of a line
        return ast.Module(body=[], type_ignores=[])


def _without_checks(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree but for conditions that only raise: code that refuses NaN names it, too."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Assert):
            continue
        if isinstance(child, ast.If) and isinstance(child.body[0], ast.Raise):
            for rest in child.orelse:
                yield from _without_checks(rest)
            continue
        yield from _without_checks(child)
