"""The page: which cells a study asks for, what is said of them, and that the committed one is current."""

from __future__ import annotations

from pathlib import Path

import mvarena
import pandas as pd
import pytest
from click.testing import CliRunner
from mvarena.errors import InvalidData
from mvarena.testing import blobs

from mvarena_deep.page import best_points, draw_best, made, main, page
from mvarena_deep.page_results import CELL, Found, found_in, read_study
from mvarena_deep.published import read_published

REPORT = Path(__file__).parents[3] / "reports" / "deep"
STUDY = """
rates = [0, 0.5]
repeats = 2
[[run]]
algo = ["ae-km", "simvc", "concat"]
data = ["one", "two"]
[[run]]
algo = ["simvc"]
data = ["one"]
rates = [0.5]
param = ["simvc.size=paper"]
"""
ACC = {"ae-km": 0.5, "simvc": 0.75, "concat": 0.625, "random": 0.25}


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(STUDY)
    return read_study(path)


def found(study, accs=ACC, n_trials=2, datasets=("one",), rates=(0.0, 0.5), paper=0.875):
    """Results in which every method has one accuracy everywhere, and its best epoch is .1 above."""
    rows = [
        (dataset, rate, name, "" if name in ("concat", "random") else "default", value)
        for dataset in datasets
        for rate in rates
        for name, value in accs.items()
    ]
    rows += [("one", 0.5, "simvc", "paper", paper)] if paper is not None else []
    cells = pd.DataFrame(rows, columns=[*CELL, "mean"]).assign(std=0.01, n_trials=n_trials)
    parts = [
        cells.assign(metric="acc"),
        cells.assign(metric="nmi", mean=cells["mean"] / 2),
        cells[cells["size"] != ""].assign(metric="acc-best-epoch", mean=cells["mean"] + 0.1),
    ]
    values = pd.concat(parts).set_index([*CELL, "metric"]).sort_index()
    cost = cells.set_index(CELL)["mean"] * 40
    ended = cells.set_index(CELL)[["n_trials"]].rename(columns={"n_trials": "DONE"})
    return Found(study, values, cost, ended, {("one", 0.0, "ae-km", "default"): False})


def test_the_cells_are_those_that_the_blocks_ask_for(study):
    assert study.n_trials == (3 * 2 * 2 + 1) * 2
    assert [cell.key for cell in study.cells if cell.size == "paper"] == [("one", 0.5, "simvc", "paper")]
    assert study.rates("one") == [0.0, 0.5]
    assert {cell.size for cell in study.cells if cell.algorithm == "concat"} == {""}


def test_what_has_not_been_run_is_said_with_its_share_and_command(study):
    text = page(found(study), "reports/deep")
    assert "Of 26 trials of the study, controls apart, 14 have ended (54 %)." in text
    assert "`mvarena run reports/deep/study.toml --db reports/deep/results.db`, goes on with them." in text
    assert "| two | 0 | 12 | 0 % |" in text
    whole = page(found(study, datasets=("one", "two")), "reports/deep")
    assert "26 have ended (100 %)." in whole
    assert "goes on with them" not in whole


def test_scores_gaps_and_sizes_are_shown(study):
    text = page(found(study), "reports/deep")
    assert "| simvc | **75.0 ± 1.0 / 37.5 ± 1.0** | **75.0 ± 1.0 / 37.5 ± 1.0** |" in text
    assert "| ae-km (control) | 50.0 ± 1.0 / 25.0 ± 1.0 ‡ | 50.0 ± 1.0 / 25.0 ± 1.0 |" in text
    assert "| random (control) | 25.0 ± 1.0 / 12.5 ± 1.0 |" in text
    assert "it adds 10.0 points in the mean, and 10.0 at most" in text
    assert "| data | rate | ae-km | simvc |" in text
    assert "| one | 0.5 | 10.0 | 10.0 |" in text
    assert "| one | 0.5 | simvc | 75.0 ± 1.0 / 37.5 ± 1.0 | 87.5 ± 1.0 / 43.8 ± 1.0 | +12.5 | 30.0 | 35.0 |" in text


def test_findings_count_whole_cells_alone(study):
    text = page(found(study), "reports/deep")
    assert "of 1 deep methods 1 are above the control ae-km (50.0) and 1 above concat (62.5), the best of" in text
    assert "On 1 of 1 data sets (one) the best of 1 deep methods is above the best of 1 others" in text
    assert "the best deep one is simvc (75.0)" in text
    assert text.startswith("# On 1 of 1 data sets the best of 1 deep methods is above the best of 1 others\n")
    assert "| one | simvc (75.0) | concat (62.5) |" in text
    part = page(found(study, n_trials=1), "reports/deep")
    assert part.startswith("# Deep methods under the same conditions\n")
    assert "75.0 ± 1.0 / 37.5 ± 1.0 (1 of 2)" in part


