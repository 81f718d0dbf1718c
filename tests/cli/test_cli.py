"""The command line as a user meets it: in a fresh process, with one clear sentence for everything that is wrong."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from command_line import called, in_new_process

from mvarena.readers.npz import write_npz
from mvarena.results import Results
from mvarena.testing import blobs

BROKEN = Path(__file__).parents[1] / "broken"
QUICK = ["run", "--algo", "toy-quick", "--data", "toy-blobs", "--repeats", "2", "--restarts", "2", "--no-controls"]


def test_a_second_run_executes_nothing_and_prints_the_same_table(tmp_path):
    first = in_new_process(*QUICK, cwd=tmp_path)
    again = in_new_process(*QUICK, cwd=tmp_path)
    assert first.returncode == again.returncode == 0, first.stderr
    assert "Ran 2 trials (2 done)" in first.stdout
    assert "Ran 0 trials; 2 were stored already" in again.stdout
    assert first.stdout.partition("Ran ")[0] == again.stdout.partition("Ran ")[0]
    assert "toy-quick" in first.stdout
    assert "missing-even at rate 0.3" in first.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "--algo", "apcm", "--data", "toy-blobs"], "There is no algorithm called 'apcm'. Did you mean apmc"),
        ([*QUICK, "--clusters", "5:2"], "give the smaller number first, and 100 numbers at most (--clusters)."),
        ([*QUICK, "--jobs", "0"], "jobs must be a whole number of at least 1, or auto, not '0' (--jobs)."),
        ([*QUICK, "--param", "toy-quick.scale=abc"], "toy-quick.scale must be a number, not 'abc' (--param)."),
        ([*QUICK, "--db", "no/such/folder/r.db"], "no/such/folder"),
        ([*QUICK, "--metric", "accc"], "Did you mean acc"),
        ([*QUICK, "--save", "no/s.toml"], "no/s.toml cannot be written"),
        ([*QUICK, "--shard", "0/3"], "'0/3' is not a part of a study; of eight parts write 1/8 for the first"),
        (["run", "quik"], "Did you mean quick"),
        (["run", "none.toml"], "There is no study file called 'none.toml'"),
        (["report", "--db", "none.db"], "none.db"),
        (["show", "apmcc"], "Did you mean apmc"),
        (["data", "path", "digts"], "Did you mean digits"),
        (["rum"], "There is no command called 'rum'. Did you mean run?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_wrong_is_one_sentence_and_a_non_zero_exit(capsys, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    code, out, err = called(capsys, *arguments)
    assert code == 2
    assert sentence in err
    assert err.startswith("Error: ")
    assert len(err.strip().splitlines()) == 1
    assert out == ""


@pytest.mark.slow
def test_a_broken_plugin_stops_nothing_and_is_shown(tmp_path):
    path = os.pathsep.join([str(BROKEN), os.environ["PYTHONPATH"]])
    shown = in_new_process("plugin", "list", "--traceback", cwd=tmp_path, PYTHONPATH=path).stdout
    assert "mvarena-broken 2.0: broken: FAILED: RuntimeError: this plugin is broken on purpose" in shown
    assert "FAILED: mvarena.errors.PluginError: transform 'unit-rows' is provided by mvarena" in shown
    assert 'raise RuntimeError("this plugin is broken on purpose")' in shown
    assert in_new_process(*QUICK, "--prepare", "unit-rows", cwd=tmp_path, PYTHONPATH=path).returncode == 0
    examined = in_new_process("doctor", cwd=tmp_path, PYTHONPATH=path)
    marked = [line for line in examined.stdout.splitlines() if line.startswith("! ")]
    assert examined.returncode == 1
    for problem in ("mvarena-broken 2.0 failed to load", "'unit-rows' is provided by"):
        assert any(problem in line for line in marked)
    assert f"{len(marked)} problems found, marked with !." in examined.stderr


def test_two_methods_on_two_files_all_end_well(tmp_path):
    """The worker inherits mapped files of the command, which close their descriptors when their data are dropped."""
    for seed in (0, 1):
        write_npz(blobs(60, seed=seed), tmp_path / f"{seed}.npz")
    words = ["--restarts", "1", "--repeats", "1", "--rates", "0", "--no-controls", "--jobs", "1", "-q"]
    done = in_new_process("run", "--algo", "concat", "apmc", "--data", "0.npz", "1.npz", *words, cwd=tmp_path)
    assert "Ran 4 trials (4 done)" in done.stderr + done.stdout


@pytest.mark.slow
def test_ctrl_c_keeps_what_ended_and_the_same_command_goes_on(tmp_path):
    command = [*QUICK[:2], "toy-quick", "toy-slow", *QUICK[3:], "--param", "toy-slow.scale=600", "--jobs", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "mvarena", *command],
        cwd=tmp_path,
        env=dict(os.environ),  # without COLUMNS, which readline sets behind Python's back
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a suite in the background ignores it
    )
    database = tmp_path / "results.db"
    for _ in range(1200):
        if database.exists() and _done(database) >= 1:
            break
        try:
            process.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "1 of 4 trials are stored in results.db; run the same command again to continue" in err
    resumed = in_new_process(*command, "--timeout", "1s", cwd=tmp_path)
    assert "Ran 3 trials (1 done, 2 timeout); 1 was stored already" in resumed.stdout
    assert resumed.returncode == 1


def _done(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection, connection:
        try:
            (count,) = connection.execute("SELECT COUNT(*) FROM attempts WHERE status = 'DONE'").fetchone()
        except sqlite3.OperationalError:
            count = 0
    connection.close()
    return int(count)


def test_score_adds_metrics_without_running_anything(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert called(capsys, *QUICK)[0] == 0
    code, out, _ = called(capsys, "score", "--metric", "silhouette-views", "ami", "silhouette")
    assert code == 0
    assert "silhouette-views: 2 trials scored." in out
    assert "ami: 0 trials scored, 2 already had it." in out
    assert "silhouette: 2 trials scored." in out  # its embedding is made again
    values = Results("results.db").scores.query("metric == 'silhouette-views'")["value"]
    assert (len(values), values.between(-1, 1).all()) == (2, True)
    assert "Ran 0 trials" in called(capsys, *QUICK)[1]


@pytest.mark.parametrize(
    "kind", ["algorithms", "datasets", "corruptions", "transforms", "metrics", "pickers", "readers", "protocols"]
)
def test_list_and_show_agree(capsys, kind):
    code, out, _ = called(capsys, "list", kind, "--json")
    assert code == 0
    entries = json.loads(out)
    assert entries
    for entry in entries:
        code, shown, _ = called(capsys, "show", entry["name"], "--kind", kind.removesuffix("s"))
        assert code == 0
        assert entry["summary"] in shown
    code, out, _ = called(capsys, "list", kind)
    assert code == 0
    lines = out.splitlines()
    names = [entry["name"] for entry in entries]
    assert all(sum(line.split()[0].rstrip("°*") == name for line in lines if line) == 1 for name in names)


def test_options_take_many_values(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = called(
        capsys, "run", "--algo", "toy-quick", "toy-picky", "--data", "toy-blobs", "toy-blobs[a]", "--repeats", "1",
        "--restarts", "1", "--no-controls", "--param", "toy-quick.scale=1", "toy-quick.scale=2",
    )  # fmt: skip
    assert code == 0
    assert "Ran 6 trials (5 done, 1 skipped)" in out
    assert "takes at most 1 views" in out


def test_of_several_things_of_one_name_the_first_is_shown_and_the_others_are_named(capsys):
    code, out, err = called(capsys, "show", "apmc")
    assert (code, out.startswith("apmc (algorithm)"), "protocol" in out) == (0, True, False)
    assert err.splitlines() == [
        f"apmc is also a {kind}: mvarena show apmc --kind {kind}" for kind in ("protocol", "study")
    ]
    assert called(capsys, "show", "apmc", "--kind", "study")[1].startswith("apmc (study)")
    assert [entry["component"] for entry in json.loads(called(capsys, "show", "apmc", "--json")[1])] == [
        "algorithm", "protocol", "study",
    ]  # fmt: skip
    assert "no corruption called 'apmc'" in called(capsys, "show", "apmc", "--kind", "corruption")[2]


def test_a_run_of_which_everything_is_skipped_is_no_success(capsys, tmp_path):
    picky = ["run", "--algo", "toy-picky", "--data", "toy-blobs", "--repeats", "2", "--db", str(tmp_path / "r.db")]
    code, out, _ = called(capsys, *picky)
    assert code == 1
    assert "Nothing was computed: 2 trials skipped" in out


def test_failures_and_stale_trials_name_the_option_that_runs_them_again(capsys, tmp_path):
    db = ["--db", str(tmp_path / "r.db")]
    command = ["run", "--algo", "toy-raises", "toy-quick", *QUICK[3:], *db]
    code, out, _ = called(capsys, *command)
    assert code == 1
    assert "Of 4 trials 2 failed; --rerun failed runs them again." in out
    with closing(sqlite3.connect(tmp_path / "r.db")) as connection, connection:
        connection.execute(
            "UPDATE texts SET text = '3:other' WHERE id IN (SELECT code FROM attempts WHERE status = 'DONE')"
        )
    connection.close()
    _, out, _ = called(capsys, *command)
    assert "2 stored trials were run with other code of toy-quick; --rerun stale runs them again." in out
    _, out, _ = called(capsys, *command, "--rerun", "failed", "stale")
    assert "Ran 4 trials (2 done, 2 failed)" in out
    assert "other code" not in out
