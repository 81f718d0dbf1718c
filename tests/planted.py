"""Plant errors in mvarena, one at a time, and run the tests that are to find each: `python tests/planted.py`.

The errors are declared in `planted.toml`. Each is a snippet of the code and what is put in its place; the snippet is
searched in all files, and so are the tests by their names, so that both may move. Everything happens in copies of the
tree. The exit code is 1 if a test set fails without any error, or if an error is found by no test.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[1]
DECLARED = Path(__file__).with_name("planted.toml")
CAUGHT, MISSED = "caught", "MISSED"
_PASSED, _FAILED = 0, 1  # pytest's exit codes; any other says that the tests could not be run
_PATIENCE_S = 300
_NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "demo", "results.db-*")
_TOKEN = re.compile(r"\$\w+|\w+|[^\w\s]")
_FIRST_MTIME = 1_000_000_000  # seconds; each planted file gets a time of its own, so that no stale bytecode is run
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """One error.

    wrong : what is wrong with it, in a sentence. old, new : the snippet, and what stands in its place. Blanks and line
    breaks between signs do not matter, and `$name` stands for any name, the same wherever it occurs.
    tests : names of test functions, each with further conditions of pytest's -k if need be.
    """

    name: str
    wrong: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the test functions."""
        return tuple(test.split()[0] for test in self.tests)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a snippet stands: the file, and the file's text with the error in it."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """One run of pytest: its exit code (None: it took too long), what it printed, and its seconds."""

    code: int | None
    output: str
    seconds: float

    @property
    def first_failure(self) -> str:
        """The test that failed, without its file."""
        found = re.search(r"^(?:FAILED|ERROR) \S*?::(.+?)(?: - .*)?$", self.output, re.MULTILINE)
        return found[1] if found else ""


def declared() -> tuple[Planted, ...]:
    """All errors, in the order of their declaration."""
    found = tomllib.loads(DECLARED.read_text("utf-8"))["error"]
    return tuple(Planted(**one | {"tests": tuple(one["tests"])}) for one in found)


def pattern_of(old: str) -> re.Pattern[str]:
    """The expression that finds a snippet, however it is broken into lines."""
    parts, known, after_word = list[str](), set[str](), False
    for token in _TOKEN.findall(old):
        is_name = token.startswith("$") and len(token) > 1
        is_word = is_name or token.isidentifier() or token.isalnum()
        if parts:
            parts.append(r"\s+" if after_word and is_word else r"\s*")
        elif is_word:
            parts.append(r"(?<!\w)")
        if not is_name:
            parts.append(re.escape(token))
        elif token in known:
            parts.append(f"(?P={token[1:]})")
        else:
            parts.append(rf"(?P<{token[1:]}>[^\W\d]\w*)")
            known.add(token)
        after_word = is_word
    return re.compile("".join(parts) + (r"(?!\w)" if after_word else ""))


def place_of(error: Planted, root: Path = ROOT) -> Place:
    """Where the error's snippet stands below `root`. Raises ValueError unless that is in exactly one place."""
    pattern = pattern_of(error.old)
    words = {token for token in _TOKEN.findall(error.old) if token.isidentifier()}
    texts = [(path, text) for path, text in _sources(root) if all(word in text for word in words)]  # most have not all
    matches = [(path, match) for path, text in texts for match in pattern.finditer(text)]
    if len(matches) != 1:
        where = ", ".join(str(path.relative_to(root)) for path, _ in matches) or "no file"
        raise ValueError(f"{error.name}: its snippet must stand in one place and stands in {where}: {error.old}")
    (path, match), *_ = matches
    put = re.sub(r"\$(\w+)", lambda name: str(match[name[1]]), error.new)
    return Place(path, match.string[: match.start()] + put + match.string[match.end() :])


@cache
def _sources(root: Path) -> tuple[tuple[Path, str], ...]:
    return tuple((path, path.read_text("utf-8")) for path in sorted((root / "mvarena").rglob("*.py")))


@cache
def files_of_tests(root: Path = ROOT) -> dict[str, tuple[Path, ...]]:
    """Test function -> the files by which pytest runs it; for a suite that is no test file, all of its folder."""
    found: dict[str, tuple[Path, ...]] = {}
    for path in sorted((root / "tests").rglob("*.py")):
        collected = (path,) if path.name.startswith("test_") else tuple(sorted(path.parent.glob("test_*.py")))
        for name in re.findall(r"^\s*def (test_\w+)\(", path.read_text("utf-8"), re.MULTILINE):
            found[name] = tuple(dict.fromkeys((*found.get(name, ()), *collected)))
    return found


def arguments_of(error: Planted, root: Path = ROOT) -> tuple[str, ...]:
    """What pytest is told, so that it runs the error's tests. Raises ValueError where none of them is found."""
    known = files_of_tests(root)
    files = dict.fromkeys(path for name in error.functions for path in known.get(name, ()))
    if not files:
        raise ValueError(f"{error.name}: none of its tests is found: {', '.join(error.functions)}.")
    chosen = " or ".join(f"({test})" for test in error.tests)
    return (*(str(path.relative_to(root)) for path in files), "-k", chosen)


