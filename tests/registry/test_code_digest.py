"""The digest of a component's code follows what decides its results, and neither names nor the layout of files."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from sklearn.cluster import KMeans

import mvarena
from mvarena.algorithms import MIC
from mvarena.registry import code_digest as module
from mvarena.registry import stale_results
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.code_digest import code_digest
from mvarena.registry.plugins import is_control
from mvarena.registry.stale_results import is_other_code

METHOD = '''
from __future__ import annotations
from typing import TYPE_CHECKING
import numpy as np
from toy_code import steps
from toy_code.base import Base
from toy_code.limits import LARGEST as MOST
if TYPE_CHECKING:
    from toy_code.unrelated import NOTHING

class Method(Base):
    """A method."""

    weight: float = 0.5

    def solve(self, data, n_clusters: int) -> list:
        """Solve it."""
        from toy_code.late import shift
        found = steps.step(data, n_clusters)  # a remark
        if found > MOST:
            raise ValueError(f"{found} is too large.")
        return [shift(np.sqrt(one)) for one in found]
'''
FILES = {
    "__init__.py": "",
    "method.py": METHOD,
    "steps.py": "def step(data, k):\n    return _even(k) + data\ndef _even(n):\n    return n == 0 or _odd(n - 1)\n"
    "def _odd(n):\n    return n != 0 and _even(n - 1)\n",
    "base.py": "from toy_code.handing_on import scale\nclass Base:\n    def fit(self, data):\n"
    "        return scale(self.solve(data, 2))\n",
    "handing_on.py": "from toy_code.scales import scale\n",
    "scales.py": "FACTOR = 3\ndef scale(x):\n    return FACTOR * x\ndef unused(x):\n    return x\n",
    "limits.py": "LARGEST = 10\n",
    "late.py": "def shift(x):\n    return x + 1\n",
    "unrelated.py": "NOTHING = 0\n",
}  # fmt: skip


def digest(files: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch, where: str = "toy_code.method") -> str:
    """The digest of `Method` in a package of these files, as a new process would find it."""
    for name, text in files.items():
        path = folder / "toy_code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name in [name for name in sys.modules if name.partition(".")[0] == "toy_code"]:
        del sys.modules[name]
    module._code_of.cache_clear()
    with monkeypatch.context() as patch:
        patch.syspath_prepend(str(folder))
        return code_digest(import_module(where).Method)


@pytest.fixture
def before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    return digest(FILES, tmp_path / "before", monkeypatch)


def changed(name: str, old: str, new: str) -> dict[str, str]:
    assert old in FILES[name]
    return FILES | {name: FILES[name].replace(old, new)}


SAME = {
    "a comment": changed("method.py", "  # a remark", "  # another"),
    "a docstring": changed("method.py", "Solve it.", "Find it."),
    "a local variable": FILES | {"method.py": METHOD.replace("found", "result").replace("one", "item")},
    "an annotation of a function": changed("method.py", "n_clusters: int) -> list", "n_clusters) -> object"),
    "the text of an error": changed("method.py", "is too large.", "exceeds the limit."),
    "a private function's name": changed("steps.py", "_even", "_is_even"),
    "an alias of an import": FILES | {"method.py": METHOD.replace("as MOST", "as TOP").replace("> MOST", "> TOP")},
    "code that it does not reach": changed("scales.py", "    return x\n", "    return -x\n"),
    "what type checkers alone import": changed("unrelated.py", "0", "1"),
    "the order of definitions": FILES | {"scales.py": "def scale(x):\n    return FACTOR * x\nFACTOR = 3\n"},
}
OTHER = {
    "a default": changed("method.py", "weight: float = 0.5", "weight: float = 0.6"),
    "the type of a parameter": changed("method.py", "weight: float", "weight: int"),
    "an operator": changed("steps.py", "+ data", "- data"),
    "a function behind two others": changed("steps.py", "n - 1)\ndef _odd", "n - 2)\ndef _odd"),
    "a constant of another module": changed("limits.py", "10", "11"),
    "a constant that a base class reaches": changed("scales.py", "FACTOR = 3", "FACTOR = 4"),
    "a base class": changed("base.py", "data, 2", "data, 3"),
    "what a function imports": changed("late.py", "+ 1", "+ 2"),
    "a function of another package": changed("method.py", "np.sqrt", "np.cbrt"),
    "two local variables exchanged": changed(
        "method.py", "steps.step(data, n_clusters)", "steps.step(n_clusters, data)"
    ),
    "an argument's default": changed("late.py", "shift(x)", "shift(x, y=1)"),
}


@pytest.mark.parametrize("what", SAME)
def test_what_decides_no_result_leaves_it(what, before, tmp_path, monkeypatch):
    assert digest(SAME[what], tmp_path / "after", monkeypatch) == before


@pytest.mark.parametrize("what", OTHER)
def test_what_decides_results_changes_it(what, before, tmp_path, monkeypatch):
    after = digest(OTHER[what], tmp_path / "after", monkeypatch)
    assert after != before
    assert is_other_code(before, after)


def solving(body: str) -> str:
    return f"class Method:\n    def solve(self, x):\n        {body}\n"


def edited(first: str, second: str, **others: str) -> tuple[dict[str, str], dict[str, str]]:
    """Packages before and after an edit of `method.py`, or of another file: `name`, and `name_after` where it differs.

    Two underscores in a name are a folder's slash.
    """
    after = others | {name.removesuffix("_after"): text for name, text in others.items() if name.endswith("_after")}
    return _package(first, others), _package(second, after)


def _package(method: str, others: dict[str, str]) -> dict[str, str]:
    files = {f"{name.replace('__', '/', 1)}.py": text for name, text in others.items() if not name.endswith("_after")}
    return {"__init__.py": "", "method.py": method} | files


TWO = "def one(x):\n    return x\ndef other(x):\n    return -x\n"
TWO_AFTER = TWO.replace("return x", "return x + 1")
CYCLES = (
    "def a(x):\n    return {}(x)\ndef b(x):\n    return {}(x)\n"
    "def p(x):\n    return a(x) + 1\ndef q(x):\n    return b(x) + 2\n"
)
EDITS_THAT_COUNT = {
    "which of two used functions a third one calls": edited(
        *(f"{TWO}def third(x):\n    return {name}(x)\n{solving('return one(x) + other(x) + third(x)')}"
          for name in ("one", "other"))
    ),
    "which of two cycles is entered": edited(
        *(CYCLES.format(*names) + solving("return a(x) - b(x)") for names in ("pq", "qp"))
    ),
    "a condition of the module": edited(
        *(f"if {sign}1 > 0:\n    A = 1\nelse:\n    A = 2\n{solving('return A')}" for sign in "+-")
    ),
    "the handler of an import": edited(
        *(f"try:\n    import json as A\nexcept ImportError:\n    A = {value}\n{solving('return A')}" for value in "12")
    ),
    "a table that is filled after its definition": edited(
        *(f"A = {{}}\nA['k'] = {value}\n{solving('return A')}" for value in (1, 2))
    ),
    "a list that is extended after its definition": edited(
        *(f"A = []\nA.append({value})\n{solving('return A')}" for value in (1, 2))
    ),
    "what the module does when it is imported": edited(
        *(f"import os\nos.environ['TOY_CODE'] = '{value}'\n{solving('return x')}" for value in (1, 2))
    ),
    "which of two constants of one statement is used": edited(
        *("A, B = 1, 2\n" + solving(f"return {name}") for name in "AB")
    ),
    "a function that is imported by a star": edited(
        *["from toy_code.steps import *\n" + solving("return one(x)")] * 2, steps=TWO, steps_after=TWO_AFTER
    ),
    "a function of a module that is handed on as it is": edited(
        *["from toy_code import steps\n" + solving("return getattr(steps, 'one')(x)")] * 2,
        steps=TWO, steps_after=TWO_AFTER,
    ),
    "a function that has the name of its module": edited(
        *["from toy_code.inner import one\n" + solving("return one(x)")] * 2,
        inner____init__="from toy_code.inner.one import one\n", inner__one=TWO, inner__one_after=TWO_AFTER,
    ),
    "a function whose name an argument of a lambda bears": edited(
        *(f"def f(x):\n    return {sign}x\n{solving('return f(x) + sum(map(lambda f: f, x))')}" for sign in "+-")
    ),
    "a function whose name a comprehension's variable bears": edited(
        *(f"def f(x):\n    return {sign}x\n{solving('return [f for f in x], f(x)')}" for sign in "+-")
    ),
    "the name of an attribute in a pattern": edited(
        *(solving(f"match x:\n            case complex({name}=0):\n                return 1")
          for name in ("real", "imag"))
    ),
    "a global variable that a function sets": edited(
        *("A = 1\nB = 2\n" + solving(f"global A, B\n        {name} = 3\n        return x") for name in "AB")
    ),
    "the kind of an argument": edited(
        *(f"def f({args}):\n    return a\n{solving('return f(x)')}" for args in ("a, b=1", "a, *, b=1"))
    ),
}  # fmt: skip
EDITS_THAT_DO_NOT = {
    "the order of methods": edited(
        *("class Method:\n" + "".join(f"    def {name}(self):\n        return '{name}'\n" for name in names)
          for names in ("ab", "ba"))
    ),
    "a docstring in place of pass": edited(
        *(f"class E(Exception):\n    {body}\n{solving('return E')}" for body in ("pass", "'An error.'"))
    ),
    "an argument of a lambda": edited(
        *(solving(f"return max(x, key=lambda {name}: {name}.y)") for name in ("one", "item"))
    ),
    "the text of an assertion": edited(*(solving(f"assert x, '{text}'\n        return x") for text in ("no", "none"))),
    "the type of a local variable": edited(
        *(solving(f"y{annotation} = []\n        return y") for annotation in (": list", ""))
    ),
    "the name of a function within": edited(
        *(solving(f"def {name}(y):\n            t = y\n            return t\n        return {name}(x)")
          for name in "gh")
    ),
    "an import of a function in place of its module": edited(
        "import numpy as np\n" + solving("return np.linalg.svd(x)"),
        solving("from numpy.linalg import svd\n        return svd(x)"),
    ),
    "what runs as a script alone": edited(
        *(f"{solving('return x')}if __name__ == '__main__':\n    print({value})\n" for value in (1, 2))
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", EDITS_THAT_COUNT)
def test_an_edit_that_counts(what, tmp_path, monkeypatch):
    first, second = EDITS_THAT_COUNT[what]
    before = digest(first, tmp_path / "before", monkeypatch)
    assert before.startswith("2:")
    assert digest(second, tmp_path / "after", monkeypatch) != before


def test_code_that_is_nested_too_deeply_counts_with_its_file(tmp_path, monkeypatch):
    cases = "".join(f"        elif x == {number}:\n            return {number}\n" for number in range(1, 400))
    deep = solving("if x == 0:\n            return f(x)") + cases
    first, second = edited(*(f"def f(x):\n    return {value}\n{deep}" for value in (1, 2)))
    before = digest(first, tmp_path / "before", monkeypatch)
    assert before.startswith("2:")
    assert digest(second, tmp_path / "after", monkeypatch) != before


@pytest.mark.parametrize("what", EDITS_THAT_DO_NOT)
def test_an_edit_that_does_not(what, tmp_path, monkeypatch):
    first, second = EDITS_THAT_DO_NOT[what]
    before = digest(first, tmp_path / "before", monkeypatch)
    assert before.startswith("2:")
    assert digest(second, tmp_path / "after", monkeypatch) == before


@pytest.mark.parametrize("name", sorted(module.PLUMBING))
def test_what_does_not_count_is_a_module(name):
    path = Path(mvarena.__file__).parent.joinpath(*name.split(".")[1:])
    assert path.with_suffix(".py").is_file(), "it was moved: name it in PLUMBING as it is called now"


def test_of_mvarena_what_decides_results_counts():
    code_digest(MIC)
    read = {name for name, _ in module._code_of("mvarena")._digests}
    assert {MIC.__module__, "mvarena.contracts.algorithm", "mvarena.numerics.assignment"} <= read
    assert not read & module.PLUMBING.keys()


def test_algorithms_have_digests_of_their_own():
    catalog = installed_catalog()
    specs = [spec for spec in catalog.specs("algorithm") if spec.target.startswith("mvarena.")]
    assert len({code_digest(catalog.load(spec)) for spec in specs}) == len(specs)


def test_modules_may_be_moved_and_merged(before, tmp_path, monkeypatch):
    rest = "".join(FILES[name] for name in ("steps.py", "scales.py", "limits.py", "late.py"))
    base = FILES["base.py"].partition("\n")[2]
    method = METHOD.replace("from toy_code import steps\n", "").replace("from toy_code.base import Base\n", "")
    method = method.replace("from toy_code.limits import LARGEST as MOST\n", "").replace("> MOST", "> LARGEST")
    method = method.replace("        from toy_code.late import shift\n", "").replace("steps.step", "step")
    head, _, body = method.partition("class Method")
    files = {"__init__.py": "", "inner/__init__.py": "", "inner/whole.py": f"{head}{rest}{base}class Method{body}"}
    files["unrelated.py"] = FILES["unrelated.py"]
    assert digest(files, tmp_path / "after", monkeypatch, "toy_code.inner.whole") == before


def test_without_source_there_is_none():
    assert code_digest(dict) == ""


def test_of_a_library_whose_version_is_known_its_module_is_enough():
    assert code_digest(KMeans).startswith("2:")
    read = module._code_of(KMeans.__module__)._digests
    assert {name for name, _ in read} == {KMeans.__module__}


def test_nothing_is_known_of_other_schemes():
    now = "2:" + 64 * "0"
    assert not is_other_code("", now)
    assert not is_other_code("2:" + 64 * "1", "")
    assert not is_other_code(64 * "1", now)
    assert is_other_code("2:" + 64 * "1", now)


# methods that the last version to hash files had not, controls apart, and those whose version was raised since
CHANGED_SINCE = {
    "imvc-cbg",
    "fpmvs-cag",
    "lf-imvc",
    "dsnmf",
    "mvgl",
    "ueaf",
    "rmsc",
    "emvc",
    "emvc-trace",
    "emvc-g1",
    "emvc-l21",
}


def test_results_of_the_last_version_that_hashed_files_are_current():
    catalog, known = installed_catalog(), stale_results._same_results()
    digests = {same for names in known.values() for same in names}
    for name in catalog.names("algorithm"):
        spec = catalog.algorithm(name)
        if spec.target.startswith("mvarena.") and not is_control(spec):  # which that version had not
            assert (code_digest(catalog.load(spec)) in digests) == (name not in CHANGED_SINCE), (
                f"the code of {name} is not that which made the stored results: raise its version, or show that no "
                "result changes and write the new digest into same_results.json; or CHANGED_SINCE is not right"
            )
    for old, same in known.items():
        assert not any(is_other_code(old, new) for new in same)
        assert is_other_code(old, "2:" + 64 * "0")


def test_every_process_finds_the_same():
    code = "from mvarena.algorithms import APMC\nfrom mvarena.registry.code_digest import code_digest\n"
    command = [sys.executable, "-c", code + "print(code_digest(APMC))"]
    results = {
        subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("1", "2")
    }
    assert len(results) == 1