def test_the_figure_shows_the_best_methods_of_the_table_with_their_deviations(study):
    points = best_points(found(study))
    assert points["method"].tolist() == ["simvc", "concat"]
    assert points["value"].tolist() == [75.0, 62.5]
    assert (points["high"] - points["low"]).tolist() == pytest.approx([2.0, 2.0])  # of .01 at each rate
    assert draw_best(points, "Mean ACC").startswith(b"\x89PNG")
    assert "](best.png)" in page(found(study), "reports/deep")
    assert best_points(found(study, n_trials=1)).empty


def test_nothing_to_compare_is_said(study):
    assert "Nothing has been run with `size=paper` yet." in page(found(study, paper=None), "reports/deep")


def test_printed_numbers_stand_beside_the_study_s_and_those_of_other_settings(study, tmp_path):
    assert read_published(tmp_path / "published.toml") is None
    (tmp_path / "published.toml").write_text(
        'dataset = "one"\nrate = 0.5\nmasks = 3\ncommand = "mvarena run --algo simvc"\nfinding = "Widths."\n'
        '[[printed]]\nalgorithm = "simvc"\nsource = "A paper"\nscore = [90.5, 80.5]\n'
        '[[setting]]\nchanged = "no scaling"\noptions = "--scale none"\nsimvc = [70.25, 60]\n'
    )
    text = page(found(study), "reports/deep", read_published(tmp_path / "published.toml"))
    assert "one at rate 0.5, ACC / NMI in percent, means over 3 masks of seed 0. Widths." in text
    assert "| printed (A paper) | 90.5 / 80.5 |" in text
    assert "| this study | 75.0 ± 1.0 / 37.5 ± 1.0 |" in text
    assert "| no scaling | 70.2 / 60.0 | `--scale none` |" in text
    assert "before its options, is `mvarena run --algo simvc`." in text


@pytest.fixture
def stored(tmp_path):
    """A folder with results of a small study."""
    (tmp_path / "study.toml").write_text(
        'rates = [0.3]\nrepeats = 1\n[[run]]\nalgo = ["ae-km", "concat"]\ndata = ["blobs"]\n'
    )
    data = {"blobs": blobs(40, dims=(6, 5), spread=3.0)}
    mvarena.run(["ae-km", "concat"], data, rates=0.3, repeats=1, restarts=2, jobs=1, db=tmp_path / "results.db")
    return tmp_path


def test_files_are_written_and_checked(stored):
    runner = CliRunner()
    assert runner.invoke(main, [str(stored), "--check"]).exit_code == 1
    assert not (stored / "README.md").exists()
    assert runner.invoke(main, [str(stored)]).exit_code == 0
    assert runner.invoke(main, [str(stored), "--check"]).exit_code == 0
    assert "2 have ended (100 %)" in (stored / "README.md").read_text()
    assert "blobs,0.3,ae-km,default,acc-best-epoch," in (stored / "scores.csv").read_text()
    (stored / "README.md").write_text("edited")
    changed = runner.invoke(main, [str(stored), "--check"])
    assert changed.exit_code == 1
    assert "README.md is not what the results give" in changed.output


def test_other_settings_in_the_database_are_an_error(stored):
    data = {"blobs": blobs(40, dims=(6, 5), spread=3.0)}
    params = {"ae-km": {"max_iter": 3}}
    mvarena.run("ae-km", data, rates=0.3, repeats=1, restarts=2, jobs=1, params=params, db=stored / "results.db")
    with pytest.raises(InvalidData, match=r"ae-km on blobs at rate 0\.3 under several settings"):
        found_in(stored / "results.db", read_study(stored / "study.toml"))


@pytest.mark.skipif(not (REPORT / "results.db").exists(), reason="the repository's results are not here")
def test_the_committed_page_is_what_its_results_give():
    for path, text in made(REPORT, found_in(REPORT / "results.db", read_study(REPORT / "study.toml"))).items():
        assert path.read_text(encoding="utf-8") == text, path.name
    assert (REPORT / "best.png").stat().st_size < 80_000
    assert (REPORT / "results.db").stat().st_size < 15_000_000
