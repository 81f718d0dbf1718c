"""A program as a contestant: what it is handed, what it may write, and what is said where it does something else."""

from __future__ import annotations

import os
import signal
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from own_processes import lives
from scipy.io import savemat

from mvarena.errors import Incompatible, PluginError
from mvarena.registry.catalog import Catalog
from mvarena.registry.user_code import local_spec
from mvarena.testing import blobs

Make = Callable[..., Any]
N = 30


def loaded(path: Path, text: str) -> Any:
    """The contestant that a file of this text announces."""
    path.write_text(f'name = "mine"\n{text}\n')
    return Catalog(()).load(local_spec(str(path)))


@pytest.fixture
def made(tmp_path: Path) -> Make:
    """An estimator that runs a Python script of this interpreter; `more`: further lines of its file."""

    def make(script: str, more: str = "", format: str = "npz", **params: Any) -> Any:
        (tmp_path / "method.py").write_text("import sys\ngiven, output = sys.argv[1:]\n" + textwrap.dedent(script))
        text = f'python = "{sys.executable}"\nscript = "method.py"\nformat = "{format}"\n' + more
        return loaded(tmp_path / "algorithm.toml", text)(**params)

    return make


SAVE = """
import numpy as np
np.savez(open(output, "wb"), labels=np.arange({n}) % 3)
"""


def keep(place: Path, *expressions: str) -> str:
    """A script that reads the input, saves what the expressions give, and writes labels."""
    kept = ", ".join(expressions)
    return f"import numpy as np\nwith np.load(given) as file:\n    np.savez(r'{place}', {kept})\n" + SAVE.format(n=N)


def test_npz_holds_views_masks_settings_and_parameters(made: Make, tmp_path: Path):
    data = blobs(N, missing=0.3)
    place = tmp_path / "kept.npz"
    more = 'missing = "mask"\n[parameters]\nweight = 0.5\nsizes = [3, 1]\nquick = true\nrule = "a b"\n'
    model = made(keep(place, "**file"), more, n_clusters=3, random_state=2**40 + 5, weight=0.25)
    model.canonical = False  # the order of the caller, so that it can be compared
    model.solve(data, 3)
    with np.load(place) as kept:
        assert set(kept) == {"X1", "X2", "mask", "n_clusters", "n_views", "seed", "view_names", "params"}, "no labels"
        for v, view in enumerate(data.views, 1):
            assert (kept[f"X{v}"] == view.matrix).all()
        assert (kept["mask"] == data.mask).all()
        assert (int(kept["n_clusters"]), int(kept["n_views"]), int(kept["seed"])) == (3, len(data.views), 5)
        assert list(kept["view_names"]) == list(data.view_names)
        assert str(kept["params"]) == '{"weight": 0.25, "sizes": [3, 1], "quick": true, "rule": "a b"}'


@pytest.mark.parametrize("kind", ["features", "kernel"])
def test_missing_samples_are_nan_where_the_file_says_so(made: Make, tmp_path: Path, kind: str):
    data = blobs(N, missing=0.3, kind=kind)
    place = tmp_path / "kept.npz"
    made(keep(place, "X1=file['X1']"), f'missing = "nan"\nkinds = ["{kind}"]\n').solve(data, 3)
    observed = data.mask[:, 0]
    seen = np.outer(observed, observed) if kind == "kernel" else observed[:, None]
    with np.load(place) as kept:
        assert (np.isnan(kept["X1"]) == ~seen).all(), "a kernel misses rows and columns"


def test_a_matrix_holds_the_views_side_by_side_and_columns_can_be_samples(made: Make, tmp_path: Path):
    data = blobs(N)
    place = tmp_path / "kept.npz"
    made(keep(place, "X=file['X'], mask=file['mask']"), 'takes = "matrix"\nsamples = "columns"\n').solve(data, 3)
    with np.load(place) as kept:
        assert (kept["X"] == np.hstack([view.matrix for view in data.views]).T).all()
        assert kept["mask"].shape == (len(data.views), N)


def test_mat_holds_a_cell_of_views_and_a_struct(made: Make, tmp_path: Path):
    from scipy.io import loadmat

    data = blobs(N, missing=0.2)
    place = tmp_path / "kept.mat"
    script = f"import shutil\nshutil.copy(given, r'{place}')\n" + SAVE.format(n=N)
    more = 'missing = "mask"\n[parameters]\nweight = 2\nsizes = [3, 1]\nquick = true\nrule = "a b"\n'
    made(script, more, "mat", random_state=4).solve(data, 3)
    kept = loadmat(place)
    assert kept["X"].shape == (1, len(data.views))
    for v, view in enumerate(data.views):
        assert (kept["X"][0, v] == view.matrix).all()
    assert (kept["mask"] == data.mask).all()
    assert (kept["n_clusters"].item(), kept["seed"].item()) == (3.0, 4.0)
    assert [str(name[0]) for name in kept["view_names"][0]] == list(data.view_names)
    params = kept["params"][0, 0]
    assert (params["weight"].item(), params["sizes"].ravel().tolist(), params["rule"].item()) == (2.0, [3, 1], "a b")
    assert kept["X"][0, 0].dtype == params["weight"].dtype == np.float64, "MATLAB divides whole numbers by rounding"


