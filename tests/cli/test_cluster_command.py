"""`mvarena cluster`: from files to a table of samples and a page."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from command_line import called
from sklearn.metrics import adjusted_rand_score

import mvarena
from mvarena.cli.cluster import scaled_data
from mvarena.cli.main import main
from mvarena.study.model import Study


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three views of 90 samples in three groups, with ids; each view misses some of them."""
    monkeypatch.chdir(tmp_path)
    generator = np.random.default_rng(1)
    groups = np.arange(90) % 3
    for name, width in (("rna", 8), ("methylation", 6), ("protein", 4)):
        values = generator.normal(scale=3.0, size=(3, width))[groups] + generator.normal(size=(90, width))
        table = pd.DataFrame(values, columns=[f"{name}{i}" for i in range(width)])
        table.insert(0, "id", [f"P{i:02d}" for i in range(90)])
        table[generator.random(90) > 0.2].to_csv(f"{name}.csv", index=False)
    return tmp_path


def test_files_without_classes_become_a_table_with_their_ids_and_a_page(folder, capsys):
    command = ["cluster", "rna.csv,methylation.csv,protein.csv", "--clusters", "2:5", "--restarts", "5"]
    main([*command, "--suggest-by", "silhouette"])
    assert "Suggested: 3 clusters, the highest mean silhouette." in capsys.readouterr().out
    main(command)
    said = capsys.readouterr().out
    assert "Suggested: 3 clusters, the highest modularity" in said
    assert not re.search(r"\bACC\b|NMI", said)
    table = pd.read_csv("labels.csv")
    assert list(table.columns) == ["id", "cluster", "silhouette", "agreement", "apmc", "concat", "sc-concat"]
    groups = table["id"].str[1:].astype(int) % 3
    assert adjusted_rand_score(groups, table["cluster"]) > 0.95
    assert table["agreement"].between(0, 1).all()
    page = (folder / "labels.html").read_text(encoding="utf-8")
    assert "rna0" in page or "rna1" in page or "rna2" in page
    assert page.count("data:image/png;base64,") == 2
    assert not re.search(r"(src|href)=.https?:", page)


def test_a_folder_that_is_named_is_made_for_the_table_and_the_database(folder, capsys):
    command = ["cluster", "rna.csv,protein.csv", "--clusters", "3", "--algo", "concat", "--restarts", "2", "--out"]
    main([*command, "here/labels.csv"])
    assert {path.name for path in Path("here").iterdir()} == {"clusters.db", "labels.csv", "labels.html"}
    err = called(capsys, "cluster", "no-such.csv", *command[2:], "there/too/labels.csv")[2]
    assert err.endswith("no-such.csv.\n"), "no option is named, as the data are an argument"
    assert not Path("there").exists()
    Path("file").touch()
    code, _, err = called(capsys, *command, "file/labels.csv")
    assert code == 2
    assert "the folder file cannot be made (File exists); name another one (--out)." in err


def test_clusters_are_judged_on_data_in_the_scaling_and_filling_of_the_run(folder):
    whole = mvarena.MultiViewData.from_arrays([[[1.0], [3.0], [9.0]], [[2.0], [np.nan], [4.0]]])
    study = Study(algorithms=("concat",), datasets=("mine",), scale=("minmax",), fill=("zero",))
    scaled, filled = scaled_data(whole, study)
    assert scaled.views[0].matrix.ravel().tolist() == [0, 0.25, 1]
    assert filled.views[1].matrix.ravel().tolist() == [0, 0, 1]


