"""Advice in messages helps: what a message says is done, word for word, and the fault is gone.

Each row has a fault, the words of its message that say what to do, and that done: files with a method, views of data,
calls, words of a command line. A new message that gives advice gets a row. All run in a folder of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from shared.command_line import called

import mvarena
from mvarena import MultiViewData, View
from mvarena.errors import MvarenaError
from mvarena.registry.user_code import load_local, local_spec, spec_of_estimator
from mvarena.store.database import open_database
from mvarena.study.building import blocks_of
from mvarena.study.settings import Layer, laid_over
from mvarena.testing import blobs

N = 9
A = np.arange(N * 2.0).reshape(N, 2)
B = 10.0 + np.arange(N * 3.0).reshape(N, 3)
Y = np.arange(N) % 3
IDS = [f"s{row}" for row in range(N)]
FRAME, OTHER = pd.DataFrame(A, index=IDS), pd.DataFrame(B, index=IDS[::-1])
LABELS = pd.Series(Y, index=IDS)
WITH_TEXTS, WITH_IDS = FRAME.assign(batch=["x", "y", "y"] * 3), FRAME.assign(who=IDS)
WITH_CLASSES, WITH_NUMBERS = FRAME.assign(label=Y), pd.DataFrame(A).assign(id=range(3, 3 + N))
TWICE, FROM_1 = pd.DataFrame(A, index=[0, 1, 2, 3] * 2 + [4]), pd.DataFrame(B, index=range(1, N + 1))
CAPITALS, WITH_AN_EMPTY_ID = OTHER.rename(str.upper), FRAME.set_axis([None, *IDS[1:]])
ONE_GAP = np.where(A == 1, np.nan, A)
arrays = MultiViewData.from_arrays

Call = Callable[[], Any]


def own(text: str, name: str = "", file: str = "own.py") -> None:
    """Write a method into a file and run it on small data that miss samples, filled first where it says so."""
    Path(file).write_text("import numpy as np\n" + text)
    spec = local_spec(f"{file}:{name}" if name else file)
    data = blobs(N, missing=0.0 if not spec.capabilities.missing else 0.3)
    load_local(spec)().fit(data)


def method(body: str, *, parameters: str = "X", attributes: str = "pass", constructor: str = "self") -> str:
    return (
        f"class Own:\n    {attributes}\n    def __init__({constructor}): pass\n"
        f"    def fit_predict(self, {parameters}):\n        {body}\n"
    )


GOOD = "return np.arange(len(X)) % 2"
TWO = "def one(X, n_clusters):\n    return [0] * len(X)\n\ndef two(X, n_clusters):\n    return [0] * len(X)\n"
LISTS = "class Own:\n    def fit(self, X):\n        {}\n"


def asked(**settings: Any) -> None:
    """Look up what a study asks for, without running it."""
    catalog = mvarena.registry.catalog.installed_catalog()
    blocks_of([laid_over([Layer({"data": ("digits",)} | settings)])], catalog)


def changed_while_running(again: bool) -> None:
    Path("own.py").write_text(method(GOOD).replace("class", "import numpy as np\nclass"))
    spec = local_spec("own.py")
    Path("own.py").write_text(method("return np.zeros(len(X))").replace("class", "import numpy as np\nclass"))
    load_local(local_spec("own.py") if again else spec)


def run(data: Any, **more: Any) -> None:
    settings = {"corruptions": "none", "repeats": 1, "restarts": 1, "n_clusters": 3, "progress": False, "jobs": 1}
    mvarena.run("concat", data, **settings | more)


def labels_of(views: list[Any], n_clusters: int) -> Any:
    return np.arange(len(views[0])) % n_clusters


OF_FILES: dict[str, tuple[str, str, str]] = {
    "no method": (
        "from sklearn.cluster import KMeans",
        r"no function f(views, n_clusters); write one",
        "def f(views, n_clusters):\n    return np.arange(len(views[0])) % n_clusters",
    ),
    "no labels": (
        LISTS.format("self.found = [0] * len(X)"),
        "set no labels_; set them",
        LISTS.format("self.labels_ = [0] * len(X)"),
    ),
    "no labels, the other way": (LISTS.format("self.found = [0] * len(X)"), "or write a fit_predict", method(GOOD)),
    "None": (method("return None"), "must return one label per sample", method(GOOD)),
    "scores": (
        method("return [str(x) if x else None for x in range(len(X))]"),
        "return whole numbers",
        method("return list(range(len(X)))"),
    ),
    "labels and more": (
        method("return np.zeros(len(X)), 0.5"),
        "return one label per sample, alone",
        method("return np.zeros(len(X))"),
    ),
    "an open k, by a default": (
        method(GOOD, constructor="self, k"),
        "give k a default",
        method(GOOD, constructor="self, k=2"),
    ),
    "an open k, by its name": (
        method(GOOD, constructor="self, k"),
        "or call it n_clusters if it is the number of clusters",
        method(GOOD, constructor="self, n_clusters"),
    ),
    "an open k of the method": (
        method(GOOD, parameters="X, k"),
        "give k a default, or call it n_clusters",
        method(GOOD, parameters="X, n_clusters"),
    ),
    "an open k of a function": (
        "def f(X, k, n_clusters):\n    return [0] * len(X)",
        "give k a default",
        "def f(X, n_clusters, k=2):\n    return [0] * len(X)",
    ),
    "a mask that is declined": (
        method(GOOD, parameters="X, mask", attributes="missing = None"),
        "write missing = 'mask' to get it",
        method("assert not mask.all(); " + GOOD, parameters="X, mask", attributes="missing = 'mask'"),
    ),
    "takes": (
        method(GOOD, attributes="takes = 'tensor'"),
        "write takes = 'views' or takes = 'matrix'",
        method("assert isinstance(X, list); return [0] * len(X[0])", attributes="takes = 'views'"),
    ),
    "missing": (
        method(GOOD, attributes="missing = 'NaN'"),
        "write missing = 'nan' for rows of NaN, 'mask' for the mask, or None",
        method("assert np.isnan(X).any(); " + GOOD, attributes="missing = 'nan'"),
    ),
    "a name in capitals": (
        method(GOOD, attributes="name = 'All in One'"),
        "use lower case letters, digits and hyphens",
        method(GOOD, attributes="name = 'all-in-one'"),
    ),
}

OF_METHODS: dict[str, tuple[Call, str, Call]] = {
    "several methods": (lambda: own(TWO), "name one: own.py:one, own.py:two", lambda: own(TWO, "one")),
    "only an import": (
        lambda: own("from sklearn.cluster import KMeans"),
        "or name what it imports, as in own.py:NAME",
        lambda: own("from sklearn.cluster import KMeans", "KMeans"),
    ),
    "a wrong name": (
        lambda: own(method(GOOD), "Onw"),
        "Did you mean Own? It defines Own.",
        lambda: own(method(GOOD), "Own"),
    ),
    "no name in a file": (
        lambda: local_spec("own.py:"),
        "write it as my_method.py:MyMethod",
        lambda: own(method(GOOD).replace("Own", "MyMethod"), "MyMethod", "my_method.py"),
    ),
    "neither fit nor fit_predict": (
        lambda: own("class Own:\n    def run(self, X): pass", "Own"),
        "write a class with fit_predict(self, views)",
        lambda: own("class Own:\n    def fit_predict(self, views): return [0] * len(views[0])", "Own"),
    ),
    "a name that is taken": (
        lambda: asked(algo=(str(_class("OneCluster")),)),
        "rename yours: its name is made from the class's, or is the class attribute `name`",
        lambda: asked(algo=(str(_class("OneCluster", "name = 'all-in-one'")),)),
    ),
    "a parameter by the class": (
        lambda: asked(algo=(str(_class("NaNAware")),), param={"NaNAware": {"lam": ("2",)}}),
        "Did you mean nan-aware?",
        lambda: asked(algo=(str(_class("NaNAware")),), param={"nan-aware": {"lam": ("2",)}}),
    ),
    "a parameter of another name": (
        lambda: asked(algo=(str(_class("NaNAware", "name = 'tolerant'")),), param={"tolerent": {"lam": ("2",)}}),
        "Did you mean tolerant",
        lambda: asked(algo=(str(_class("NaNAware", "name = 'tolerant'")),), param={"tolerant": {"lam": ("2",)}}),
    ),
    "changed code": (
        lambda: changed_while_running(again=False),
        "run the same command again",
        lambda: changed_while_running(again=True),
    ),
    "an object for a function": (
        lambda: spec_of_estimator(len),
        "or a function f(views, n_clusters)",
        lambda: spec_of_estimator(labels_of),
    ),
    "a function without data": (
        lambda: spec_of_estimator(lambda: [0]),
        "write it as lambda(views, n_clusters)",
        lambda: spec_of_estimator(labels_of),
    ),
}

OF_VIEWS: dict[str, tuple[Any, str, Any]] = {
    "one array": (A, "wrap it as [array]", [A]),
    "text columns": ([WITH_TEXTS], "frame.drop(columns=['batch'])", [WITH_TEXTS.drop(columns=["batch"])]),
    "ids in a column": ([WITH_IDS], "frame.set_index('who') if these are ids", [WITH_IDS.set_index("who")]),
    "a feature that is called label": (
        [WITH_CLASSES],
        "or give the column another name",
        [WITH_CLASSES.rename(columns={"label": "third"})],
    ),
    "ids of numbers in a column": ([WITH_NUMBERS], "frame.set_index('id')", [WITH_NUMBERS.set_index("id")]),
    "numbers as texts in a table": (
        [FRAME.astype(str)],
        "frame.astype({0: float})",
        [FRAME.astype({1: str}).astype({1: float})],
    ),
    "numbers as texts": ([A.astype(str)], "array.astype(float)", [A.astype(str).astype(float)]),
    "a column as a vector": ([A[:, 0]], ".reshape(-1, 1)", [A[:, 0].reshape(-1, 1)]),
    "images": ([B.reshape(N, 3, 1)], ".reshape(len(array), -1)", [B.reshape(N, 3, 1).reshape(N, -1)]),
    "columns in a dictionary": ([{"a": [1, 2]}], "pandas.DataFrame(view)", [pd.DataFrame({"a": [1, 2]})]),
    "a cell without a value": ([ONE_GAP], "fill or remove single missing values", [np.nan_to_num(ONE_GAP)]),
    "a sample in no view": ([np.where(A < 2, np.nan, A)], "remove these samples", [np.where(A < 2, np.nan, A)[1:]]),
    "a view of nothing": ([A, B * np.nan], "remove it", [A]),
    "rows of one id": (
        [TWICE, OTHER],
        ".groupby(level=0).first()",
        [TWICE.groupby(level=0).first(), pd.DataFrame(B).iloc[:5]],
    ),
    "rows of one id, by position": ([TWICE, OTHER], ".reset_index(drop=True)", [TWICE.reset_index(drop=True), OTHER]),
    "an empty id": ([WITH_AN_EMPTY_ID], ".reset_index(drop=True)", [WITH_AN_EMPTY_ID.reset_index(drop=True)]),
    "no id in common": (
        [FRAME, CAPITALS],
        "go by position with .reset_index(drop=True)",
        [FRAME.reset_index(drop=True), CAPITALS.reset_index(drop=True)],
    ),
    "the same index": ([FRAME, CAPITALS], "write ids alike", [FRAME, CAPITALS.rename(str.lower)]),
    "numbers from 1": (
        [pd.DataFrame(A), FROM_1],
        "go by position with .reset_index(drop=True)",
        [pd.DataFrame(A), FROM_1.reset_index(drop=True)],
    ),
    "an array beside two orders": (
        [FRAME, OTHER, A],
        "pandas.DataFrame(array, index=ids)",
        [FRAME, OTHER, pd.DataFrame(A, index=IDS)],
    ),
}

OF_DATA: dict[str, tuple[Call, str, Call]] = {
    "one table to run": (lambda: run(FRAME), "wrap it as [array]", lambda: run([FRAME])),
    "a name as data": (
        lambda: mvarena.prepare("digits"),
        "or load_dataset(...)",
        lambda: mvarena.prepare(mvarena.load_dataset("digits")),
    ),
    "classes in a column": (
        lambda: arrays([WITH_CLASSES]),
        "frame.drop(columns=['label']) and give labels=frame['label']",
        lambda: arrays([WITH_CLASSES.drop(columns=["label"])], labels=WITH_CLASSES["label"]),
    ),
    "labels of some": (
        lambda: arrays([FRAME, OTHER], labels=LABELS[2:]),
        "give all of them",
        lambda: arrays([FRAME, OTHER], labels=LABELS[2:].reindex(IDS)),
    ),
    "labels of others": (
        lambda: arrays([FRAME, OTHER], labels=LABELS.rename(str.upper)),
        "by position with labels.to_numpy()",
        lambda: arrays([FRAME, OTHER], labels=LABELS.rename(str.upper).to_numpy()),
    ),
    "labels by id": (
        lambda: arrays([A, B], labels=dict(LABELS)),
        "pandas.DataFrame(array, index=ids)",
        lambda: arrays([pd.DataFrame(A, index=IDS), B], labels=dict(LABELS)),
    ),
    "labels in no order": (
        lambda: arrays([FRAME[:6], OTHER[:6]], labels=Y),
        "pandas.Series(labels, index=ids)",
        lambda: arrays([FRAME[:6], OTHER[:6]], labels=pd.Series(Y, index=IDS)),
    ),
    "a mask in no order": (
        lambda: arrays([FRAME[:6], OTHER[:6]], mask=np.ones((N, 2))),
        "pandas.DataFrame(mask, index=ids)",
        lambda: arrays([FRAME[:6], OTHER[:6]], mask=pd.DataFrame(np.ones((N, 2)), index=IDS)),
    ),
    "a mask of other views": (
        lambda: arrays({"a": A}, mask={"b": Y >= 0}),
        "give it the names of the views",
        lambda: arrays({"a": A}, mask={"a": Y >= 0}),
    ),
    "two columns of labels": (
        lambda: arrays([A], labels=pd.DataFrame({"p": Y, "q": Y})),
        "give one, as in frame['q']",
        lambda: arrays([A], labels=pd.DataFrame({"p": Y, "q": Y})["q"]),
    ),
    "ids beside labels": (
        lambda: arrays([FRAME, OTHER], labels=pd.DataFrame({"who": IDS, "class": Y})),
        "frame.set_index('who')['class']",
        lambda: arrays([FRAME, OTHER], labels=pd.DataFrame({"who": IDS, "class": Y}).set_index("who")["class"]),
    ),
    "a column per class": (
        lambda: arrays([A], labels=np.eye(3)[Y]),
        ".argmax(axis=1)",
        lambda: arrays([A], labels=np.eye(3)[Y].argmax(axis=1)),
    ),
    "labels in a set": (lambda: arrays([A], labels=set(Y)), "give a list", lambda: arrays([A], labels=list(Y))),
    "names twice": (lambda: arrays({"a": A}, view_names=["b"]), "leave view_names out", lambda: arrays({"a": A})),
    "ids twice": (lambda: arrays([FRAME, OTHER], ids=IDS[::-1]), "leave ids= out", lambda: arrays([FRAME, OTHER])),
    "views of one name": (
        lambda: MultiViewData("x", (View("a", A), View("a", B))),
        "rename one",
        lambda: MultiViewData("x", (View("a", A), View("b", B))),
    ),
    "a database that is called a table": (
        lambda: open_database("results.csv"),
        "name it .db",
        lambda: open_database("results.db").close(),
    ),
    "no data": (
        lambda: mvarena.run(["concat"]),
        "name the data, as in run(algorithms, 'digits')",
        lambda: run("digits[fou]"),
    ),
    "no classes": (lambda: run([A], n_clusters=None), "give the number of clusters", lambda: run([A], n_clusters=3)),
}


def _class(name: str, attribute: str = "pass") -> Path:
    path = Path(f"{name.lower()}.py").absolute()
    path.write_text(
        f"class {name}:\n    {attribute}\n    def __init__(self, lam=1.0): self.lam = lam\n"
        + ("    def fit_predict(self, X): return [0] * len(X)\n")
    )
    return path


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("do", "fault", "says", "mended"),
    [
        *(pytest.param(own, *row, id=name) for name, row in OF_FILES.items()),
        *(pytest.param(arrays, *row, id=name) for name, row in OF_VIEWS.items()),
        *(pytest.param(lambda call: call(), *row, id=name) for name, row in (OF_METHODS | OF_DATA).items()),
    ],
)
def test_the_fault_is_gone_once_its_advice_is_followed(do: Callable[[Any], Any], fault: Any, says: str, mended: Any):
    with pytest.raises(MvarenaError, match=re.escape(says)):
        do(fault)
    do(mended)


GOOD_FILE = "a,b\n" + "".join(f"{row}.5,{row % 3}.5\n" for row in range(N))
PLAN = ("run", "--dry-run", "--algo", "concat", "--corrupt", "none", "--repeats", "1", "--no-controls")

OF_COMMANDS: dict[str, tuple[tuple[str, ...], str, tuple[str, ...]]] = {
    "no number of clusters": (("--data", "a.csv"), "--clusters", ("--data", "a.csv", "--clusters", "3")),
    "a cell without a value": (
        ("--data", "gap.csv", "--clusters", "3"),
        "--impute median",
        ("--data", "gap.csv", "--clusters", "3", "--impute", "median"),
    ),
    "no view": (
        ("--data", "digits[]"),
        "name at least one between the brackets",
        ("--data", "digits[fou]"),
    ),
    "a name in capitals": (("--data", "DIGITS"), "Did you mean digits?", ("--data", "digits")),
    "a word of scikit-learn": (
        ("--data", "digits", "--scale", "standard"),
        "Did you mean zscore?",
        ("--data", "digits", "--scale", "zscore"),
    ),
    "a word of statistics": (
        ("--data", "digits", "--corrupt", "mcar"),
        "Did you mean missing-per-view?",
        ("--data", "digits", "--corrupt", "missing-per-view"),
    ),
    "a file without an ending": (
        ("--data", "plain", "--clusters", "3"),
        "needs an ending",
        ("--data", "a.csv", "--clusters", "3"),
    ),
}


@pytest.mark.parametrize(("words", "says", "done"), OF_COMMANDS.values(), ids=OF_COMMANDS)
def test_the_command_runs_once_its_advice_is_followed(words, says, done, capsys: pytest.CaptureFixture[str]):
    Path("a.csv").write_text(GOOD_FILE)
    Path("gap.csv").write_text(GOOD_FILE.replace("3.5,0.5", "3.5,"))
    Path("plain").write_text(GOOD_FILE)
    code, _, complaint = called(capsys, *PLAN, *words)
    assert code
    assert says in " ".join(complaint.split())
    code, _, complaint = called(capsys, *PLAN, *done)
    assert not code, complaint


def test_views_in_files_of_their_own_are_joined_by_commas(capsys: pytest.CaptureFixture[str]):
    for name in ("a.csv", "b.csv"):
        Path(name).write_text(GOOD_FILE)
    few = ("--clusters", "2", "--restarts", "1", "--jobs", "1", "--algo", "concat")
    code, _, complaint = called(capsys, "cluster", "a.csv", "b.csv", *few)
    assert code == 2
    assert "join the files of its views by commas: a.csv,b.csv" in complaint
    code, _, complaint = called(capsys, "cluster", "a.csv,b.csv", *few, "--out", "labels.xlsx")
    assert code == 2
    assert "--out labels.csv" in complaint
    assert called(capsys, "cluster", "a.csv,b.csv", *few, "--out", "labels.csv")[0] == 0


def test_a_study_file_of_another_name_is_suggested(capsys: pytest.CaptureFixture[str]):
    Path("studies.toml").write_text('algo = "concat"\ndata = "digits"\n')
    code, _, complaint = called(capsys, "run", "study.toml", "--dry-run")
    assert code
    assert "Did you mean studies.toml?" in complaint
    assert called(capsys, "run", "studies.toml", "--dry-run")[0] == 0