def test_csv_is_a_folder(made: Make, tmp_path: Path):
    data = blobs(N, missing=0.3)
    place = tmp_path / "kept"
    script = f"""
        import shutil
        shutil.copytree(given, r"{place}")
        with open(output, "w") as file:
            file.writelines(f"{{i % 3}}\\n" for i in range({N}))
    """
    more = 'missing = "nan"\n[parameters]\nrule = "a, b"\n'
    found = made(script, more, "csv", random_state=4).solve(data, 3)
    assert found.labels.tolist() == [i % 3 for i in range(N)]
    array = np.loadtxt(place / "X1.csv", delimiter=",")
    assert np.array_equal(np.isnan(array).all(axis=1), ~data.mask[:, 0])
    assert (array[data.mask[:, 0]] == data.views[0].matrix[data.mask[:, 0]]).all()
    assert (np.loadtxt(place / "mask.csv", delimiter=",") == data.mask).all()
    lines = (place / "settings.csv").read_text().splitlines()
    assert lines == ["n_clusters,3", "seed,4", f"n_views,{len(data.views)}", 'param.rule,"a, b"']


def test_the_command_is_filled_and_other_braces_stay(tmp_path: Path):
    (tmp_path / "a.txt").write_text("")
    braces = "{folder}|{seed}|{clusters}|{param.x}|{param.y}|X{1}|{nothing}"
    script = f"printf '%s\\n' '{braces}' > {tmp_path}/kept; pwd >> {tmp_path}/kept; seq {N} > '{{output}}'"
    text = f'format = "csv"\nfiles = ["a.txt"]\ncommand = ["sh", "-c", {script!r}]\n'
    text += "[parameters]\nx = true\ny = [1.5, 2.0]\n"
    loaded(tmp_path / "algorithm.toml", text)(random_state=7).solve(blobs(N), 3)
    filled, folder = (tmp_path / "kept").read_text().splitlines()
    assert filled == f"{tmp_path}|7|3|1|[1.5, 2.0]|X{{1}}|{{nothing}}"
    assert Path(folder).name.startswith("mvarena-")
    assert not Path(folder).exists(), "the folder of a trial goes with it"


def test_a_folder_with_quotation_marks_ends_no_text_of_the_command(tmp_path: Path):
    home = tmp_path / "the lab's"
    home.mkdir()
    (home / "a.txt").write_text("".join(f"{i % 3}\n" for i in range(N)))
    text = """format = "csv"\nfiles = ["a.txt"]\ncommand = ["sh", "-c", "cat '{folder}/a.txt' > '{output}'"]"""
    found = loaded(home / "algorithm.toml", text)().solve(blobs(N), 3)
    assert found.labels.tolist() == [i % 3 for i in range(N)]
    assert sorted(path.name for path in home.iterdir()) == ["a.txt", "algorithm.toml"]


@pytest.mark.parametrize(("what", "form"), [("labels", "mat"), ("embedding", "csv"), ("affinity", "npy")])
def test_what_a_program_writes_is_known_by_its_content(made: Make, tmp_path: Path, what: str, form: str):
    rng = np.random.default_rng(0)
    values = {"labels": np.arange(N) % 3 + 4, "embedding": rng.random((N, 2)), "affinity": rng.random((N, N))}[what]
    place = tmp_path / "answer"
    with place.open("wb") as file:
        if form == "npy":
            np.save(file, values)
        elif form == "mat":
            savemat(file, {what: values})
        else:
            np.savetxt(file, values, delimiter=",", fmt="%.17g")
    found = made(f"import shutil\nshutil.copy(r'{place}', output)", f'writes = "{what}"\n').solve(blobs(N), 3)
    expected = values - 4 if what == "labels" else values
    assert np.array_equal(getattr(found, what), expected)


