"""Canonical text of a definition: the syntax that decides results, without names of modules and of local variables.

A definition (a function, a class or a constant of a module) becomes a list of tokens. Left out are comments,
docstrings, positions, imports, annotations of functions and of variables, the text of errors, and `pass`. Kept are the
annotations of a class's attributes and constructor, since they declare parameters. Local variables, and the arguments
of a lambda, are numbered by first appearance. A name of the module, or an attribute of an imported module, becomes a
`Reference`, to be resolved by the caller. Only fields that hold something are written, so that all versions of Python
give the same tokens.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

_IGNORED = {"ctx", "kind", "type_comment", "type_ignores", "type_params", "returns", "annotation", "simple"}
_OWN, _OTHER = "own name", "other name"
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Reference:
    """A dotted name that no scope of the definition binds.

    parts : the names between the dots. imported : an import within the definition gives the first of them, which is
    the full name of a module; otherwise the first is a name of the module at hand, or built in.
    """

    parts: tuple[str, ...]
    imported: bool


Token: TypeAlias = str | Reference


def tokens_of(name: str, statements: Iterable[ast.stmt], absolute: Callable[[ast.ImportFrom], str]) -> list[Token]:
    """Return the tokens of the module-level statements that define `name`.

    absolute : gives the full name of the module of a `from ... import`.
    """
    writer = _Writer(name, absolute)
    module = _Scope("module", None)
    for statement in statements:
        writer.write(statement, module)
    return writer.resolved()


def is_for_type_checkers(node: ast.AST) -> bool:
    """Return True for an `if TYPE_CHECKING:`, whose body no interpreter runs."""
    if not isinstance(node, ast.If):
        return False
    test = node.test
    return getattr(test, "id", getattr(test, "attr", "")) == "TYPE_CHECKING"


@dataclass(eq=False, slots=True)
class _Scope:
    """The names of a module, class, function or comprehension within a definition.

    fixed : arguments, which keep their names. stored : names that are assigned. imports : name -> module, attribute.
    outer : names declared global or nonlocal, with True for global. numbers : those of local variables.
    """

    kind: str
    parent: _Scope | None
    fixed: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)
    imports: dict[str, tuple[str, ...]] = field(default_factory=dict)
    outer: dict[str, bool] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)

    def store(self, name: str) -> None:
        if name not in self.fixed and name not in self.outer:
            self.stored.add(name)


@dataclass(slots=True)
class _Use:
    """A dotted name within a scope, resolved when all scopes are known."""

    scope: _Scope
    parts: tuple[str, ...]


@dataclass(slots=True)
class _Import:
    """An import within a function: it counts only where the same name is assigned, too."""

    scope: _Scope
    name: str
    path: tuple[str, ...]


class _Writer:
    def __init__(self, name: str, absolute: Callable[[ast.ImportFrom], str]) -> None:
        self._name = name
        self._absolute = absolute
        self._out: list[Token | _Use | _Import] = []
        self._in_error = 0
        self._count = 0

    # writing ----------------------------------------------------------------------------------------------

    def write(self, node: ast.AST, scope: _Scope) -> None:
        kind = type(node)
        special = _SPECIAL.get(kind)
        if special is not None:
            special(self, node, scope)
            return
        fields = _fields_of(kind)
        if not fields:
            self._out.append(kind.__name__)
            return
        self._out.append(kind.__name__ + "(")
        for name in fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                self._out.append(name)
                self.write(value, scope)
            elif isinstance(value, list):
                if value:
                    self._out.append(name)
                    self._many(value, scope)
            elif value is not None:
                self._out.append(f"{name}={value!r}")
        self._out.append(")")

    def _many(self, nodes: Sequence[Any], scope: _Scope) -> None:
        self._out.append("[")
        for node in nodes:
            if node is None or isinstance(node, str):  # the key of `**mapping`, a keyword of a pattern
                self._out.append(repr(node))
            else:
                self.write(node, scope)
        self._out.append("]")

    def _bind(self, name: str, scope: _Scope) -> None:
        """Write a name that a statement assigns."""
        while scope.kind == "module" or scope.outer.get(name) is not None:
            if scope.kind == "module":
                self._out.append(_OWN if name == self._name else _OTHER)
                return
            if scope.outer[name] or scope.parent is None:
                break
            scope = scope.parent
        scope.store(name)
        self._out.append(_Use(scope, (name,)))

    def _name_node(self, node: ast.Name, scope: _Scope) -> None:
        if isinstance(node.ctx, ast.Store):
            self._bind(node.id, scope)
        else:
            self._out.append(_Use(scope, (node.id,)))

    def _attribute(self, node: ast.Attribute, scope: _Scope) -> None:
        parts = [node.attr]
        value = node.value
        while isinstance(value, ast.Attribute):
            parts.append(value.attr)
            value = value.value
        if isinstance(value, ast.Name):
            self._out.append(_Use(scope, (value.id, *reversed(parts))))
        else:
            self.write(value, scope)
            self._out.append("." + ".".join(reversed(parts)))

    def _constant(self, node: ast.Constant, scope: _Scope) -> None:
        del scope
        if self._in_error and isinstance(node.value, str):
            self._out.append("text")
        else:
            self._out.append(repr(node.value))

    def _text(self, node: ast.JoinedStr, scope: _Scope) -> None:
        if self._in_error:
            self._out.append("text")
            return
        self._out.append("text(")
        literal = ""
        for value in node.values:
            if isinstance(value, ast.Constant):
                literal += str(value.value)
                continue
            if literal:
                self._out.append(repr(literal))
            literal = ""
            self.write(value, scope)
        self._out.append(f"{literal!r})" if literal else ")")

    def _error(self, node: ast.Raise, scope: _Scope) -> None:
        self._out.append("Raise(")
        self._in_error += 1
        for part in (node.exc, node.cause):
            if part is not None:
                self.write(part, scope)
        self._in_error -= 1
        self._out.append(")")

    def _assert(self, node: ast.Assert, scope: _Scope) -> None:
        self._out.append("Assert(")
        self.write(node.test, scope)
        self._out.append(")")

    def _expression(self, node: ast.Expr, scope: _Scope) -> None:
        if not isinstance(node.value, ast.Constant):
            self._out.append("Expr")
            self.write(node.value, scope)

    def _if(self, node: ast.If, scope: _Scope) -> None:
        if is_for_type_checkers(node):
            for statement in node.orelse:
                self.write(statement, scope)
            return
        self._out.append("If(")
        self.write(node.test, scope)
        self._many(node.body, scope)
        self._many(node.orelse, scope)
        self._out.append(")")

    def _nothing(self, node: ast.AST, scope: _Scope) -> None:
        """Write nothing for a node that decides nothing."""

    def _assign(self, targets: Sequence[ast.expr], value: ast.expr, scope: _Scope) -> None:
        self._out.append("Assign(")
        self._many(targets, scope)
        self.write(value, scope)
        self._out.append(")")

    def _plain_assign(self, node: ast.Assign, scope: _Scope) -> None:
        self._assign(node.targets, node.value, scope)

    def _annotated(self, node: ast.AnnAssign, scope: _Scope) -> None:
        if scope.kind != "class":
            if node.value is not None:
                self._assign([node.target], node.value, scope)
            return
        self._out.append("Field(")
        self.write(node.target, scope)
        self._annotation(node.annotation, scope)
        if node.value is not None:
            self.write(node.value, scope)
        self._out.append(")")

    def _annotation(self, node: ast.expr, scope: _Scope) -> None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            with suppress(SyntaxError):  # a text that is no expression stays a text
                node = ast.parse(node.value, mode="eval").body
        self._out.append(":")
        self.write(node, scope)

    # scopes -----------------------------------------------------------------------------------------------

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: _Scope) -> None:
        self._out.append(type(node).__name__ + "(")
        self._bind(node.name, scope)
        self._many(node.decorator_list, scope)
        inner = _Scope("function", scope)
        of_class = scope.kind == "class" and node.name == "__init__"
        self._arguments(node.args, scope, inner, annotated=of_class)
        self._many(node.body, inner)
        self._out.append(")")

    def _lambda(self, node: ast.Lambda, scope: _Scope) -> None:
        self._out.append("Lambda(")
        inner = _Scope("function", scope)
        self._arguments(node.args, scope, inner, numbered=True)
        self.write(node.body, inner)
        self._out.append(")")

    def _arguments(
        self, args: ast.arguments, outer: _Scope, inner: _Scope, *, annotated: bool = False, numbered: bool = False
    ) -> None:
        stars = [("*", [args.vararg] if args.vararg else []), ("**", [args.kwarg] if args.kwarg else [])]
        for mark, group in (("/", args.posonlyargs), ("", args.args), ("=", args.kwonlyargs), *stars):
            self._out.append(f"{mark}args")
            for argument in group:
                (inner.stored if numbered else inner.fixed).add(argument.arg)
                self._out.append(_Use(inner, (argument.arg,)))
                if annotated and argument.annotation is not None:
                    self._annotation(argument.annotation, outer)
        self._many(args.defaults, outer)
        self._many(args.kw_defaults, outer)

    def _class(self, node: ast.ClassDef, scope: _Scope) -> None:
        self._out.append("ClassDef(")
        self._bind(node.name, scope)
        self._many(node.decorator_list, scope)
        self._many(node.bases, scope)
        self._many(node.keywords, scope)
        inner = _Scope("class", scope)
        methods = [part for part in node.body if isinstance(part, _FUNCTIONS)]
        self._many([part for part in node.body if not isinstance(part, _FUNCTIONS)], inner)
        self._many(sorted(methods, key=lambda method: method.name), inner)
        self._out.append(")")

    def _comprehension(self, node: Any, scope: _Scope) -> None:
        self._out.append(type(node).__name__ + "(")
        inner = _Scope("comprehension", scope)
        outer = scope  # the first iterable is evaluated outside
        for generator in node.generators:
            self.write(generator.iter, outer)
            outer = inner
            self.write(generator.target, inner)
            self._many(generator.ifs, inner)
            self._out.append(f"is_async={generator.is_async}")
        for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self.write(part, inner)
        self._out.append(")")

    def _walrus(self, node: ast.NamedExpr, scope: _Scope) -> None:
        holder = scope
        while holder.kind == "comprehension" and holder.parent is not None:
            holder = holder.parent
        self._out.append("NamedExpr(")
        self._bind(node.target.id, holder)
        self.write(node.value, scope)
        self._out.append(")")

    def _handler(self, node: ast.ExceptHandler, scope: _Scope) -> None:
        self._out.append("ExceptHandler(")
        if node.type is not None:
            self.write(node.type, scope)
        if node.name is not None:
            self._bind(node.name, scope)
        self._many(node.body, scope)
        self._out.append(")")

    def _pattern(self, node: Any, scope: _Scope) -> None:
        """Write a pattern that captures a name; the others have no field of that kind."""
        self._out.append(type(node).__name__ + "(")
        for name in ("keys", "patterns"):
            if getattr(node, name, None):
                self._many(getattr(node, name), scope)
        if getattr(node, "pattern", None) is not None:
            self.write(node.pattern, scope)
        captured = getattr(node, "name", None) or getattr(node, "rest", None)
        if captured is not None:
            self._bind(captured, scope)
        self._out.append(")")

    def _declared(self, node: ast.Global | ast.Nonlocal, scope: _Scope) -> None:
        scope.outer.update(dict.fromkeys(node.names, isinstance(node, ast.Global)))

    def _import(self, node: ast.Import | ast.ImportFrom, scope: _Scope) -> None:
        for name, path in imported_names(node, self._absolute):
            if scope.kind == "module":
                self._out += ["import", _OWN if name == self._name else _OTHER, Reference(path, True)]
                continue
            if scope.imports.setdefault(name, path) != path:
                scope.stored.add(name)
            self._out.append(_Import(scope, name, path))

    # resolving --------------------------------------------------------------------------------------------

    def resolved(self) -> list[Token]:
        """Return the tokens, with each name resolved within the scopes of the definition."""
        tokens: list[Token] = []
        for token in self._out:
            if isinstance(token, str | Reference):
                tokens.append(token)
            elif isinstance(token, _Use):
                tokens += self._meaning(token)
            elif token.name in token.scope.stored:
                tokens += ["import", self._number(token.scope, token.name), Reference(token.path, True)]
        return tokens

    def _meaning(self, use: _Use) -> Iterable[Token]:
        name, *rest = use.parts
        scope: _Scope | None = use.scope
        while scope is not None and scope.kind != "module":
            hidden = scope.kind == "class" and scope is not use.scope
            is_global = scope.outer.get(name)
            if is_global:
                break
            if is_global is None and not hidden:
                text = self._local(scope, name)
                if text is not None:
                    return (".".join([text, *rest]),)
                if name in scope.imports:
                    return (Reference((*scope.imports[name], *rest), True),)
            scope = scope.parent
        return (Reference(use.parts, False),)

    def _local(self, scope: _Scope, name: str) -> str | None:
        """Return the text of a name that the scope binds other than by one import; None for any other name."""
        if name in scope.fixed or (scope.kind == "class" and name in scope.stored):
            return f"name {name}"
        return self._number(scope, name) if name in scope.stored else None

    def _number(self, scope: _Scope, name: str) -> str:
        if scope.kind == "class":
            return f"name {name}"
        if name not in scope.numbers:
            self._count += 1
            scope.numbers[name] = f"local {self._count}"
        return scope.numbers[name]


def imported_names(
    node: ast.Import | ast.ImportFrom, absolute: Callable[[ast.ImportFrom], str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names that an import binds, with the full name of a module and, for an attribute of it, its name."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            first = alias.name.partition(".")[0]
            yield (alias.asname, (alias.name,)) if alias.asname else (first, (first,))
    else:
        module = absolute(node)
        for alias in node.names:
            yield alias.asname or alias.name, (module, alias.name)


_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields_of(kind: type[ast.AST]) -> tuple[str, ...]:
    fields = _FIELDS.get(kind)
    if fields is None:
        fields = _FIELDS[kind] = tuple(name for name in kind._fields if name not in _IGNORED)
    return fields


_SPECIAL: Mapping[type, Callable[[_Writer, Any, _Scope], None]] = {
    ast.Name: _Writer._name_node,
    ast.Attribute: _Writer._attribute,
    ast.Constant: _Writer._constant,
    ast.JoinedStr: _Writer._text,
    ast.Raise: _Writer._error,
    ast.Assert: _Writer._assert,
    ast.Expr: _Writer._expression,
    ast.If: _Writer._if,
    ast.Pass: _Writer._nothing,
    ast.Assign: _Writer._plain_assign,
    ast.AnnAssign: _Writer._annotated,
    ast.Lambda: _Writer._lambda,
    ast.ClassDef: _Writer._class,
    ast.NamedExpr: _Writer._walrus,
    ast.ExceptHandler: _Writer._handler,
    **dict.fromkeys(_FUNCTIONS, _Writer._function),
    **dict.fromkeys(_COMPREHENSIONS, _Writer._comprehension),
    **dict.fromkeys((ast.MatchAs, ast.MatchStar, ast.MatchMapping), _Writer._pattern),
    **dict.fromkeys((ast.Global, ast.Nonlocal), _Writer._declared),
    **dict.fromkeys((ast.Import, ast.ImportFrom), _Writer._import),
}
