"""A component's fingerprint follows its own code, wherever in its package that stands, and no other."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from sklearn.cluster import KMeans

import mvarena
from mvarena.algorithms.nmf.mic import MIC
from mvarena.engine import code_fingerprint as module
from mvarena.engine.code_fingerprint import code_fingerprint, modules_of

FILES = {
    "__init__.py": "from toy_house.unrelated import NOTHING",
    "method.py": (
        "from __future__ import annotations\n"
        "from typing import TYPE_CHECKING\n"
        "import json\n"
        "from toy_house import helper\n"
        "from .inner import direct\n"
        "if TYPE_CHECKING:\n"
        "    from toy_house.unrelated import NOTHING\n"
        "class Method:\n"
        "    def run(self):\n"
        "        from toy_house.inner.late import LATE\n"
    ),
    "helper.py": "import toy_house.second\n",
    "second.py": "try:\n    from .third import three\nexcept ImportError:\n    three = 3\n",
    "third.py": "three = 3\n",
    "unrelated.py": "NOTHING = 0\n",
    "inner/__init__.py": "",
    "inner/direct.py": "from ..helper import *\n",
    "inner/late.py": "LATE = 1\n",
}
OWN = {"method", "helper", "second", "third", "inner.direct", "inner.late"}


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of several modules."""
    folder = tmp_path / "toy_house"
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "toy_house"]:
        del sys.modules[name]


def fresh(house: Path) -> str:
    """The fingerprint as a new process would find it."""
    for cached in (code_fingerprint, module._path_of, module._scanned):
        cached.cache_clear()
    return code_fingerprint(import_module("toy_house.method").Method)


def test_own_code_is_what_is_imported_of_the_same_package(house):
    found = modules_of(import_module("toy_house.method").Method)
    assert {name.partition(".")[2] for name in found} == OWN


@pytest.mark.parametrize("name", sorted(FILES))
def test_it_changes_with_own_code_and_with_no_other(house, name):
    before = fresh(house)
    assert len(before) == 64
    path = house / name
    path.write_text(path.read_text() + "\nCHANGED = True\n")
    own = name.removesuffix(".py").replace("/", ".") in OWN
    assert (fresh(house) != before) is own


def test_it_does_not_depend_on_where_the_code_lies(house, tmp_path, monkeypatch):
    before = fresh(house)
    for name in [name for name in sys.modules if name.partition(".")[0] == "toy_house"]:
        del sys.modules[name]
    (tmp_path / "elsewhere").mkdir()
    house.rename(tmp_path / "elsewhere" / "toy_house")
    monkeypatch.syspath_prepend(str(tmp_path / "elsewhere"))
    assert fresh(house) == before


def test_of_mvarena_itself_it_holds_what_decides_the_result():
    found = modules_of(MIC)
    assert {"mvarena.algorithms.nmf.mic", "mvarena.numerics.assignment", "mvarena.contracts.algorithm"} <= set(found)
    assert "mvarena.algorithms.nmf.specs" not in found
    assert "mvarena.algorithms.graph.apmc" not in found
    floors = {".".join(name.split(".")[:2]) for name in found}
    assert floors == {"mvarena.algorithms", "mvarena.numerics", "mvarena.contracts"}


def test_of_a_library_whose_version_is_known_one_module_is_enough():
    assert list(modules_of(KMeans)) == [KMeans.__module__]


def test_what_has_no_source_has_no_fingerprint():
    assert code_fingerprint(dict) == ""


def test_an_edit_that_is_declared_to_change_no_result_changes_no_fingerprint(house: Path, monkeypatch) -> None:
    before, old = fresh(house), (house / "helper.py").read_bytes()
    edited = old + b"# a remark\n"
    (house / "helper.py").write_bytes(edited)
    assert fresh(house) != before
    monkeypatch.setitem(module.SAME_RESULTS, hashlib.sha256(edited).hexdigest(), hashlib.sha256(old).hexdigest())
    assert fresh(house) == before
    (house / "helper.py").write_bytes(old)
    (house / "second.py").write_text(FILES["second.py"] + "import toy_house.fresh\n")
    (house / "fresh.py").write_text("FRESH = 1\n")
    second, digest = (house / "second.py").read_bytes(), hashlib.sha256
    monkeypatch.setitem(
        module.SAME_RESULTS, digest(second).hexdigest(), digest(FILES["second.py"].encode()).hexdigest()
    )
    assert fresh(house) != before
    monkeypatch.setitem(module.SAME_RESULTS, digest(b"FRESH = 1\n").hexdigest(), "")
    assert fresh(house) == before


def test_every_declared_edit_is_that_of_a_file_as_it_is() -> None:
    files = Path(mvarena.__file__).parent.rglob("*.py")
    digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    assert set(module.SAME_RESULTS) <= digests, "an entry is void: declare the edit anew, or take the entry out"
