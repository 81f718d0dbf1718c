"""Modules as sources: the statements that define a name, and the definition to which a dotted name leads.

Nothing is imported. Only modules within one root count: a top-level package that is imported already, a single module,
or all that lies in one folder. Those listed as plumbing do not.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from mvarena.registry.code_syntax import Reference, imported_names, is_for_type_checkers

OURS = "mvarena"

Key: TypeAlias = tuple[str, str]  # a module and a name in it; an empty name is the module itself

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


class Meaning(NamedTuple):
    """The definition to which a name leads, if it counts, and the text that stands for the rest of the name."""

    key: Key | None
    text: str


class _Module(NamedTuple):
    """Names of a source file: definitions, imports (name -> module, attribute), and modules imported by `*`."""

    definitions: dict[str, list[ast.stmt]]
    imports: dict[str, tuple[str, ...]]
    stars: list[str]


class Modules:
    """The modules of a root, parsed when they are needed first.

    root : the top-level package or module. plumbing : modules of it that do not count. folder : in place of a root, the
    folder whose modules count.
    """

    def __init__(self, root: str, plumbing: Collection[str], folder: Path | None = None) -> None:
        self._root = root
        self._folder = folder
        self._plumbing = plumbing
        self._parsed: dict[str, _Module | None] = {}
        self._paths: dict[str, Path | None] = {}

    def add(self, module: str, path: Path) -> None:
        """Add a module whose file is known."""
        self._paths.setdefault(module, path)

    def statements(self, key: Key) -> list[ast.stmt]:
        """Return the statements that define a name."""
        module = self._module(key[0])
        assert module is not None
        return module.definitions[key[1]]

    def content(self, module: str) -> bytes:
        """Return the source of a module that counts."""
        path = self._path_of(module)
        assert path is not None
        return path.read_bytes()

    def keys_of(self, module: str) -> list[Key]:
        """Return the definitions of a module, sorted by name."""
        parsed = self._module(module)
        return [] if parsed is None else [(module, name) for name in sorted(parsed.definitions)]

    def importer(self, module: str) -> Callable[[ast.ImportFrom], str]:
        """Return the function that gives the absolute module of a `from ... import` in `module`."""
        path = self._path_of(module)
        parts = module.split(".")
        return partial(_absolute, parts if path is not None and path.name == "__init__.py" else parts[:-1])

    def meaning(self, module: str, reference: Reference) -> Meaning:
        """Return the meaning of a name that a definition of `module` refers to."""
        return self._follow(reference.parts) if reference.imported else self.lookup(module, reference.parts)

    def lookup(self, module: str, parts: Sequence[str]) -> Meaning:
        """Return the meaning of a dotted name at the top level of `module`."""
        return self._named(module, parts, frozenset()) or Meaning(None, ".".join(parts))

    def _named(self, name: str, parts: Sequence[str], seen: frozenset[str]) -> Meaning | None:
        """Return the meaning of a dotted name that the module defines or imports; None for any other."""
        module = self._module(name)
        if module is None or name in seen:
            return None
        first, *rest = parts
        if first in module.definitions:
            return Meaning((name, first), ".".join(["", *rest]))
        if first in module.imports:
            return self._follow((*module.imports[first], *rest))
        for star in module.stars:
            meaning = self._named(star, parts, seen | {name})
            if meaning is not None:
                return meaning
        return None

    def _follow(self, path: Sequence[str]) -> Meaning:
        """Return the meaning of names that follow the full name of a module."""
        module = path[0]
        if not self._is_module(module):
            return Meaning(None, ".".join(path))
        for position in range(1, len(path)):
            meaning = self._named(module, path[position:], frozenset())
            if meaning is not None:
                return meaning
            inner = f"{module}.{path[position]}"
            if not self._is_module(inner):
                return self._outside(module, path[position:])
            module = inner
        return Meaning((module, ""), "") if self._counts(module) else self._outside(module, ())

    def _outside(self, module: str, rest: Sequence[str]) -> Meaning:
        """Return the text of a name that does not count: in mvarena, without the module in which it stands."""
        if module.partition(".")[0] == OURS:
            return Meaning(None, f"{OURS}:{'.'.join(rest)}")
        return Meaning(None, ".".join([module, *rest]))

    def _counts(self, module: str) -> bool:
        if self._folder is not None:
            return module.partition(".")[0] != OURS and self._path_of(module) is not None
        return (module == self._root or module.startswith(f"{self._root}.")) and module not in self._plumbing

    def _is_module(self, module: str) -> bool:
        """Return True for a module of the root's package, or of mvarena."""
        first = module.partition(".")[0]
        is_known = self._folder is not None or first in (self._root.partition(".")[0], OURS)
        return is_known and self._path_of(module) is not None

    def _module(self, name: str) -> _Module | None:
        """Return a module that counts; None for any other, and for one that cannot be read."""
        if name not in self._parsed:
            path = self._path_of(name) if self._counts(name) else None
            self._parsed[name] = None if path is None else _parsed(path, self.importer(name))
        return self._parsed[name]

    def _path_of(self, module: str) -> Path | None:
        if module not in self._paths:
            names = module.split(".")
            in_folder = self._folder is not None and names[0] != OURS
            self._paths[module] = _file_in([str(self._folder)], names) if in_folder else _file_of(module)
        return self._paths[module]


