"""The digest of a component's code follows its module and what this imports of its package."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest
from sklearn.cluster import KMeans

import mvarena
from mvarena.algorithms import MIC
from mvarena.registry import code_digest as module
from mvarena.registry.code_digest import code_digest, digest_in_folder, is_other_code

METHOD = '''
from __future__ import annotations
from typing import TYPE_CHECKING
import numpy as np
import toy_code.inner.table
from toy_code import steps
from toy_code.base import Base
from .limits import LARGEST as MOST
if TYPE_CHECKING:
    from toy_code.unrelated import NOTHING

class Method(Base):
    """A method."""

    weight: float = 0.5

    def solve(self, data, n_clusters: int) -> list:
        """Solve it."""
        from toy_code.late import shift
        found = steps.step(data, n_clusters)  # a remark
        return [shift(np.sqrt(one)) for one in found if one < MOST]
'''
FILES = {
    "__init__.py": "VERSION = 1\n",
    "method.py": METHOD,
    "steps.py": "from . import scales\ndef step(data, k):\n    return scales.scale(data) + k\n",
    "base.py": "from .handing_on import *\nclass Base:\n    def fit(self, data):\n        return scale(data)\n",
    "handing_on.py": "from toy_code.scales import scale\nimport toy_code.limits\n",
    "scales.py": "FACTOR = 3\ndef scale(x):\n    import toy_code.method\n    return FACTOR * x\n",
    "limits.py": "LARGEST = 10\n",
    "late.py": "from .inner import deep\ndef shift(x):\n    return x + deep(1)\n",
    "inner/__init__.py": "from .deep import deep\n",
    "inner/deep.py": "from ..limits import LARGEST\ndef deep(x):\n    return x\n",
    "inner/table.py": "TABLE = {}\n",
    "unrelated.py": "NOTHING = 0\n",
    "space/far.py": "FAR = 1\n",
}


def write(files: dict[str, str], folder: Path) -> None:
    for name, text in files.items():
        path = folder / "toy_code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def digest(files: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The digest of `Method` in a package of these files, as a new process would find it."""
    write(files, folder)
    for name in [name for name in sys.modules if name.partition(".")[0] == "toy_code"]:
        del sys.modules[name]
    with monkeypatch.context() as patch:
        patch.syspath_prepend(str(folder))
        return code_digest(import_module("toy_code.method").Method)


@pytest.fixture
def before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    return digest(FILES, tmp_path / "before", monkeypatch)


def changed(name: str, old: str, new: str) -> dict[str, str]:
    assert old in FILES[name]
    return FILES | {name: FILES[name].replace(old, new)}


SAME = {
    "a comment": changed("method.py", "  # a remark", "  # another"),
    "a docstring": changed("method.py", "Solve it.", "Find it."),
    "layout": changed("scales.py", "FACTOR * x", "(\n        FACTOR\n        * x\n    )"),
    "no docstring": changed("method.py", '    """A method."""\n', ""),
    "a module that nothing imports": changed("unrelated.py", "0", "1"),
    "what type checkers alone import": changed("method.py", "import NOTHING", "import SOMETHING"),
}
OTHER = {
    "a default": changed("method.py", "weight: float = 0.5", "weight: float = 0.6"),
    "the type of a parameter": changed("method.py", "weight: float", "weight: int"),
    "a module that is imported from its package": changed("steps.py", "+ k", "- k"),
    "a module behind a relative import of modules": changed("scales.py", "FACTOR = 3", "FACTOR = 4"),
    "a relative import": changed("limits.py", "10", "11"),
    "a base class": changed("base.py", "scale(data)", "scale(-data)"),
    "what a function imports": changed("late.py", "deep(1)", "deep(2)"),
    "a subpackage that hands on": changed("inner/__init__.py", "import deep", "import deep as deeper, deep"),
    "a module of a subpackage": changed("inner/deep.py", "return x", "return -x"),
    "a module that is imported by its full name": changed("inner/table.py", "{}", "{1: 2}"),
    "the package itself, of which modules are imported": changed("__init__.py", "1", "2"),
    "a function of another package": changed("method.py", "np.sqrt", "np.cbrt"),
}


def test_every_process_and_version_of_python_finds_the_same(before):
    assert before == "3:53036523a4e937983ab6226336f6a460031f38b7fec754ab72395bd829a28164"


@pytest.mark.parametrize("what", SAME)
def test_what_decides_no_result_leaves_it(what, before, tmp_path, monkeypatch):
    assert digest(SAME[what], tmp_path / "after", monkeypatch) == before


