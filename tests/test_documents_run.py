"""Every command and every Python block of the guides, and every example of the help, is run as it is written.

Only the size is reduced: one repeat, one restart, one rate, two of the six views of digits, 60 samples for Octave. What
cannot be run here is named below, with the reason. Every command of the first pages (README.md, start and tutorials)
needs no data but what comes with mvarena; those whose output a page shows are run when the documentation is built.
"""

from __future__ import annotations

import re
import shutil
import sys
from code import InteractiveConsole
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import takewhile
from pathlib import Path
from tempfile import mkdtemp

import click
import numpy as np
import pytest
from documents import (
    DOCS,
    GUIDES,
    ROOT,
    commands_of,
    help_examples,
    inline_commands_of,
    python_blocks_of,
    shown_commands_of,
)
from scipy import io

from mvarena.cli.main import cli, main
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.user_code import local_spec
from mvarena.study.sources import data_source, source_from_text, sources_from_text

NOT_RUN = {
    "data fetch": "downloads from a publisher",
    "data import flower17": "wants files that are not distributed",
    "plugin check my_method.py:MyMethod": "tests/testing/test_plugin_command.py checks classes in files",
    "plugin check mvarena-example": "tests/registry/test_example_plugin.py installs and checks it",
    "plugin check kernel-mean.toml": "tests/test_programs_in_other_languages.py checks it",
}
for _wants in ("compare mic (beta=0.01)", "compare apmc@1", "compare yesterday.db"):
    NOT_RUN[_wants] = "compares what somebody ran before; tests/cli/test_compare_command.py has its own"
for _wants in (
    "report --data webkb-*",
    "results show 158d1ed3",
    "results show KEY",
    "results show --labels",
    "report --figure embedding --trial 158d1ed3",
    "results list --by algo --data webkb-*",
    "results list --failures",
    "results delete",
    "results merge",
    "export --form wide",
    "export --status failed",
    "cite --data digits --algo",
):
    NOT_RUN[_wants] = "speaks of results that somebody else has; tests/cli/test_results_commands.py has its own"
for _wants in ("results submit", "results verify"):
    NOT_RUN[_wants] = "takes a submission that somebody has written; tests/arena has its own"
for _wants in ("reproduce apmc-table-1", "reproduce emvc", "reproduce mic", "reproduce --all", "reproduce --quick"):
    NOT_RUN[_wants] = "takes long; tests/cli/test_reproduce.py has its own, and `make reproduce` writes every page"
for _wants in (
    "arena ",
    "run arena",
    "report --db reports/arena/results.db",
    "compare reports/arena-lite/results.db",
    "results list --db reports/arena-lite/results.db",
):
    NOT_RUN[_wants] = "wants a release, or takes long; tests/arena has a small one"
MENTIONED = (["run"],)  # without what would be run
REDUCED = {
    "run": ["--repeats", "1", "--restarts", "1", "--no-controls", "--jobs", "1"],
    "cluster": ["--restarts", "1", "--clusters", "2:3", "--jobs", "1"],
}
ONE_RATE = ["--rates", "0.3"]
TWO_VIEWS = {"digits": "digits[fou,mor]"}
FEW_SAMPLES = {"digits[fou,fac]": "my/data.mat"}  # for Octave, which takes a quarter of a minute for 2,000
FEW_ITERATIONS = {
    "mic": ["--param", "mic.max_iter=2"],
    "quick": ["--param", "lrssc-centroid.max_iter=2", "rnnmf.max_iter=2"],
}
STANDS_FOR = {
    "report --figure KIND": "report --figure rate",
    "reproduce NAME": "reproduce apmc-table-1",
    "show NAME": "show fair",
    "plugin new NAME": "plugin new other-method",
    "plugin check NAME": "plugin check unit-rows",
    "data path NAME": "data path digits",
    "data verify NAME": "data verify digits",
    "data import NAME PATH": f"data import digits {ROOT / 'datasets' / 'digits'}",
    "score --metric NAME": "score --metric silhouette-views",
    "pick --pick NAME": "pick --pick consensus",
    "data inspect FILE": "data inspect my/data.mat",
    "data convert FILE OUT.npz": "data convert my/data.mat out.npz",
}
MY_METHOD = """
import numpy as np
from mvarena.contracts.algorithm import MultiViewClusterer, Representation


class MyMethod(MultiViewClusterer):
    \"\"\"The first view, with missing rows as zeros.\"\"\"

    def solve(self, data, n_clusters):
        return Representation(embedding=np.asarray(data.views[0].matrix))
"""


def written() -> list[list[str]]:
    """The commands, each once, with names in place of what stands for one; a mere mention of a command is none."""
    found = [words for guide in GUIDES for read in (commands_of, inline_commands_of)
             for words in read(guide.read_text("utf-8")) if words[0] == "mvarena"]  # fmt: skip
    filled = {" ".join(_filled(words)): _filled(words) for words in [*found, *help_examples(cli)]}
    return [words for words in filled.values() if words not in MENTIONED and not _is_mention(words)]


