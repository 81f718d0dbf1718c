"""A program that a file announces: what the file may say, and the version that its files make."""

from __future__ import annotations

from pathlib import Path

import pytest

from mvarena.errors import InvalidSetting, MvarenaError, PluginError, UnknownName
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.code_digest import code_digest
from mvarena.registry.program_file import program_at
from mvarena.registry.user_code import is_local, loads_by_itself, local_spec
from mvarena.study.families import family_of

PLAIN = """
name = "my-program"
summary = "Something."
command = ["sh", "{folder}/run.sh", "{input}", "{output}"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "run.sh").write_text("exit 0\n")
    (tmp_path / "beside.m").write_text("x = 1;\n")
    return tmp_path


def written(folder: Path, text: str) -> str:
    path = folder / "algorithm.toml"
    path.write_text(text)
    return str(path)


def test_a_file_is_read_as_a_spec(folder: Path):
    text = (
        PLAIN + 'missing = "nan"\nmin_views = 2\nkinds = ["kernel"]\nsource = "A paper, Eq. 3"\nprepare = ["zscore"]\n'
    )
    path = written(folder, text)
    spec = local_spec(path)
    assert is_local(path)
    assert loads_by_itself(spec)
    assert (spec.name, spec.target, spec.summary, spec.source) == ("my-program", path, "Something.", "A paper, Eq. 3")
    assert spec.capabilities.missing
    assert (spec.capabilities.min_views, spec.capabilities.kinds) == (2, {"kernel"})
    assert spec.prepare == ("zscore",)
    assert family_of(spec) == folder.name
    assert not local_spec(written(folder, PLAIN)).capabilities.missing


def test_a_script_gets_its_interpreter_and_both_paths(folder: Path):
    (folder / "method.py").write_text("")
    text = 'name = "a"\npython = "env/bin/python"\nscript = "method.py"\n'
    common = ("env/bin/python", "-E", "{folder}/method.py", "{input}", "{output}")
    assert program_at(Path(written(folder, text)))[1].command == common
    text += 'arguments = ["DAIMC", "{seed}"]\n'
    assert program_at(Path(written(folder, text)))[1].command == (*common, "DAIMC", "{seed}")


def test_the_version_is_that_of_the_files_it_names(folder: Path):
    def version(text: str = PLAIN) -> str:
        return local_spec(written(folder, text)).version

    before = version()
    (folder / "beside.m").write_text("x = 2;\n")
    assert version() == before, "what is not named does not count"
    (folder / "run.sh").write_text("exit 1\n")
    script = version()
    named = version(PLAIN + 'files = ["*.m"]\n')
    (folder / "beside.m").write_text("x = 3;\n")
    assert len({before, script, named, version(PLAIN + 'files = ["*.m"]\n')}) == 4
    assert before.startswith("code-")


def test_a_file_that_changed_after_the_plan_is_refused(folder: Path):
    spec = local_spec(written(folder, PLAIN))
    catalog = installed_catalog()
    assert catalog.load(spec) is catalog.load(spec)
    assert code_digest(catalog.load(spec)) == "", "how mvarena hands data over does not make results stale"
    (folder / "run.sh").write_text("exit 3\n")
    with pytest.raises(PluginError, match="has changed since my-program was planned"):
        catalog.load(spec)


NAMED = 'name = "a"\ncommand = ["sh"]\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", "is not TOML"),
        ('algo = ["concat"]\ndata = ["digits"]\n', "is a study file, not an algorithm"),
        ('command = ["sh"]\n', "has no name"),
        ('name = "a"\n', "must say either command"),
        ('name = "a"\nscript = "run.sh"\n', "must say either command"),
        ('name = "a"\ncommand = "sh"\n', "command must be a list, each a text"),
        ('name = "a"\ncommand = []\n', "command must be a list, each a text"),
        ('name = "A b"\ncommand = ["sh"]\n', "not a component name"),
        ('name = "a"\ncommand = ["sh", "{folder}/no.sh"]\n', "which its command names"),
        ('name = "a"\ncommand = ["sh", "-c", "cd {folder}"]\n', "the command names a folder; name the program's files"),
        (NAMED + 'script = "run.sh"', "must say either command"),
        (NAMED + 'arguments = ["b"]', "put them into command"),
        (NAMED + 'format = "mta"', "format must be mat, npz or csv, not 'mta'"),
        (NAMED + "missing = true", "missing must be nan or mask, not True"),
        (NAMED + 'kinds = ["graph"]', "kinds must be a list, each features, kernel or distance"),
        (NAMED + "min_views = -1", "min_views must be a whole number"),
        (NAMED + 'takes = "matrix"\nkinds = ["kernel"]', "side by side"),
        (NAMED + 'files = ["*.r"]', r"no file of its folder matches '\*.r'"),
        (NAMED + 'files = ["../x"]', "not ../x"),
        (NAMED + "[parameters]\nlambda = 1", "lambda_ in place of lambda"),
        (NAMED + "[parameters]\nn_clusters = 1", "cannot be called 'n_clusters'"),
        (NAMED + "[parameters]\nb = {min = 1}", "has no default"),
        (NAMED + "[parameters]\nb = {default = 1, least = 1}", "Its parameters are about"),
        (NAMED + "[parameters]\nb = {default = 1, choices = [2]}", "default of parameters.b must be 2, not 1"),
        (NAMED + '[parameters]\nb = {default = "x", min = 1}', "has a bound, and its default is no number"),
        (NAMED + "[parameters]\nb = {default = 0, above = 0}", "must be a whole number above 0, not 0"),
        (NAMED + '[parameters]\nb = [1, "x"]', "must be a list, each a whole number"),
        (NAMED + "[parameters]\nb = 2020-01-01", "default must be yes or no, a whole number"),
    ],
)
def test_what_a_file_cannot_say_is_refused(folder: Path, text: str, said: str):
    with pytest.raises(MvarenaError, match=said):
        program_at(Path(written(folder, text)))


def test_a_key_that_there_is_not_is_named_with_near_ones(folder: Path):
    with pytest.raises(UnknownName, match="Did you mean command"):
        local_spec(written(folder, 'name = "a"\ncomand = ["sh"]\n'))
    with pytest.raises(InvalidSetting, match=r"There is no file no\.toml"):
        local_spec("no.toml")


def test_parameters_are_declared_by_default_bounds_and_choices(folder: Path):
    text = PLAIN + (
        '[parameters]\nwidth = {default = 1.5, above = 0, about = "the bandwidth"}\nsteps = 3\nquick = true\n'
        'rule = {default = "a", choices = ["a", "b"]}\nsizes = [10, 5]\n'
    )
    kind = installed_catalog().load(local_spec(written(folder, text)))
    from mvarena.contracts.parameters import parameters_of

    declared = parameters_of(kind)
    assert declared["width"].words == "a number above 0"
    assert declared["steps"].words == "a whole number"
    assert declared["quick"].choices == (False, True)
    assert declared["rule"].words == "a or b"
    assert declared["sizes"].parsed("[1, 2]") == [1, 2]
    assert "width : the bandwidth" in (kind.__doc__ or "")
    with pytest.raises(InvalidSetting, match=r"my-program\.width must be a number above 0"):
        kind(width=-1.0).check_settings() or kind(width=-1.0).check(None)
