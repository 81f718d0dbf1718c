"""Digest of the code of a component: of its definition and of all that this uses in the same package.

Sources are read and parsed, nothing is imported or executed. Each definition (a function, class or constant of a
module) is hashed by its canonical syntax (`mvarena.registry.code_syntax`), in which a name that leads to another
definition of the package is replaced by the digest of that one. Names of modules, the layout of files, and the names of
the definitions themselves do not count: code may be moved, merged and renamed, and stored results stay current. Names
from other packages count as they are, such as "numpy.linalg.svd".
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Container, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from mvarena.registry.code_modules import Key, Modules
from mvarena.registry.code_syntax import tokens_of
from mvarena.system.garbage_collection import uncollected

SCHEME = "2:"
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


def code_digest(component: Any) -> str:
    """Return '2:' and 64 hex digits for a class or function; an empty text where there is no source.

    Cost: the first class reads and parses the modules that it uses; later ones only what is not known yet.
    """
    try:
        source = inspect.getsourcefile(component)
    except TypeError:  # built in, or written into a prompt
        source = None
    if source is None or not Path(source).is_file():
        return ""
    module: str = component.__module__
    top = module.partition(".")[0]
    code = _code_of(module if top in _BY_VERSION else top)
    with uncollected():
        return code.digest_of(module, Path(source), component.__qualname__)


def digest_in_folder(folder: Path, module: str, path: Path, name: str) -> str:
    """Return the digest of the class `name` of the file `path`, and of all that it uses of the files in `folder`.

    module : the name by which files in the folder import this one. Sources are read anew. Empty where the file does not
    define the name.
    """
    with uncollected():
        return _Code(Modules(module, (), folder)).digest_of(module, path, name)


@cache
def _code_of(root: str) -> _Code:
    return _Code(Modules(root, PLUMBING))


class _Node(NamedTuple):
    """A definition: the hash of its syntax, and the definitions that it names, in order."""

    syntax: bytes
    uses: tuple[Key, ...]


class _Code:
    """The definitions of a top-level package, or of a single module, and their digests."""

    def __init__(self, modules: Modules) -> None:
        self._modules = modules
        self._nodes: dict[Key, _Node] = {}
        self._digests: dict[Key, bytes] = {}

    def digest_of(self, module: str, path: Path, qualified_name: str) -> str:
        """Return the digest of a class or function of `module`, whose source is `path`; empty where it is not found.

        That of a nested one is made from the definition around it.
        """
        self._modules.add(module, path)
        name, *inner = qualified_name.split(".")
        key = self._modules.lookup(module, (name,)).key
        if key is None:
            return ""
        digest = self._digest(key)
        for part in inner:
            digest = _hash(digest, part.encode())
        return SCHEME + digest.hex()

    def _digest(self, start: Key) -> bytes:
        if start not in self._digests:
            for group in _components(start, lambda key: self._node(key).uses, self._digests):
                self._add_group(group)
        return self._digests[start]

    def _add_group(self, group: list[Key]) -> None:
        """Add the digests of definitions that use each other, each refined by those of the others in turn."""
        self._digests |= dict.fromkeys(group, b"cycle")
        for _ in group:
            nodes = {key: self._node(key) for key in group}
            self._digests |= {
                key: _hash(node.syntax, *(self._digests[use] for use in node.uses)) for key, node in nodes.items()
            }

    def _node(self, key: Key) -> _Node:
        if key not in self._nodes:
            self._nodes[key] = self._read(key)
        return self._nodes[key]

    def _read(self, key: Key) -> _Node:
        module, name = key
        if not name:  # a module that is handed on as it is
            return _Node(b"module", tuple(self._modules.keys_of(module)))
        try:
            tokens = tokens_of(name, self._modules.statements(key), self._modules.importer(module))
        except RecursionError:  # nested too deeply to be walked: the file as it is, with all its definitions
            return _Node(_hash(self._modules.content(module)), tuple(self._modules.keys_of(module)))
        texts, uses = [], []
        for token in tokens:
            if isinstance(token, str):
                texts.append(token)
                continue
            meaning = self._modules.meaning(module, token)
            texts.append(f"<{meaning.text}>")
            if meaning.key is not None:
                uses.append(meaning.key)
        return _Node(_hash("\0".join(texts).encode(errors="surrogatepass")), tuple(uses))


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha256(b"\0".join(parts)).digest()


def _components(start: Key, uses: Callable[[Key], tuple[Key, ...]], known: Container[Key]) -> Iterator[list[Key]]:
    """Yield the strongly connected groups of what `start` reaches, those that are used first (Tarjan, 1972).

    What is in `known` is left out.
    """
    index: dict[Key, int] = {start: 0}
    lowest = {start: 0}
    path = [start]  # definitions whose group is not complete
    open_keys = {start}
    waiting = [(start, iter(uses(start)))]
    while waiting:
        key, rest = waiting[-1]
        following = next((use for use in rest if use not in known and (use not in index or use in open_keys)), None)
        if following is None:
            waiting.pop()
            if waiting:
                above = waiting[-1][0]
                lowest[above] = min(lowest[above], lowest[key])
            if lowest[key] == index[key]:
                position = path.index(key)
                group, path[position:] = path[position:], []
                open_keys.difference_update(group)
                yield group
        elif following in index:
            lowest[key] = min(lowest[key], index[following])
        else:
            index[following] = lowest[following] = len(index)
            path.append(following)
            open_keys.add(following)
            waiting.append((following, iter(uses(following))))