def _filled(words: list[str]) -> list[str]:
    text = [word.partition("|")[0] if "|" in word else word for word in words[1:]]
    text = text[: text.index(">")] if ">" in text else text
    for written_so, meant in STANDS_FOR.items():
        place = written_so.split()
        if text[: len(place)] == place:
            return [*meant.split(), *text[len(place) :]]
    return text


def _is_mention(words: list[str]) -> bool:
    """Whether a command is only called by its name, without what it cannot do without."""
    group: click.Command = cli
    for i, word in enumerate(words):
        found = group.get_command(click.Context(group), word) if isinstance(group, click.Group) else None
        if found is None:
            return False
        group = found
        if i == len(words) - 1:
            return isinstance(group, click.Group) or any(one.required for one in group.params)
    return True


def mvarena(words: list[str], cwd: Path) -> tuple[int, str, str]:
    """Exit code, output and complaints; in this process, as to start one for each would take most of the time."""
    out, err, code = StringIO(), StringIO(), 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(cwd)
        patch.delenv("MVARENA_DB", raising=False)
        if "ready" in words:  # what comes with mvarena, however much more is at hand
            patch.delenv("MVARENA_DATA", raising=False)
        try:
            main(words)
        except SystemExit as ended:
            code = int(ended.code or 0)
    return code, out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def workplace(kept_workers: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a user's files, and with results that there are two candidates and two algorithms in."""
    folder = tmp_path_factory.mktemp("workplace")
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 2, 3], 20)
    views = [rng.random((60, d)) + labels[:, None] for d in (3, 4)]
    (folder / "my").mkdir()
    cells = np.empty(2, dtype=object)
    cells[:] = views
    io.savemat(folder / "my" / "data.mat", {"X": cells, "y": labels})
    for name, array in (("a", views[0]), ("b", views[1]), ("y", labels)):
        np.savetxt(folder / f"{name}.csv", array, delimiter=",", fmt="%g")
    for name, array in (("rna", views[0]), ("methylation", views[1]), ("protein", views[1][:50] ** 2)):
        rows = [f"P{i},{','.join(map(str, row))}" for i, row in enumerate(array.round(4))]
        (folder / f"{name}.csv").write_text(
            "\n".join([f"id,{','.join(f'f{j}' for j in range(array.shape[1]))}", *rows])
        )
    rows = [f"P{i},{50 * label - i % 40},{i % 3 > 0:d},{60 + i % 9},{'I' * label}" for i, label in enumerate(labels)]
    (folder / "clinic.csv").write_text("\n".join(["id,days,death,age,stage", *rows]))
    (folder / "my_method.py").write_text(MY_METHOD)
    for path in (ROOT / "examples" / "octave").iterdir():
        shutil.copy(path, folder)
    (folder / "empty").mkdir()
    (folder / "compared").mkdir()
    compared = ["run", "--algo", "apmc", "daimc", "concat", "--data"]
    rates = ["--labels", "../y.csv", "--rates", "0.1,0.3", "--repeats", "2", "--restarts", "1"]
    study = ["run", "--algo", "apmc", "concat", "--repeats", "2", "--restarts", "1"]
    data = ["--data", "digits[fou,fac]"]
    small = ["--data", "my/data.mat", "--save", "study.toml", "--dry-run"]
    for more in (data, [*data, "--param", "apmc.n_neighbors=5,7"], small):
        code, _, err = mvarena([*study, *more], folder)
        assert code == 0, err
    mat = ["../my/data.mat", *rates[2:]]
    clinic = ["--outcomes", "../clinic.csv", "--time", "days", "--event", "death", "--clusters", "3", *rates[2:]]
    patients = ["../rna.csv,../methylation.csv", *clinic]
    for more in (mat, [*mat, "--scale", "none"], ["../a.csv,../b.csv", *rates], patients):
        code, _, err = mvarena([*compared, *more], folder / "compared")
        assert code == 0, err
    return folder


FIRST_PAGES = [ROOT / "README.md", DOCS / "start.md", *sorted((DOCS / "tutorials").glob("*.md"))]
OF_FIRST_PAGES = [
    _filled(words)
    for page in FIRST_PAGES
    for read in (commands_of, inline_commands_of)
    for words in read(page.read_text("utf-8"))
    if words[1:3] != ["data", "fetch"]
]
SLOW = ("arena run",)


def _replaced(words: list[str], options: list[str]) -> list[str]:
    """The command with these options, each in place of its own: an option may be given once."""
    named = {word for word in options if word.startswith("--")}
    kept, dropping = [], False
    for word in words:
        dropping = word in named or (dropping and not word.startswith("-"))
        kept += [] if dropping else [word]
    return [*kept, *options]


def _marked(words: list[str]) -> object:
    quick = words in OF_FIRST_PAGES and not " ".join(words).startswith(SLOW)
    return pytest.param(words, marks=[] if quick else [pytest.mark.slow])


