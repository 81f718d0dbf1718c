"""The command line as a user meets it: in a fresh process, with one clear sentence for everything that is wrong."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from command_line import called, in_new_process

from mvarena.readers.npz import write_npz
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


@pytest.mark.slow
def test_a_range_of_numbers_of_clusters_is_a_grid_that_the_table_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, out, err = called(capsys, *QUICK, "--clusters", "2:4")
    assert code == 0, err
    assert "Ran 6 trials (6 done)" in out
    assert sorted(re.findall(r"toy-quick \(n_clusters=(\d)\)", out)) == ["2", "3", "4"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "--algo", "apcm", "--data", "toy-blobs"], "There is no algorithm called 'apcm'. Did you mean apmc"),
        (["run", "--algo", "apmc", "--data", "digts"], "There is no dataset called 'digts'. Did you mean digits"),
        ([*QUICK, "--rates", "1.0"], "choose one from 0 to 0.966666"),
        ([*QUICK, "--clusters", "5:2"], "give the smaller number first, and 100 numbers at most (--clusters)."),
        (["run", "--algo", "toy-quick", "--data", "toy-blobs", "--repeats", "0"], "repeats must be at least 1, not 0"),
        ([*QUICK, "--jobs", "0"], "jobs must be a whole number of at least 1, or auto, not '0' (--jobs)."),
        ([*QUICK, "--param", "toy-quick.scale=abc"], "toy-quick.scale must be a number, not 'abc' (--param)."),
        ([*QUICK, "--db", "no/such/folder/r.db"], "no/such/folder"),
        (["report", "--db", "none.db"], "none.db"),
        (["report", "--metric", "acccc"], "Did you mean acc"),
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


def test_a_file_that_is_no_database_is_left_alone(capsys, tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("not a database, but dear to someone\n" * 50)
    before = notes.read_bytes()
    code, _, err = called(capsys, *QUICK, "--db", str(notes))
    assert code == 2
    assert "notes.txt" in err
    assert notes.read_bytes() == before
    foreign = tmp_path / "foreign.db"
    with closing(sqlite3.connect(foreign)) as connection, connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    connection.close()
    before = foreign.read_bytes()
    code, _, err = called(capsys, *QUICK, "--db", str(foreign))
    assert code == 2
    assert "another program's database" in err
    assert foreign.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_an_unwritable_folder(capsys, tmp_path):
    tmp_path.chmod(0o500)
    code, _, err = called(capsys, *QUICK, "--db", str(tmp_path / "r.db"))
    tmp_path.chmod(0o700)
    assert code == 2
    assert "r.db" in err


@pytest.mark.slow
def test_a_broken_plugin_stops_nothing_and_is_shown(tmp_path):
    path = os.pathsep.join([str(BROKEN), os.environ["PYTHONPATH"]])
    shown = in_new_process("plugin", "list", cwd=tmp_path, PYTHONPATH=path)
    assert "mvarena-broken 2.0: broken: FAILED: RuntimeError: this plugin is broken on purpose" in shown.stdout
    assert "FAILED: mvarena.errors.PluginError: transform 'unit-rows' is provided by mvarena" in shown.stdout
    whole = in_new_process("plugin", "list", "--traceback", cwd=tmp_path, PYTHONPATH=path)
    assert 'raise RuntimeError("this plugin is broken on purpose")' in whole.stdout
    assert in_new_process(*QUICK, cwd=tmp_path, PYTHONPATH=path).returncode == 0
    assert in_new_process(*QUICK, "--prepare", "unit-rows", cwd=tmp_path, PYTHONPATH=path).returncode == 0


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


def test_export_has_the_promised_columns(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ["run", "--algo", "toy-quick", "toy-raises", "--data", "toy-blobs", "--repeats", "1", "--restarts", "2"]
    assert called(capsys, *command, "--no-controls")[0] == 1
    assert called(capsys, "export", "--out", "scores.csv")[0] == 0
    frame = pd.read_csv("scores.csv")
    promised = (
        "key,algorithm,algorithm_version,params,dataset,corpus,kind,corruption,rate,scaling,filling,prepare,protocol"
    )
    promised += ",repeat,metric,value,spread,n_labels"
    promised += (
        ",status,wall_s,cpu_s,peak_rss_mb,seed,pick,restarts,label_picked,choice,attempt,fit_s,reason,source_hash"
    )
    promised += ",content,steps,started_at,speed"
    assert Path("scores.csv").read_text().splitlines()[0] == promised
    assert frame["status"].value_counts()["FAILED"] == 1
    done = frame[frame["status"] == "DONE"]
    assert set(done["restarts"]) == {2}
    assert {"acc", "nmi", "ari", "purity"} <= set(done["metric"])
    code, out, _ = called(capsys, "export")
    assert code == 0
    assert out == Path("scores.csv").read_text()


def test_report_writes_tables_and_figures(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert called(capsys, *QUICK, "--rates", "0.1,0.5")[0] == 0
    code, out, _ = called(capsys, "report", "--out", "short")
    assert code == 0
    written = list(Path("short").iterdir())
    assert len(written) <= 12
    assert f"Report: {Path('short/index.md')} ({len(written)} files)" in out
    page = Path("short/index.md").read_text()
    assert all((Path("short") / image).is_file() for image in re.findall(r"\]\((.*?)\)", page))
    assert "toy-quick" in page
    code, out, _ = called(capsys, "report", "--table", "all", "--figure", "all", "--out", "out")
    assert code == 0
    names = {path.suffix for path in Path("out").iterdir()}
    assert names == {".md", ".tex", ".csv", ".png", ".svg"}
    assert f"({len(list(Path('out').iterdir()))} files) into out" in out
    assert Path(out.partition("Figure: ")[2].splitlines()[0]).is_file()
    code, out, _ = called(capsys, "report", "--out", "few", "--figure", "rate")
    assert code == 0
    assert all(str(path) in out for path in Path("few").iterdir())
    rates = pd.read_csv("out/achieved-rates.csv")
    assert rates["rate"].tolist() == [0.1, 0.5]
    assert rates["incomplete"].tolist() == pytest.approx([0.1, 0.5])
    assert (rates["missing a"] + rates["missing b"]).tolist() == pytest.approx([0.1, 0.5])


def test_data_without_classes_get_internal_metrics(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = called(capsys, *QUICK[:3], "--data", "toy-plain", "--repeats", "1", "--restarts", "2")
    assert code == 0
    assert "silhouette" in out.lower()
    assert called(capsys, "export", "--out", "scores.csv")[0] == 0
    metrics = set(pd.read_csv("scores.csv")["metric"])
    assert {"silhouette", "silhouette-views", "stability"} <= metrics
    assert "acc" not in metrics


def test_score_adds_metrics_without_running_anything(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert called(capsys, *QUICK)[0] == 0
    code, out, _ = called(capsys, "score", "--metric", "silhouette-views", "ami", "silhouette")
    assert code == 0
    assert "silhouette-views: 2 trials scored." in out
    assert "ami: 0 trials scored, 2 already had it." in out
    assert "silhouette: 2 trials scored." in out  # its embedding is made again
    assert "0 trials scored, 2 already had it" in called(capsys, "score", "--metric", "silhouette-views")[1]
    assert called(capsys, "export", "--out", "scores.csv")[0] == 0
    frame = pd.read_csv("scores.csv")
    values = frame[frame["metric"] == "silhouette-views"]
    assert len(values) == 2
    assert values["value"].between(-1, 1).all()
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


@pytest.mark.parametrize(
    "command", [[], ["run"], ["report"], ["list"], ["show"], ["export"], ["data"], ["pick"], ["plugin", "list"]]
)
def test_every_help_has_an_example(capsys, command):
    code, out, _ = called(capsys, *command, "--help")
    assert code == 0
    assert "Example" in out


def test_options_take_many_values(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = called(
        capsys, "run", "--algo", "toy-quick", "toy-picky", "--data", "toy-blobs", "toy-blobs[a]", "--repeats", "1",
        "--restarts", "1", "--no-controls", "--param", "toy-quick.scale=1", "toy-quick.scale=2",
    )  # fmt: skip
    assert code == 0
    assert "Ran 6 trials (5 done, 1 skipped)" in out
    assert "takes at most 1 views" in out


@pytest.mark.slow
def test_files_of_ones_own_run_inspect_and_convert(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    rng = np.random.default_rng(0)
    labels = np.repeat(["x", "y", "z"], 8)
    for name in ("a", "b"):
        points = 9 * np.eye(3)[np.repeat([0, 1, 2], 8)] + rng.normal(size=(24, 3))
        pd.DataFrame(points).to_csv(f"{name}.csv", index=False, header=["p", "q", "r"])
    pd.Series(labels, name="label").to_csv("y.csv", index=False)
    command = ["--no-controls", "--repeats", "1", "--restarts", "2", "--algo", "concat", "--data", "a.csv,b.csv"]
    code, out, err = called(capsys, "run", *command, "--labels", "y.csv")
    assert code == 0, err
    assert "ACC" in out
    code, _, err = called(capsys, "run", *command)
    assert (code, err) == (2, "Error: a+b has no classes; give the number of clusters (--clusters).\n")
    code, out, _ = called(capsys, "run", *command, "--clusters", "3")
    assert code == 0
    assert "silhouette" in out.lower()
    code, out, _ = called(capsys, "data", "inspect", "a.csv,b.csv", "--labels", "y.csv")
    assert code == 0
    assert "24 samples" in out
    assert called(capsys, "data", "convert", "a.csv,b.csv", "clean.npz", "--labels", "y.csv")[0] == 0
    code, out, _ = called(capsys, "run", *command[:-1], "clean.npz")
    assert code == 0
    assert "Ran 0 trials; 1 was stored already" in out  # the same numbers, whatever they are called
    code, _, err = called(capsys, "data", "convert", "a.csv,b.csv", "clean.mat")
    assert (code, "must end in .npz" in err) == (2, True)


def test_data_files_are_verified_imported_and_found(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MVARENA_DATA", raising=False)
    assert "digits: digits.npz: ok" in called(capsys, "data", "verify", "digits")[1]
    code, out, _ = called(capsys, "data", "verify", "flower17")
    assert code == 1
    assert "not available" in out
    code, _, err = called(capsys, "data", "import", "flower17", str(tmp_path))
    assert code == 2
    assert "none of the files of 'flower17'" in err
    code, _, err = called(capsys, "data", "path", "3sources")
    assert code == 2
    assert "3sources_bbc.mtx" in err
    code, out, _ = called(capsys, "data", "path", "digits[fou]")
    assert (code, out.strip().endswith("digits.npz")) == (0, True)


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


def test_show_says_which_steps_precede_the_corruption(capsys):
    for name, early in (("center-kernels-leaking", True), ("center-kernels", False)):
        code, out, _ = called(capsys, "show", name)
        assert code == 0
        assert f"before corruption: {'yes' if early else 'no'}" in out


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


@pytest.mark.slow
def test_internal_metrics_can_be_had_of_data_with_classes(capsys, tmp_path):
    code, out, _ = called(capsys, *QUICK, "--metric", "acc", "silhouette-views", "--db", str(tmp_path / "r.db"))
    assert code == 0
    assert "silhouette-views" in out
    assert "not scored" not in out


@pytest.mark.parametrize("command", ["run", "report", "score", "pick"])
def test_a_command_without_a_word_more_is_no_traceback(capsys, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    code, _, err = called(capsys, command)
    assert code in (1, 2)
    assert "Error: " in err