@pytest.mark.parametrize("what", OTHER)
def test_what_decides_results_changes_it(what, before, tmp_path, monkeypatch):
    after = digest(OTHER[what], tmp_path / "after", monkeypatch)
    assert after != before
    assert is_other_code(before, after)


@pytest.mark.parametrize(
    ("statements", "helper"),
    [
        ("import toy_code.space.far as far\n", "space/far.py"),
        ("from toy_code.space import far\n", "space/far.py"),
        ("from .space.far import FAR\n", "space/far.py"),
        ("def solve():\n    class Inner:\n        from .limits import LARGEST\n", "limits.py"),
        ("try:\n    from missing import x\nexcept ImportError:\n    from .limits import LARGEST as x\n", "limits.py"),
    ],
    ids=["module of a namespace package", "from one", "relative to one", "within a class", "within a handler"],
)
def test_however_a_module_is_imported_it_counts(statements, helper, tmp_path):
    values = []
    for number in (1, 7):
        folder = tmp_path / str(number)
        write(FILES | {helper: FILES[helper].replace("1", str(number)), "method.py": statements}, folder)
        values.append(digest_in_folder(folder, "toy_code.method", folder / "toy_code" / "method.py"))
    assert values[0] != values[1]


def test_what_is_imported_already_does_not_matter(tmp_path, monkeypatch):
    first = digest(FILES, tmp_path, monkeypatch)
    with monkeypatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        import_module("toy_code.late")
        import_module("toy_code.unrelated")
        code_digest.cache_clear()
        assert code_digest(sys.modules["toy_code.method"].Method) == first


def test_syntax_that_differs_has_other_digests(tmp_path):
    lines = (
        "global A", "x = (1, 2)", "x = (2, 1)", "x = 1.0", "x = 1", "x = '1'", "x = b'1'", "x = None", "x = {**a}",
        "x = {None: a}", "x = [], 1", "x = [1]", "x, y = 1, 2", "return", "return None or a", "x = lambda a, *, b: b",
        "x = lambda a, b: b", "del a", "a", "a if a else a", "a, 'not a docstring'",
    )  # fmt: skip
    digests = set()
    for number, line in enumerate(lines):
        path = tmp_path / f"m{number}.py"
        path.write_text(f"def f(a):\n    {line}\n")
        digests.add(digest_in_folder(tmp_path, "m", path))
    assert len(digests) == len(lines)


@pytest.mark.parametrize(
    "text", ["x = " + "-" * 20_000 + "1", "print 'another Python'", "x = " + "(" * 500 + ")" * 500], ids=len
)
def test_a_file_that_cannot_be_parsed_counts_as_it_is(text, tmp_path):
    (tmp_path / "m.py").write_text(text)
    first = digest_in_folder(tmp_path, "m", tmp_path / "m.py")
    (tmp_path / "m.py").write_text(f"{text} # a comment")
    assert first.startswith("3:")
    assert digest_in_folder(tmp_path, "m", tmp_path / "m.py") != first


@pytest.mark.parametrize("name", sorted(module.PLUMBING))
def test_what_does_not_count_is_a_module(name):
    path = Path(mvarena.__file__).parent.joinpath(*name.split(".")[1:])
    assert path.with_suffix(".py").is_file(), "it was moved: name it in PLUMBING as it is called now"


def test_of_mvarena_what_decides_results_counts(monkeypatch):
    read, original = [], module._read
    monkeypatch.setattr(module, "_read", lambda path, *state: (read.append(path), original(path, *state))[1])
    code_digest.cache_clear()
    assert code_digest(MIC).startswith("3:")
    names = {path.relative_to(Path(mvarena.__file__).parent).as_posix() for path in read}
    assert {"algorithms/nmf/mic.py", "contracts/algorithm.py", "numerics/assignment.py"} <= names
    assert "data.py" not in names
    assert not any(name.startswith(("store/", "engine/", "cli/", "report/", "registry/")) for name in names)


def test_without_source_there_is_none():
    assert code_digest(dict) == ""
    assert code_digest(type("Made", (), {"__module__": "mvarena.algorithms.nmf.mic"})) == ""


def test_of_a_library_whose_version_is_known_its_module_is_enough():
    assert code_digest(KMeans).startswith("3:")


def test_nothing_is_known_of_other_schemes():
    now = "3:" + 64 * "0"
    assert not is_other_code("", now)
    assert not is_other_code("3:" + 64 * "1", "")
    assert not is_other_code(64 * "1", now)
    assert not is_other_code("2:" + 64 * "1", now)
    assert is_other_code("3:" + 64 * "1", now)
