"""The board of the committed releases, computed again from their databases by code that shares nothing with mvarena."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from recomputation import board

from mvarena.registry.catalog import installed_catalog
from mvarena.study.families import controls
from mvarena.study.file import study_at

REPORTS = Path(__file__).parents[2] / "reports"
# rounding of the numbers in board.csv, and of ratings
MOST_OFF = {"mean_rank": 3e-3, "rating": 0.05, "score": 1e-3}


@pytest.mark.parametrize("name", ["arena-lite", pytest.param("arena", marks=pytest.mark.slow)])
def test_a_board_is_what_other_code_computes_from_the_database(name: str) -> None:
    catalog = installed_catalog()
    corpora = {spec.name: spec.corpus for spec in catalog.specs("dataset") if spec.corpus}
    by_labels = {spec.name for spec in catalog.specs("algorithm") if spec.picks_by_labels}
    apart = {spec.name for spec in controls(catalog)} | by_labels
    datasets = {data for block in study_at(name).document["run"] for data in block["data"]}
    here = board(REPORTS / name / "results.db", corpora, apart, datasets)
    with (REPORTS / name / "board.csv").open(encoding="utf-8") as file:
        rows = {row["contestant"].partition(" (")[0]: row for row in csv.DictReader(file)}
    assert rows.keys() == here.keys()
    for method, row in rows.items():
        stated = {"mean_rank": float(row["mean_rank"]), "rating": float(row["rating"])}
        if row["nmi"] != "":  # the mean of a method that did not finish all is not stated
            stated["score"] = float(row["nmi"])
        for what, value in stated.items():
            assert here[method][what] == pytest.approx(value, abs=MOST_OFF[what]), f"{method}: {what}"
        finished = int(row["finished"]), int(row["conditions"])
        assert (here[method]["finished"], here[method]["conditions"]) == finished
        assert here[method]["place_there"] == int(float(row["place_there"] or 0)), method
    places = [int(rows[method]["place"]) for method in here]
    assert max(abs(place - number) for number, place in enumerate(places, 1)) <= 1
