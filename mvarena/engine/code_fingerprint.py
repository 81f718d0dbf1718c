"""A fingerprint of a component's own code: the module that defines it and what that imports of the same package.

Import statements are read from the source, none is executed, so the same files give the same fingerprint in every
process. Of mvarena's own modules, those count that decide what a component computes: its package, `numerics` and
`contracts`. A package's `__init__` counts only where something is imported from it, and an import that type checkers
alone see does not.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from mvarena.engine.same_results import SAME_RESULTS

_OWN = "mvarena"
_SHARED = ("mvarena.contracts", "mvarena.numerics")
_BY_VERSION = ("sklearn", "scipy", "numpy")  # the environment names their versions: one module of theirs is enough


@cache
def code_fingerprint(component: Any) -> str:
    """64 hex digits for a class or function; empty where there is no source. Cached for the life of the process.

    Cost: the first class reads and parses some 30 files (about 30 ms); later ones only what is not known yet.
    """
    values = sorted(modules_of(component).items())
    lines = "".join(f"{name}={digest}\n" for name, path in values if (digest := _scanned(path)[0]))
    return hashlib.sha256(lines.encode()).hexdigest() if values else ""


def modules_of(component: Any) -> dict[str, Path]:
    """The modules that are the component's own code, by name; none where there is no source."""
    try:
        source = inspect.getsourcefile(component)
    except TypeError:  # built in, or written into a prompt
        source = None
    if source is None:
        return {}
    start: str = component.__module__
    own = _own_packages(start)
    result = {start: Path(source)}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        for target in _imported(name, result[name]):
            path = _path_of(target) if target not in result and _is_within(target, own) else None
            if path is not None:
                result[target] = path
                waiting.append(target)
    return result


def _own_packages(module: str) -> tuple[str, ...]:
    first, *rest = module.split(".")
    if first == _OWN:
        return (".".join([first, *rest[:1]]), *_SHARED)
    return () if first in _BY_VERSION else (first,)


def _is_within(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def _imported(name: str, path: Path) -> Iterator[str]:
    """The modules that the module `name` imports, by their full names."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for level, module, attributes in _scanned(path)[1]:
        parts = package[: len(package) - level + 1] if level else []
        base = ".".join([*parts, *([module] if module else [])])
        submodules = [f"{base}.{attribute}" for attribute in attributes if _path_of(f"{base}.{attribute}")]
        yield from submodules
        if len(submodules) < len(attributes) or not attributes:
            yield base


@cache
def _path_of(module: str) -> Path | None:
    """The file of a module whose top-level package is imported; None where that is no package, or has no such file."""
    first, *rest = module.split(".")
    for folder in getattr(sys.modules.get(first), "__path__", ()):
        position = Path(folder, *rest)
        for path in (position / "__init__.py", position.parent / f"{position.name}.py"):
            if path.is_file():
                return path
    return None


@cache
def _scanned(path: Path) -> tuple[str, tuple[tuple[int, str, tuple[str, ...]], ...]]:
    """The sha256 of a source file (of the one whose results still hold), and its imports: level, module, names."""
    content = path.read_bytes()
    try:
        imports = tuple(_imports(ast.parse(content)))
    except SyntaxError:  # a file that only an import inside a function would reach
        imports = ()
    digest = hashlib.sha256(content).hexdigest()
    return SAME_RESULTS.get(digest, digest), imports


def _imports(node: ast.AST) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((0, alias.name, ()) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            yield child.level, child.module or "", tuple(alias.name for alias in child.names)
        elif isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            yield from _imports(ast.Module(child.orelse, []))
        elif isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield from _imports(child)