def run_tests(tree: Path, arguments: Sequence[str]) -> Run:
    """Run tests in a copy of the tree until the first fails."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=short", *arguments]
    environment = os.environ | {"PYTHONPATH": str(tree), "CI": "1", "OMP_NUM_THREADS": "1", "COLUMNS": "400"}
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=tree,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    code: int | None
    try:
        output, _ = process.communicate(timeout=_PATIENCE_S)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, code = process.communicate()[0], None
    return Run(code, output, time.monotonic() - began)


@contextmanager
def planted(error: Planted, number: int, tree: Path) -> Iterator[str]:
    """Put the error into a copy of the tree meanwhile; gives the file's path."""
    place = place_of(error)
    path = tree / place.path.relative_to(ROOT)
    before, state = path.read_bytes(), path.stat()
    compile(place.text, str(path), "exec")  # what is no Python would fail every test, and show nothing
    try:
        path.write_text(place.text, "utf-8")
        os.utime(path, (_FIRST_MTIME + number, _FIRST_MTIME + number))
        yield str(place.path.relative_to(ROOT))
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


@contextmanager
def copied_trees(count: int) -> Iterator[SimpleQueue[Path]]:
    """So many copies of the tree, of which each run takes one. Raises RuntimeError where mvarena is not theirs."""
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(count):
            tree = Path(folder).resolve() / str(number)
            shutil.copytree(ROOT, tree, ignore=_NOT_COPIED)
            program = [sys.executable, "-c", "import mvarena; print(mvarena.__file__)"]
            environment = os.environ | {"PYTHONPATH": str(tree)}
            asked = subprocess.run(program, cwd=tree, env=environment, capture_output=True, text=True, check=True)
            if not Path(asked.stdout.strip()).is_relative_to(tree):
                raise RuntimeError(f"tests would import {asked.stdout.strip()} and not the copy in {tree}.")
            trees.put(tree)
        yield trees


def side_by_side(
    items: Iterable[Item], work: Callable[[Item, Path], Result], trees: SimpleQueue[Path]
) -> Iterator[tuple[Item, Result]]:
    """Each item and what `work` makes of it, as they are done; each has a tree of its own meanwhile."""

    def with_tree(item: Item) -> Result:
        tree = trees.get()
        try:
            return work(item, tree)
        finally:
            trees.put(tree)

    with ThreadPoolExecutor(trees.qsize()) as pool:
        futures = {pool.submit(with_tree, item): item for item in items}
        for future in as_completed(futures):
            yield futures[future], future.result()


def check_without_errors(errors: Sequence[Planted], trees: SimpleQueue[Path]) -> bool:
    """Whether each test set passes in the code as it is; what fails is printed."""
    whole = True
    sets = dict.fromkeys(arguments_of(error) for error in errors)
    for arguments, run in side_by_side(sets, lambda one, tree: run_tests(tree, one), trees):
        if run.code != _PASSED or " passed" not in run.output:
            whole = False
            print(f"Without any error these tests do not pass: {' '.join(arguments)}\n{run.output[-3000:]}")
    return whole


def find_errors(errors: Sequence[Planted], trees: SimpleQueue[Path]) -> list[str]:
    """Plant each error, print a line for each, and return the names of those that no test finds."""

    def look(numbered: tuple[int, Planted], tree: Path) -> tuple[str, Run]:
        number, error = numbered
        with planted(error, number, tree) as path:
            return path, run_tests(tree, arguments_of(error))

    width = max(len(error.name) for error in errors)
    missed = []
    for (_, error), (path, run) in side_by_side(enumerate(errors), look, trees):
        outcome = CAUGHT if run.code == _FAILED else MISSED
        print(f"{error.name:<{width}}  {outcome}  {run.seconds:5.1f} s  {path}  {run.first_failure}", flush=True)
        if outcome == MISSED:
            missed.append(error.name)
            if run.code != _PASSED:
                said = "they took too long" if run.code is None else f"pytest ended with {run.code}"
                print(f"its tests could not be run ({said}):\n{run.output[-3000:]}")
    return missed


def main(words: Sequence[str] | None = None) -> int:
    """Entry point of the script."""
    parser = argparse.ArgumentParser(description="Plant errors one at a time and run the tests that are to find each.")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="plant these errors alone")
    parser.add_argument("--list", action="store_true", help="list the errors and where each is planted")
    parser.add_argument("--jobs", type=int, default=2, help="how many are planted side by side, each in its own copy")
    given = parser.parse_args(words)
    errors = declared()
    if unknown := set(given.only or ()) - {error.name for error in errors}:
        parser.error(f"there is no error called {sorted(unknown)[0]}; --list names them all.")
    errors = tuple(error for error in errors if not given.only or error.name in given.only)
    places = {error.name: place_of(error).path.relative_to(ROOT) for error in errors}
    if given.list:
        for error in errors:
            print(f"{error.name}: {error.wrong} ({places[error.name]})")
        return 0
    with copied_trees(max(1, min(given.jobs, len(errors)))) as trees:
        if not check_without_errors(errors, trees):
            return 1
        missed = find_errors(errors, trees)
    print(f"{len(errors) - len(missed)} of {len(errors)} errors were caught.")
    if missed:
        print(f"No test finds {', '.join(missed)}.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