def test_labels_may_be_texts(made: Make):
    script = f"open(output, 'w').write('\\n'.join('ab'[i % 2] for i in range({N})))"
    assert made(script, format="csv").solve(blobs(N), 2).labels.tolist() == [i % 2 for i in range(N)]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("open(output, 'w').close()", "mine wrote no labels to the file"),
        ("sys.exit(3)", "mine ended with exit code 3 and printed nothing"),
        (
            "print('out'); print('first', file=sys.stderr); sys.exit('the last line')",
            r"mine ended with exit code 1: first \| the last line",
        ),
        ("def f():\n    raise ValueError('no\\nway')\nf()", r"exit code 1: ValueError: no \| way$"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", "mine ended with signal SIGTERM"),
        ("import numpy as np; np.savez(output, labels=np.zeros(7))", "mine returned 7 labels for 30 samples"),
        ("import numpy as np; np.savez(output, idx=np.zeros(30))", "wrote no variable 'labels'; its file holds idx"),
        ("open(output, 'wb').write(b'PK nonsense')", "wrote a file that cannot be read"),
        ("open(output, 'w').write('# Created by Octave 7.3.0')", "save it with save"),
        ("import pickle; pickle.dump(1, open(output, 'wb'))", "wrote a file that cannot be read"),
    ],
)
def test_what_a_program_does_wrong_is_said(made: Make, script: str, said: str):
    with pytest.raises(PluginError, match=said):
        made(script).solve(blobs(N), 3)


def test_an_embedding_has_a_row_for_each_sample(made: Make):
    script = "import numpy as np; np.savez(output, embedding=np.zeros((2, 30)))"
    with pytest.raises(PluginError, match=r"embedding of shape 2 x 30; it must have 30 rows"):
        made(script, 'writes = "embedding"\n').solve(blobs(N), 3)


def test_memory_that_a_program_lacks_is_told_as_such(made: Make):
    with pytest.raises(MemoryError, match="mine"):
        made("raise MemoryError('no room')").solve(blobs(N), 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('command = ["no-such-program"]', "mine needs no-such-program, which is not found on the PATH; install it"),
        ('command = ["env/bin/python"]\ninstall = "make env"', "which cannot be run; build it with: make env"),
    ],
)
def test_a_program_that_is_missing_is_named(tmp_path: Path, text: str, said: str):
    with pytest.raises(Incompatible, match=said):
        loaded(tmp_path / "algorithm.toml", text)().fit(blobs(N))


def test_variables_of_this_python_are_not_for_another(made: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "numpy.py").write_text("raise RuntimeError('the wrong one')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    script = SAVE.format(n=N).replace("import numpy", "sys.path.pop(0)\nimport numpy")
    assert len(made(script).solve(blobs(N), 3).labels) == N


def test_what_a_program_leaves_behind_is_ended_with_it(made: Make, tmp_path: Path):
    place = tmp_path / "pid"
    script = f"""
        import subprocess
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        open(r"{place}", "w").write(str(child.pid))
    """
    began = time.monotonic()
    made(textwrap.dedent(script) + SAVE.format(n=N)).solve(blobs(N), 3)
    assert time.monotonic() - began < 30, "a child that holds the pipes open is not waited for"
    child = int(place.read_text())
    while lives(child) and time.monotonic() - began < 30:  # a signal takes its time
        time.sleep(0.02)
    assert not lives(child)


def test_a_program_that_closes_its_streams_is_waited_for(tmp_path: Path):
    script = f"exec >&- 2>&-; sleep 0.5; seq {N} > '{{output}}'"
    model = loaded(tmp_path / "algorithm.toml", f'format = "csv"\ncommand = ["sh", "-c", {script!r}]')()
    assert len(set(model.solve(blobs(N), N).labels)) == N


# the interrupt may come between the opening of a file below /proc and its `with`: the file is closed when collected
@pytest.mark.filterwarnings("ignore:Exception ignored in. <_io.FileIO:pytest.PytestUnraisableExceptionWarning")
def test_a_program_ends_with_the_call_that_is_interrupted(made: Make, tmp_path: Path):
    place = tmp_path / "pid"
    script = f"""
        import os, time
        open(r"{place}.new", "w").write(str(os.getpid()))
        os.rename(r"{place}.new", r"{place}")
        time.sleep(60)
    """

    def interrupt(*_: object) -> None:
        if place.exists():
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            made(script).solve(blobs(N), 3)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    with pytest.raises(ProcessLookupError):
        os.kill(int(place.read_text()), 0)


def test_output_without_end_is_kept_in_bounds(made: Make, capsys: pytest.CaptureFixture[str]):
    script = "for _ in range(20000): print('x' * 100)\nprint('the end')\nprint('not well', file=sys.stderr)\n"
    made(script + SAVE.format(n=N)).solve(blobs(N), 3)
    printed = capsys.readouterr()
    assert printed.out.endswith("the end\n")
    assert len(printed.out) < 20_000
    assert printed.err == "not well\n"