@pytest.mark.parametrize("words", [_marked(words) for words in written()], ids=" ".join)
def test_a_command_runs(words: list[str], workplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_for(words, workplace)
    monkeypatch.chdir(folder)
    if words in OF_FIRST_PAGES and not (words[0] == "arena" and sys.flags.safe_path):  # a wheel has no releases
        monkeypatch.delenv("MVARENA_DATA", raising=False)
    else:
        skip_unless_run_here(words)
    if "kernel-mean.toml" in words and not shutil.which("octave-cli"):
        pytest.skip("octave-cli is not installed")
    less = {} if words[0] != "run" else FEW_SAMPLES if "kernel-mean.toml" in words else TWO_VIEWS
    smaller = [less.get(word, word) for word in words]
    reduced = _replaced(smaller, [*REDUCED.get(words[0], []), *(ONE_RATE if "--rates" in words else [])])
    if words[0] == "run" and not (words[1:2] == ["quick"] and "--algo" in words):
        reduced += [more for name, options in FEW_ITERATIONS.items() if name in words for more in options]
    code, out, err = mvarena(reduced, folder)
    assert code == 0, err
    assert out or err


def test_files_of_programs_in_the_documents_are_read(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "howto" / "other-languages.md").read_text("utf-8")
    first, *others = re.findall(r"^```toml\n(name = .*?)^```", text, re.MULTILINE | re.DOTALL)
    assert first == (ROOT / "examples" / "octave" / "kernel-mean.toml").read_text("utf-8")
    assert len(others) == 1
    (tmp_path / "my_demo.m").touch()
    (tmp_path / "my_method.py").touch()
    for text in others:
        (tmp_path / "my-method.toml").write_text(text, "utf-8")
        assert local_spec(str(tmp_path / "my-method.toml")).name == "my-method"


def folder_for(words: list[str], workplace: Path) -> Path:
    """The folder that a command speaks of: a new name, contestants at two rates and two scalings, or candidates."""
    if "regret" in words:
        return workplace  # where several values of a parameter were run
    if "--save" in words:
        return Path(mkdtemp(dir=workplace / "empty"))
    return workplace / "compared" if words[0] == "compare" or {"--figure", "--table"} & set(words) else workplace


def skip_unless_run_here(words: list[str]) -> None:
    """Skip what cannot be run here, with the reason. Tests download nothing: data must be at hand."""
    why_not = next((why for start, why in NOT_RUN.items() if " ".join(words).startswith(start)), None)
    if why_not:
        pytest.skip(why_not)
    for i, word in enumerate(words):
        try:
            here = word != "--data" or data_source(source_from_text(words[i + 1]), installed_catalog()).describe()
        except MvarenaError:
            continue
        if here is not True and here.state != "ready" and not here.generated:
            pytest.skip(f"{words[i + 1]} is not at hand: set MVARENA_DATA")


def test_what_the_first_pages_run_needs_no_data_but_what_comes_with_mvarena(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("MVARENA_DATA", raising=False)
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path))
    named = [word for page in FIRST_PAGES for read in (commands_of, shown_commands_of, inline_commands_of)
             for words in read(page.read_text("utf-8")) if "--data" in words
             for word in takewhile(lambda word: not word.startswith("-"), words[words.index("--data") + 1 :])
             if not word.endswith((".csv", ".mat"))]  # fmt: skip
    assert {"digits[fou,fac]", "dermatology", "segment", "synthetic-*"} <= set(named)
    for source in sources_from_text(named, installed_catalog()):
        card = data_source(source, installed_catalog()).describe()
        assert card.generated or card.state == "ready", f"{source.name} is not at hand in a clone"


BLOCKS = [
    pytest.param(block, id=f"{guide.name} {i}")
    for guide in GUIDES
    for i, block in enumerate(python_blocks_of(guide.read_text("utf-8")), start=1)
]


@pytest.mark.slow
@pytest.mark.parametrize("block", [block for block in BLOCKS if "\nclass " in str(block.values[0])])
def test_a_block_that_defines_a_class_is_a_method_in_a_file(block: str, tmp_path: Path) -> None:
    (tmp_path / "my_method.py").write_text(block, encoding="utf-8")
    small = ["--data", "digits[fou,fac]", "--rates", "0.3", "--repeats", "1", "--restarts", "1"]
    code, out, err = mvarena(["run", "--algo", "my_method.py", *small], tmp_path)
    assert code == 0, err
    assert "late-fusion" in out


@pytest.mark.slow
@pytest.mark.parametrize("block", [block for block in BLOCKS if "\nclass " not in str(block.values[0])])
def test_a_python_block_can_be_pasted_into_an_interpreter(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    console = InteractiveConsole({"__name__": "__main__"})
    for line in [*block.splitlines(), ""]:
        is_unfinished = console.push(line)
    assert not is_unfinished
    assert "Error" not in capsys.readouterr().err


def test_what_is_not_run_is_still_written_somewhere() -> None:
    everything = [" ".join(words) for words in written()]
    for start in NOT_RUN:
        assert any(text.startswith(start) for text in everything), f"nothing says 'mvarena {start}' any more"