def test_outcomes_are_compared_on_the_page_and_in_words(folder, capsys):
    ids = [f"P{i:02d}" for i in range(90)]
    clinic = pd.DataFrame({"id": ids, "days": range(1, 91), "death": 1, "stage": ["I", "II", "III"] * 30})
    clinic.to_csv("clinic.csv", index=False)
    command = ["cluster", "rna.csv,protein.csv", "--clusters", "3", "--algo", "concat", "--restarts", "3"]
    command += ["--outcomes", "clinic.csv"]
    main(command)
    assert "--time days --event COLUMN compares" in capsys.readouterr().out, "columns like survival are not tested"
    main([*command, "--time", "days", "--event", "death"])
    said = capsys.readouterr().out
    assert "Survival of the clusters: log-rank p = " in said
    assert "1 column tested; differing between clusters, after Bonferroni: stage (p = " in said
    page = Path("labels.html").read_text(encoding="utf-8")
    assert "<h2>Outcomes</h2>" in page
    assert "Kaplan-Meier curves of the clusters" in page
    assert page.count("data:image/png;base64,") == 2
    assert "log-rank-p" not in set(mvarena.Results("clusters.db").scores["metric"]), "nobody sees such scores"


def test_samples_of_data_without_ids_are_numbered(folder):
    rows = np.random.default_rng(0).normal(size=(10, 3)) + np.repeat([[0.0], [90.0]], 5, axis=0)
    np.savez("views.npz", view0=rows, view1=-rows)
    main(["cluster", "views.npz", "--clusters", "2", "--algo", "concat", "--orientation", "rows"])
    table = pd.read_csv("labels.csv")
    assert table["id"].tolist() == list(range(1, 11))
    assert sorted(table.groupby("cluster").size()) == [5, 5]


@pytest.mark.parametrize(
    ("clusters", "says"),
    [("1", "give numbers from 2"), ("many", "neither a number nor a range"), ("95", "95")],
)
def test_numbers_of_clusters_that_cannot_be_are_said(folder, capsys, clusters, says):
    code, _, err = called(capsys, "cluster", "rna.csv,protein.csv", "--clusters", clusters)
    assert code != 0
    assert says in err
    assert not Path("labels.csv").exists()


def test_labels_of_a_stored_trial_are_written_with_the_best_restart_first(folder, capsys):
    main(["cluster", "rna.csv,protein.csv", "--clusters", "3", "--algo", "concat", "--restarts", "3"])
    capsys.readouterr()
    main(["results", "list", "--trials", "--db", "clusters.db", "--json"])
    key = re.search(r'"key": ?"([0-9a-f]+)"', capsys.readouterr().out).group(1)
    main(["results", "show", key[:10], "--db", "clusters.db", "--labels", "--out", "stored.csv"])
    table = pd.read_csv("stored.csv")
    assert list(table.columns) == ["sample", "cluster", "restart 0", "restart 1", "restart 2"]
    assert table["sample"].tolist() == pd.read_csv("labels.csv")["id"].tolist()
    assert adjusted_rand_score(table["cluster"], pd.read_csv("labels.csv")["cluster"]) == pytest.approx(1.0)


def test_no_file_of_the_data_is_written_over(folder, capsys):
    before = {name: Path(name).read_text() for name in ("rna.csv", "protein.csv")}
    Path("clinic.html").write_text("id,days\n")
    for data, out, more in (
        ("rna.csv,protein.csv", "protein.csv", []),
        ("rna.csv", "../" + folder.name + "/rna.csv", []),
        ("rna.csv,protein.csv", "clinic.csv", ["--outcomes", "clinic.html"]),
    ):
        code, _, err = called(capsys, "cluster", data, "--clusters", "3", "--out", out, *more)
        assert code == 2
        assert "is a file of the data; name another file with --out." in " ".join(err.split())
    assert {name: Path(name).read_text() for name in before} == before


NOT_THREE = """
from mvarena.contracts.algorithm import MultiViewClusterer, Representation

class NotThree(MultiViewClusterer):
    def solve(self, data, n_clusters):
        if n_clusters == 3:
            raise ValueError("not three")
        return Representation(embedding=data.views[0].matrix * 1.0)
"""


def test_a_number_without_clusters_is_said_and_a_failed_trial_ends_with_1(folder, capsys):
    Path("own.py").write_text(NOT_THREE)
    words = ["--clusters", "2:4", "--algo", "own.py:NotThree"]
    code, out, err = called(capsys, "cluster", "rna.csv,protein.csv", *words)
    assert code == 1
    assert "No method gave 3 clusters; it is not compared." in err
    assert "mvarena results list --failures --db clusters.db" in err
    assert "Samples: labels.csv" in out