def _file_of(module: str) -> Path | None:
    """The file of a module whose top-level package is imported; None where there is no such file."""
    first, *rest = module.split(".")
    return _file_in(getattr(sys.modules.get(first), "__path__", ()), rest)


def _file_in(folders: Iterable[str], names: Sequence[str]) -> Path | None:
    for folder in folders:
        place = Path(folder, *names)
        for path in (place / "__init__.py", place.parent / f"{place.name}.py"):
            if path.is_file():
                return path
    return None


def _absolute(package: Sequence[str], node: ast.ImportFrom) -> str:
    """Return the full name of the module of a `from ... import` within `package`."""
    parts = package[: len(package) - node.level + 1] if node.level else []
    return ".".join([*parts, *([node.module] if node.module else [])])


def _parsed(path: Path, absolute: Callable[[ast.ImportFrom], str]) -> _Module | None:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, RecursionError):  # a file that only an import inside a function would reach
        return None
    statements = list(_run(tree.body))
    imports: dict[str, tuple[str, ...]] = {}
    for statement in statements:
        if isinstance(statement, _IMPORTS):
            imports.update(imported_names(statement, absolute))
    stars = [target[0] for target in imports.values() if target[-1] == "*"]
    bound = [set(_bound(statement)) for statement in statements]
    defined = set().union(*(b for b, s in zip(bound, statements, strict=True) if not isinstance(s, _IMPORTS)))
    definitions = defaultdict(list)
    for names, statement in zip(bound, statements, strict=True):
        for name in _defined_by(statement, names, defined):
            definitions[name].append(statement)
    return _Module(dict(definitions), {name: imports[name] for name in imports.keys() - defined}, stars)


def _defined_by(statement: ast.stmt, names: set[str], defined: set[str]) -> set[str]:
    """Return the names of a module to whose definition a statement belongs; it binds `names`.

    One that does more than to bind them, such as `TABLE["key"] = 1`, belongs to all that it mentions, or to every
    definition of the module where it mentions none.
    """
    if _only_binds(statement):
        return names & defined
    mentioned = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return (names | mentioned) & defined or defined


def _run(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that an import of the module runs and that may decide something."""
    for statement in body:
        if is_for_type_checkers(statement):
            yield from _run(statement.orelse)  # type: ignore[attr-defined]
        elif not _is_text(statement) and not _is_of_main(statement):
            yield statement


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_of_main(statement: ast.stmt) -> bool:
    """Return True for an `if __name__ == "__main__":`."""
    test = statement.test if isinstance(statement, ast.If) else None
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _only_binds(statement: ast.stmt) -> bool:
    """Return True for a statement that does nothing but give names a value."""
    if isinstance(statement, (*_DEFINITIONS, *_IMPORTS)):
        return True
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    plain = (ast.Name, ast.Tuple, ast.List)
    is_assignment = isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign))
    return type(statement).__name__ == "TypeAlias" or (is_assignment and all(isinstance(t, plain) for t in targets))


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement binds, without those within functions, classes and comprehensions."""
    if isinstance(node, _DEFINITIONS):
        yield node.name
    elif isinstance(node, _IMPORTS):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            yield node.id
    elif not isinstance(node, ast.expr) or isinstance(node, (ast.Tuple, ast.List, ast.Starred)):
        for child in ast.iter_child_nodes(node):
            yield from _bound(child)
