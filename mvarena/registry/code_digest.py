"""Digest of the code of a component: its definition, and every definition of its own package that this reaches.

Sources are read and parsed; nothing is imported or executed. Each definition (a class, a function, a constant of a
module) is written in a canonical form: without comments, docstrings, positions, imports, annotations of functions and
texts of errors, local variables numbered by first appearance. A name that leads to another definition of the package
becomes the hash of that definition. So modules may be moved, merged and renamed, and functions renamed, while results
stay current; a changed constant, operator or default changes the digest.
Names of other packages count as they are, such as `numpy.linalg.svd`.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

SCHEME = "2:"
_OWN = "mvarena"
# of mvarena's own code, what decides the results of a component; all else refuses, announces or holds data
_DECIDING = ("algorithms", "corruptions", "loaders", "metrics", "numerics", "pickers", "readers", "transforms")
_DECIDING_CONTRACTS = ("mvarena.contracts.algorithm", "mvarena.contracts.feature_views", "mvarena.contracts.corruption")
_BY_VERSION = ("sklearn", "scipy", "numpy")  # the environment names their versions: one module of theirs is enough
_SKIPPED = {"ctx", "kind", "type_comment", "type_ignores", "type_params", "returns", "simple", "lineno", "col_offset"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

Key: TypeAlias = tuple[str, str]  # a module, and a name that it binds


def code_digest(component: Any) -> str:
    """'2:' and 64 hex digits for a class or function; empty where there is no source.

    Cost: reading and parsing the modules that it reaches, once in a process.
    """
    try:
        source = inspect.getsourcefile(component)
    except TypeError:  # built in, or written into a prompt
        source = None
    if source is None or not Path(source).is_file():
        return ""
    start = (component.__module__, component.__qualname__.partition(".")[0])
    _PLACES[component.__module__] = Path(source)
    return _digest_of(start) if _definition(start) else ""


def is_other_code(stored: str, now: str) -> bool:
    """True if a stored digest is known to be of other code than `now`.

    Digests of scheme 1, which hashed whole files, are translated where they are of the last version that used it; of
    others nothing is known, nor of empty ones.
    """
    if not now.startswith(SCHEME):
        return False
    if stored.startswith(SCHEME):
        return stored != now
    same = _first_scheme().get(stored, [])
    return bool(same) and now not in same


@cache
def _first_scheme() -> dict[str, list[str]]:
    """Digest of scheme 1 -> those of the algorithms of the last version that used it; a file could hold several."""
    known: dict[str, list[str]] = json.loads(Path(__file__).with_name("first_scheme.json").read_text("utf-8"))
    return known


@cache
def _digest_of(start: Key) -> str:
    """Digest of a definition and of all that it reaches; equal definitions count as one.

    Each definition's hash is refined by those of the definitions that it names, as often as the farthest is away, so
    that definitions that name each other need no order.
    """
    distance, waiting = {start: 0}, [start]
    for key in waiting:  # grows meanwhile
        for use in _canonical(key)[1]:
            if use not in distance:
                distance[use] = distance[key] + 1
                waiting.append(use)
    hashes = dict.fromkeys(distance, b"")
    for _ in range(distance[waiting[-1]] + 1):
        hashes = {
            key: _hash(text, *(hashes[use] for use in uses)) for key in hashes for text, uses in [_canonical(key)]
        }
    return SCHEME + hashes[start].hex()


def _hash(text: str, *parts: bytes) -> bytes:
    return hashlib.sha256(b"\0".join([text.encode("utf-8", "surrogatepass"), *parts])).digest()


@cache
def _canonical(key: Key) -> tuple[str, tuple[Key, ...]]:
    """The canonical text of a definition, and the definitions that it names, in order."""
    writer = _Writer(key[0])
    text = "".join(part for node in _definition(key) for part in writer.node(node))
    return text, tuple(writer.uses)


# definitions --------------------------------------------------------------------------------------------------


class _Module(NamedTuple):
    """Names that a module binds: by its own statements, and by imports (name -> module, attribute)."""

    statements: dict[str, list[ast.stmt]]
    imports: dict[str, tuple[str, str]]


_PLACES: dict[str, Path] = {}


def _definition(key: Key) -> list[ast.stmt]:
    module = _module(key[0])
    return module.statements.get(key[1], []) if module else []


@cache
def _path_of(name: str) -> Path | None:
    """File of a module whose top-level package is imported; None for a name that is no module."""
    if name in _PLACES:
        return _PLACES[name]
    first, *rest = name.split(".")
    for folder in getattr(sys.modules.get(first), "__path__", ()):
        base = Path(folder, *rest)
        for path in (base / "__init__.py", base.parent / f"{base.name}.py"):
            if path.is_file():
                return path
    return None


@cache
def _module(name: str) -> _Module | None:
    path = _path_of(name)
    if path is None:
        return None
    result = _Module({}, {})
    try:
        tree = ast.parse(path.read_bytes())
    except SyntaxError:  # a file that only an import inside a function would reach
        return result
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in _statements(tree.body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            result.imports.update(_imported(node, package))
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            result.statements.setdefault(node.name, []).append(node)
        else:
            for bound in _bound(list(ast.walk(node))):
                result.statements.setdefault(bound, []).append(node)
    return result


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a module that run when it is imported; those under `if` and `try` one by one."""
    for node in body:
        if isinstance(node, ast.If):
            checking = ast.unparse(node.test).endswith("TYPE_CHECKING")
            yield from _statements([*([] if checking else node.body), *node.orelse])
        elif isinstance(node, ast.Try):
            parts = [node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody]
            yield from _statements([statement for part in parts for statement in part])
        else:
            yield node


