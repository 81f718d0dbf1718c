"""Study files: read, laid over each other, written again; what is wrong is told by file, run and key."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.cli.run import run as run_command
from mvarena.errors import InvalidSetting, MvarenaError
from mvarena.registry.catalog import installed_catalog
from mvarena.study.building import blocks_of
from mvarena.study.file import read_study_file, shipped_studies, study_at, study_text
from mvarena.study.keys import STUDY_KEYS
from mvarena.study.plan import plan_blocks
from mvarena.study.settings import Layer, checked, laid_over

CATALOG = installed_catalog()
BASE = 'algo = "toy-quick"\ndata = "toy-blobs"\nrepeats = 1\nrestarts = 1\ncontrols = false\n'


@pytest.fixture
def written(tmp_path):
    def write(text: str):
        path = tmp_path / "study.toml"
        path.write_text(text)
        return read_study_file(path)

    return write


def keys(blocks) -> list[str]:
    return [trial.key for trial in plan_blocks(blocks, CATALOG).trials]


def studies(file, **upper):
    return [block.study for block in file.blocks(CATALOG, Layer(checked(upper, "")))]


def test_every_key_is_an_option_of_run():
    flags = {name for option in run_command.params for name in option.opts}
    assert {f"--{key.name}" for key in STUDY_KEYS} - {"--skip-after-limit"} <= flags


def test_runs_share_what_stands_above_them_and_may_say_otherwise(written):
    first, second = studies(
        written(BASE + '[[run]]\nrepeats = 3\n[[run]]\nalgo = ["toy-slow", "toy-quick"]\nrates = "0.1:0.5:0.2"\n')
    )
    assert (first.algorithms, first.repeats, first.rates) == (("toy-quick",), 3, None)
    assert (second.algorithms, second.repeats, second.rates) == (("toy-slow", "toy-quick"), 1, (0.1, 0.3, 0.5))
    file = written(BASE + "[[run]]\nrepeats = 3\n[[run]]\nseed = 4\n")
    assert [one.repeats for one in studies(file, repeats=7)] == [7, 7], "what is typed overrides every run"


@pytest.mark.parametrize(
    "param",
    [
        "[param.toy-quick]\nscale = [1, 2.5]",
        "[param]\ntoy-quick.scale = [1, 2.5]",
        '[param]\n"toy-quick.scale" = [1, 2.5]',
        'param = "toy-quick.scale=1,2.5"',
        'param = ["toy-quick.scale=1", "toy-quick.scale=2.5"]',
        'param.toy-quick.scale = "1,2.5"',
    ],
)
def test_every_form_of_a_parameter_is_the_same_grid(written, param):
    text = BASE + param
    assert studies(written(text))[0].params == {"toy-quick": {"scale": (1.0, 2.5)}}


def test_shared_parameters_go_to_the_runs_that_use_them_and_a_stranger_is_an_error(written):
    text = (
        'data = "toy-blobs"\nrepeats = 1\ncontrols = false\nparam.toy-slow.scale = 0.1\n[[run]]\nalgo = "toy-quick"\n'
    )
    with pytest.raises(InvalidSetting, match=r"study\.toml: parameters are set for toy-slow"):
        keys(written(text).blocks(CATALOG))
    both = keys(written(text + '[[run]]\nalgo = "toy-slow"\n').blocks(CATALOG))
    assert len(both) == 2


def test_parameters_are_overridden_one_by_one():
    low, high = ({"mic": {"beta": (1.0,), "alpha": (2.0,)}}, {"mic": {"beta": (3.0,)}})
    said = laid_over([Layer({"param": low}), Layer({"param": high})])
    assert said.settings["param"] == {"mic": {"beta": (3.0,), "alpha": (2.0,)}}


@pytest.mark.parametrize(
    ("lower", "upper", "left"),
    [
        ({"corrupt": ("missing-even",), "rates": (0.1,)}, {"corrupt": ("none",)}, {"corrupt"}),
        ({"corrupt": ("missing-even",), "rates": (0.1,)}, {"corrupt": ("gaussian",)}, {"corrupt", "rates"}),
        ({"corrupt": ("missing-even",), "rates": (0.1,)}, {"corrupt": ("gaussian:1e+3",)}, {"corrupt"}),
        ({"scale": ("minmax",), "fill": "mean"}, {"prepare": ("paper",)}, {"prepare"}),
        ({"prepare": ("paper", "apmc=minmax")}, {"scale": ("none",)}, {"scale", "prepare"}),
        ({"data": ("a.csv",), "labels": "y.csv"}, {"data": ("digits",)}, {"data"}),
    ],
)
def test_what_an_upper_layer_makes_void_goes(lower, upper, left):
    assert set(laid_over([Layer(lower), Layer(upper)]).settings) == left


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("algoo = 'x'", r"There is no key called 'algoo'\. Did you mean algo"),
        ("repeats = 'five'", r"repeats must be a whole number, as in repeats = 5, not 'five'"),
        ("repeats = 0", r"repeats must be at least 1, not 0 \(key 'repeats'\)"),
        ("rates = [true]", "rates must be numbers or texts"),
        ("algo = 'toy-quik'", r"Did you mean toy-quick.*\(key 'algo'\)"),
        ("data = []", "data must be at least one text"),
        ("data = './*.npz'", r"no file matches.*\(key 'data'\)"),
        ("protocol = 'fare'", r"Did you mean fair.*\(key 'protocol'\)"),
        ("corrupt = 'missing-evn'", r"Did you mean missing-even.*\(key 'corrupt'\)"),
        ("scale = 'minmx'", r"Did you mean minmax.*\(key 'scale'\)"),
        ("prepare = 'minmx'", r"Did you mean minmax.*\(key 'prepare'\)"),
        ("fill = 'men'", r"Did you mean mean.*\(key 'fill'\)"),
        ("param.toy-quick.scale = 'x'", r"toy-quick.scale must be a number, not 'x' \(key 'param'\)"),
        ("param.toy-quick = 1", "param must be a table for toy-quick"),
        ("jobs = 2", r"jobs applies to the whole file"),
        ("title = 3", "title must be a text"),
        ("run = 3", "a run cannot contain runs"),
    ],
)
def test_what_is_wrong_names_file_run_and_key(tmp_path, written, text, words):
    place = f"{tmp_path / 'study.toml'}, run 2: "
    with pytest.raises(MvarenaError, match=words) as error:
        keys(written(f"{BASE}[[run]]\n[[run]]\n{text}\n").blocks(CATALOG))
    assert str(error.value).startswith(place)
    assert error.value.field is None


@pytest.mark.parametrize("content", [b"algo = \xff", b"algo = ", b"x = " + b"[" * 5000, b"[[run]\n"])
def test_what_is_no_toml_is_one_sentence(tmp_path, content):
    path = tmp_path / "b.toml"
    path.write_bytes(content)
    with pytest.raises(InvalidSetting, match=r"b\.toml cannot be read as a study file"):
        read_study_file(path)
    with pytest.raises(InvalidSetting, match="cannot be read"):
        read_study_file(tmp_path)


def test_paths_start_at_the_file_wherever_one_stands(tmp_path, monkeypatch):
    (tmp_path / "deep").mkdir()
    rng = np.random.default_rng(0)
    np.savez(
        tmp_path / "deep/points.npz", X0=rng.normal(size=(12, 3)), X1=rng.normal(size=(12, 2)), y=np.arange(12) % 2
    )
    (tmp_path / "deep/mine.py").write_text(
        "class Mine:\n    def __init__(self, n_clusters=2, random_state=None):\n"
        "        self.n_clusters, self.random_state = n_clusters, random_state\n"
        "    def get_params(self, deep=True):\n"
        "        return {'n_clusters': self.n_clusters, 'random_state': self.random_state}\n"
        "    def fit_predict(self, X):\n        return [i % 2 for i in range(len(X))]\n"
    )
    path = tmp_path / "deep/s.toml"
    path.write_text('algo = ["mine.py:Mine", "toy-quick"]\ndata = "p*.npz"\nrepeats = 1\ncontrols = false\n')
    monkeypatch.chdir(tmp_path)
    (block,) = read_study_file("deep/s.toml").blocks(CATALOG)
    assert block.study.datasets[0].paths == (str(tmp_path / "deep/points.npz"),)
    there = keys([block])
    assert len(there) == 2
    moved = tmp_path / "moved.toml"
    moved.write_text(study_text(block.said, tmp_path))
    assert "deep/mine.py:Mine" in moved.read_text()
    monkeypatch.chdir("/")
    assert keys(read_study_file(moved).blocks(CATALOG)) == there


SETTINGS = st.fixed_dictionaries(
    {
        "algo": st.lists(st.sampled_from(["toy-quick", "toy-slow", "mic", "toy-*"]), min_size=1, max_size=3),
        "data": st.lists(st.sampled_from(["toy-blobs", "toy-blobs[a]", "toy-drawn"]), min_size=1, max_size=2),
    },
    optional={
        "corrupt": st.sampled_from(["none", "missing-even", ["none", "missing-random:0.2"]]),
        "rates": st.sampled_from([0.1, "0.1:0.5:0.2", [0.2, "0.1,0.3"], ["0.05"]]),
        "repeats": st.integers(1, 3),
        "restarts": st.integers(1, 3),
        "clusters": st.sampled_from([2, 5, "2:4", [3, "5:6"]]),
        "seed": st.integers(-5, 5),
        "controls": st.booleans(),
        "scale": st.sampled_from(["none", ["minmax", "unit-rows,minmax"]]),
        "prepare": st.sampled_from(["auto", "paper", "none", ["minmax", "unit-rows"], {"mic": "minmax"}]),
        "param": st.sampled_from(
            [{"mic": {"beta": [0.01, 0.1], "literal": [True, False]}}, "mic.scale=total", {"mic.steps": 5}]
        ),
    },
)


def possible(said) -> list[str] | None:
    try:
        return keys(blocks_of(said, CATALOG))
    except MvarenaError:
        return None


@given(SETTINGS)
def test_what_is_written_reads_back_to_the_same_plan(tmp_path_factory, settings):
    said = laid_over([Layer(checked(settings, ""))])
    planned = possible([said])
    if planned is None:
        return
    folder = tmp_path_factory.mktemp("studies")
    path = folder / "s.toml"
    path.write_text(study_text(said, folder), encoding="utf-8")
    assert keys(read_study_file(path).blocks(CATALOG)) == planned


def test_patterns_and_families():
    def algorithms(*texts):
        (block,) = blocks_of([laid_over([Layer(checked({"algo": list(texts), "data": "toy-blobs"}, ""))])], CATALOG)
        return set(block.study.algorithms)

    assert algorithms("mkkm-*") == {name for name in CATALOG.names("algorithm") if name.startswith("mkkm-")}
    assert algorithms("kernel:*") >= algorithms("kernel:mkkm-*") == algorithms("mkkm-*")
    assert "eeimvc" in algorithms("kernel:*")
    assert algorithms("all") == set(CATALOG.names("algorithm")) - algorithms("control:*")
    with pytest.raises(MvarenaError, match="Did you mean kernel"):
        algorithms("kernal:*")
    with pytest.raises(MvarenaError, match="Did you mean mkkm"):
        algorithms("mkkn-*")


def test_what_several_runs_ask_for_runs_once_under_both_names(written):
    text = BASE + '[[run]]\n[[run]]\nprotocol = "fair"\ndata = ["toy-blobs", "toy-blobs[a,b]"]\n'
    plan = plan_blocks(written(text).blocks(CATALOG), CATALOG)
    assert len(plan.trials) == 1
    assert [trial.dataset for trial in plan.also] in (["toy-blobs[a,b]"], [])


@pytest.mark.parametrize("name", shipped_studies())
def test_a_shipped_study_says_what_it_is_and_can_be_read(name):
    file = study_at(name)
    assert file.title
    assert file.description
    assert file.blocks(CATALOG)
