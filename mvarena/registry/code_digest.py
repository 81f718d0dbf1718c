"""Digest of the code behind a component: of its module, and of the modules of the same package that it imports.

Sources are read and parsed, nothing is imported, so that every process finds the same. Comments, docstrings, layout and
what type checkers alone import do not count; nor do modules that are imported by a name made at run time.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from mvarena.system.garbage_collection import uncollected

SCHEME = "3:"
PLUMBING: Mapping[str, str] = {  # modules of mvarena that decide no result of a component, and why
    "mvarena.contracts.capabilities": "refuses data; changes no result",
    "mvarena.contracts.parameters": "refuses values; those that are taken are in the key of a trial",
    "mvarena.contracts.spec_lookup": "finds the spec of a class, and completes its docstring",
    "mvarena.contracts.specs": "announces; raising a version changes the keys of trials",
    "mvarena.data": "holds the data, whose content is in the key of a trial",
    "mvarena.errors": "errors and their text",
    "mvarena.samples": "checks classes and ids; the classes are in the key of a trial",
    "mvarena.system.memory": "reads how much memory there is; what needs more is refused",
    "mvarena.system.threads": "shares the work among threads; their number is stored with the environment",
}
_BY_VERSION = ("sklearn", "scipy", "numpy")  # the environment names their versions: one module of theirs is enough
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_IGNORED = {"ctx", "kind", "type_comment", "type_ignores"}  # fields that the rest of a syntax tree implies, or comments

Finder: TypeAlias = Callable[[str], Path | None]
"""The source of a module that counts, by its full name."""


@cache
def code_digest(component: Any) -> str:
    """Return '3:' and 64 hex digits for a class or function; an empty text where there is no source.

    Cost: each module is read once in a process, some 2 ms for 100 lines.
    """
    module = sys.modules.get(getattr(component, "__module__", None) or "")
    source = Path(getattr(module, "__file__", None) or "")
    if module is None or not hasattr(module, component.__qualname__.partition(".")[0]) or not source.is_file():
        return ""  # built in, written into a prompt, or made by a function of another module
    return _digest_of_imported(module.__name__, source)


@cache
def _digest_of_imported(module: str, source: Path) -> str:
    """Return the digest of a module as it was when this process first asked for it."""
    top = module.partition(".")[0]
    folders = () if top in _BY_VERSION else tuple(getattr(sys.modules.get(top), "__path__", ()))

    def find(name: str) -> Path | None:
        first, *rest = name.split(".")
        return _file_in(folders, rest) if first == top and name not in PLUMBING else None

    return _digest(module, source, find)


def digest_in_folder(folder: Path, module: str, path: Path) -> str:
    """Return the digest of the file `path`, and of the modules in `folder` that it imports.

    module : the name by which files in the folder import this one.
    """

    def find(name: str) -> Path | None:
        parts = name.split(".")
        return None if parts[0] == "mvarena" else _file_in([folder], parts)

    return _digest(module, path, find)


def _digest(module: str, path: Path, find: Finder) -> str:
    """Return the digest of a module, and of all that it imports, directly or not."""
    reached = {module: path}
    waiting = [module]
    texts = {}
    with uncollected():
        while waiting:
            name = waiting.pop()
            state = reached[name].stat()
            source = _read(reached[name], state.st_mtime_ns, state.st_size)
            texts[name] = source.syntax
            for imported in source.imports(name):
                if imported not in reached and (found := find(imported)) is not None:
                    reached[imported] = found
                    waiting.append(imported)
    lines = [f"{'' if name == module else name}\0{texts[name]}\n" for name in sorted(texts)]
    return SCHEME + hashlib.sha256("".join(lines).encode()).hexdigest()


def _file_in(folders: Iterable[str | Path], names: Sequence[str]) -> Path | None:
    for folder in folders:
        place = Path(folder, *names)
        for path in (place / "__init__.py", place.with_name(f"{place.name}.py")):
            if path.is_file():
                return path
    return None


class _Source(NamedTuple):
    """Digest of a file's syntax, and its imports: how many packages up they begin (0: an absolute name), and names."""

    syntax: str
    imported: tuple[tuple[int, str], ...]
    is_package: bool

    def imports(self, module: str) -> Iterator[str]:
        """Yield the full names of what the file imports as `module`; not all of them are modules."""
        package = module.split(".")[: None if self.is_package else -1]
        for level, name in self.imported:
            above = package[: len(package) - level + 1] if level else []
            yield ".".join([*above, *([name] if name else [])])


@cache
def _read(path: Path, changed_ns: int, size: int) -> _Source:
    """Read a file in its present state."""
    del changed_ns, size
    content = path.read_bytes()
    try:
        tree = ast.parse(content)
    except (SyntaxError, RecursionError, MemoryError):  # of another Python, or nested too deeply
        return _Source(hashlib.sha256(content).hexdigest(), (), False)
    imports: list[ast.Import | ast.ImportFrom] = []
    syntax = "\0".join(_texts(tree, imports))
    imported = dict.fromkeys(one for node in imports for one in _imported(node))
    return _Source(hashlib.sha256(syntax.encode()).hexdigest(), tuple(imported), path.name == "__init__.py")


def _texts(tree: ast.AST, imports: list[ast.Import | ast.ImportFrom]) -> Iterator[str]:
    """Yield the syntax as texts, the same for every version of Python; its import statements are added to `imports`."""
    waiting: list[Any] = [tree]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.AST):  # an item of a list, such as a global name
            yield ascii(node)
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            imports.append(node)
        yield type(node).__name__
        children: list[Any] = []
        for field in node._fields:
            value = getattr(node, field, None)
            if value is None or field in _IGNORED or value == []:
                continue
            if isinstance(value, list):
                value = _statements(node) if field == "body" else value
                yield f"{field} {len(value)}"
                children += value
            elif isinstance(value, ast.AST):
                yield field
                children.append(value)
            else:
                yield f"{field} {value!a}"
        waiting += reversed(children)


def _statements(node: Any) -> list[ast.stmt]:
    """Return the body of a statement without its docstring, and without what type checkers alone run."""
    body: list[ast.stmt] = node.body
    if isinstance(node, _DOCUMENTED) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    parts = [getattr(item, "orelse", []) if _is_for_type_checkers(item) else [item] for item in body]
    return list(chain.from_iterable(parts)) or [ast.Pass()]


def _is_for_type_checkers(statement: ast.stmt) -> bool:
    test = statement.test if isinstance(statement, ast.If) else None
    return "TYPE_CHECKING" in (getattr(test, "id", ""), getattr(test, "attr", ""))


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:  # `import a.b` binds a
            parts = alias.name.split(".")
            yield from ((0, ".".join(parts[: end + 1])) for end in range(len(parts)))
        return
    yield node.level, node.module or ""
    for alias in node.names:  # each may be a module
        yield node.level, ".".join(filter(None, (node.module, alias.name)))