def _imported(node: ast.Import | ast.ImportFrom, package: str) -> dict[str, tuple[str, str]]:
    if isinstance(node, ast.Import):
        return {
            alias.asname or alias.name.partition(".")[0]: (
                alias.name if alias.asname else alias.name.partition(".")[0],
                "",
            )
            for alias in node.names
        }
    parts = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    base = ".".join([*parts, *([node.module] if node.module else [])])
    return {alias.asname or alias.name: (base, alias.name) for alias in node.names}


def _bound(nodes: list[ast.AST]) -> dict[str, None]:
    """Names that these nodes assign, in order; those that imports bind are left out."""
    names: dict[str, None] = {}
    for node in nodes:
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                names[node.id] = None
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            names[node.name] = None
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names[node.rest] = None
    return names


def _is_own(module: str, start: str) -> bool:
    """True if definitions of `module` count for a component of the module `start`."""
    first = start.partition(".")[0]
    if first != _OWN:
        return module == start if first in _BY_VERSION else module.partition(".")[0] == first
    parts = module.split(".")
    return parts[0] == _OWN and ((parts[1:2] and parts[1] in _DECIDING) or module in _DECIDING_CONTRACTS)


# canonical text -----------------------------------------------------------------------------------------------


class _Writer:
    """Writes definitions of one module; collects the definitions of the package that they name."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._package = module if (_path_of(module) or Path()).name == "__init__.py" else module.rpartition(".")[0]
        self.uses: list[Key] = []
        self._locals: dict[str, str] = {}
        self._imports: dict[str, tuple[str, str]] = {}
        self._depth = 0

    def node(self, node: Any, *, in_class: bool = False, in_error: bool = False) -> Iterator[str]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            return
        if isinstance(node, _FUNCTIONS):
            yield from self._function(node, in_class)
        elif isinstance(node, ast.ClassDef):
            yield f"class {node.name if self._depth else ''}("
            self._depth += 1
            yield from self._all([*node.decorator_list, *node.bases, *node.keywords])
            yield from self._all(node.body, in_class=True)
            self._depth -= 1
            yield ")"
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # a docstring, or a remark
        elif isinstance(node, ast.Name | ast.Attribute) and (dotted := _dotted(node)):
            yield self._name(dotted)
        elif isinstance(node, ast.AnnAssign):
            yield "assign("
            yield from self._all(
                [node.target, *([node.annotation] if in_class else []), *([node.value] if node.value else [])]
            )
            yield ")"
        elif isinstance(node, ast.Assign):
            yield "assign("
            yield from self._all([*node.targets, node.value])
            yield ")"
        elif isinstance(node, ast.Constant):
            yield "text" if in_error and isinstance(node.value, str) else repr(node.value)
        elif isinstance(node, ast.JoinedStr) and in_error:
            yield "text"
        elif isinstance(node, ast.AST):
            yield from self._other(node, in_error or isinstance(node, ast.Raise))

    def _other(self, node: ast.AST, in_error: bool) -> Iterator[str]:
        yield f"{type(node).__name__}("
        for field in node._fields:
            value = getattr(node, field, None)
            if field in _SKIPPED or value is None or value == []:
                continue
            yield f"{field}="
            if isinstance(value, list):
                yield from self._all(value, in_error=in_error)
            elif isinstance(value, ast.AST):
                yield from self.node(value, in_error=in_error)
            else:
                bound = isinstance(value, str) and field in ("name", "rest")  # of an exception, of a pattern
                yield self._locals.get(value, repr(value)) if bound else repr(value)
        yield ")"

    def _all(self, nodes: list[Any], *, in_class: bool = False, in_error: bool = False) -> Iterator[str]:
        for node in nodes:
            if node is None:  # a required argument, or the key of `**mapping`
                yield "-,"
            elif text := "".join(self.node(node, in_class=in_class, in_error=in_error)):
                yield f"{text},"

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, in_class: bool) -> Iterator[str]:
        outer_locals, outer_imports = self._locals, self._imports
        args = node.args
        named = [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, [args.vararg, args.kwarg])]
        yield f"def {node.name if in_class else ''}("
        yield from self._all(node.decorator_list)
        yield from self._all([*args.defaults, *args.kw_defaults])
        self._locals, self._imports = dict(outer_locals), dict(outer_imports)
        inside = [item for statement in node.body for item in ast.walk(statement)]
        names = dict(_bound(inside))
        for item in inside:
            if isinstance(item, ast.Import | ast.ImportFrom):
                self._imports.update(_imported(item, self._package))
            elif isinstance(item, _FUNCTIONS):
                names[item.name] = None
            elif isinstance(item, ast.arg):
                names[item.arg] = None
            elif isinstance(item, ast.Global):
                for name in item.names:
                    names.pop(name, None)
        for name in names:
            self._locals.setdefault(name, f"local {len(self._locals)}")
        self._locals |= {arg.arg: f"argument {arg.arg}" for arg in named}
        stars = [f"*{args.vararg.arg}" if args.vararg else "", f"**{args.kwarg.arg}" if args.kwarg else ""]
        yield ";".join(
            [*(arg.arg for arg in [*args.posonlyargs, *args.args]), "|", *(a.arg for a in args.kwonlyargs), *stars]
        )
        if in_class and node.name == "__init__":  # annotations of a constructor declare parameters
            yield from self._all([arg.annotation for arg in named if arg.annotation])
        yield from self._all(list(node.body))
        yield ")"
        self._locals, self._imports = outer_locals, outer_imports

    def _name(self, dotted: list[str]) -> str:
        first, *rest = dotted
        if first in self._locals and first not in self._imports:
            return ".".join([self._locals[first], *rest])
        module = _module(self._module)
        if first not in self._imports and module is not None and first in module.statements:
            return self._use((self._module, first), rest)
        imported = self._imports.get(first) or (module.imports.get(first) if module is not None else None)
        return self._outside(*imported, rest) if imported else ".".join(dotted)

    def _outside(self, base: str, attribute: str, rest: list[str]) -> str:
        """Text of an imported name: a definition of the package, wherever it is handed on from, or a name outside."""
        names = [attribute, *rest] if attribute else rest
        while names and _path_of(f"{base}.{names[0]}"):
            base, names = f"{base}.{names[0]}", names[1:]
        for _ in range(20):  # handed on by several modules
            module = _module(base) if _is_own(base, self._module) else None
            if module is None or not names:
                return ".".join(names) if base.startswith(f"{_OWN}.") else ".".join([base, *names])
            if names[0] in module.statements:
                return self._use((base, names[0]), names[1:])
            if names[0] not in module.imports:
                break
            base, attribute = module.imports[names[0]]
            names = [*([attribute] if attribute else []), *names[1:]]
        return ".".join(names)

    def _use(self, key: Key, rest: list[str]) -> str:
        self.uses.append(key)
        return ".".join(["<definition>", *rest])


def _dotted(node: ast.expr) -> list[str]:
    """The names of `a.b.c`; none where it does not begin with a name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else []
