"""The numbers that a page computes are those that Python computes, for whatever is chosen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from browsers import Browser
from site_examples import DATASETS

from mvarena.analysis.claims import claim
from mvarena.analysis.rankings import cliques, friedman
from mvarena.analysis.ratings import ratings
from mvarena.analysis.significance import compared_pairs, signed_rank_p
from mvarena.analysis.standings import Standings, standings
from mvarena.analysis.summary import over_rates
from mvarena.report.figures.pareto import on_front
from mvarena.site.data import Material
from mvarena.site.trials import preparation_words

CHOICES: dict[str, dict[str, Any]] = {
    "everything": {},
    "another metric": {"metric": "nmi"},
    "lower is better": {"metric": "entropy"},
    "finished only": {"unfinished": "left-out"},
    "four data sets": {"data": list(DATASETS[1:5])},
    "one data set": {"data": ["data-c"]},
    "one condition": {"condition": ["missing-even 0.3"]},
    "two methods": {"method": ["apmc", "mic"]},
    "one family": {"family": ["baselines"]},
}
BOARD = """
mvarena.need("points-" + mvarena.metricPlace(args[0].metric)).then(function (data) {
  const board = mvarena.boardOf(data[0], args[0]);
  const labels = mvarena.get("labels");
  const table = board.table;
  return new Promise(function (ready) {
    mvarena.ratingIntervals(table, labels.bootstrap, 1000, function (intervals) {
      ready({
        names: table.contestants.map(c => labels.contestants[c].name),
        datasets: table.corpora,
        meanRanks: table.meanRanks, values: table.values, ranks: table.ranks, unfinished: table.unfinished,
        pairs: board.pairs, groups: board.groups, ratings: board.ratings, intervals: intervals, claim: board.claim,
        friedman: mvarena.friedmanP(table), leftOut: mvarena.leftOutWords(board),
      });
    });
  });
})
"""


def chosen(material: Material, choice: dict[str, Any]) -> dict[str, Any]:
    """All that a page reads of the choices, with nothing restricted that is not named."""
    lists = {kind: [] for kind in ("data", "family", "condition", "protocol", "scaling", "filling", "method")}
    first = preparation_words(material.parts[0])
    return {"metric": material.metrics[0], "unfinished": "last", "preparation": first, **lists, **choice}


def in_python(material: Material, choice: dict[str, Any]) -> Standings:
    """The same standings by `mvarena.analysis`."""
    rows = material.results.summary
    rows = rows[~rows["label_picked"]]
    for kind, column in (("data", "dataset"), ("method", "contestant")):
        rows = rows[rows[column].isin(choice[kind])] if choice[kind] else rows
    if choice["family"]:
        rows = rows[rows["algorithm"].map(material.families).isin(choice["family"])]
    if choice["condition"]:
        rows = rows[
            [f"{c} {r:g}" in choice["condition"] for c, r in zip(rows["corruption"], rows["rate"], strict=True)]
        ]
    higher = material.results.context.directions[choice["metric"]]
    return standings(rows, choice["metric"], higher_is_better=higher, unfinished=choice["unfinished"])


@pytest.mark.parametrize("name", CHOICES)
def test_standings_and_all_that_follows_from_them(name: str, browser: Browser, site, material: Material) -> None:
    choice = chosen(material, CHOICES[name])
    expected = in_python(material, choice)
    browser.open(site)
    found = browser.result(BOARD, choice)
    names = list(expected.contestants)
    assert found["names"] == names
    assert found["datasets"] == list(expected.ranks.index)
    np.testing.assert_allclose(found["meanRanks"], expected.mean_ranks.to_numpy(), rtol=1e-12)
    np.testing.assert_allclose(found["ranks"], expected.ranks[names].to_numpy(), rtol=1e-12)
    np.testing.assert_allclose(found["values"], expected.values[names].to_numpy(), rtol=1e-12)
    assert found["unfinished"] == [expected.unfinished[one] for one in names]
    _same_tests(found, expected, names)
    rated = ratings(expected).loc[names]
    np.testing.assert_allclose(found["ratings"], rated["rating"], atol=1e-4)
    for end in ("low", "high"):
        ends = np.array([one[end] for one in found["intervals"]], dtype=float)  # JSON has null for NaN
        np.testing.assert_allclose(ends, rated[end], atol=1e-4)
    labels = material.results.context.contestants(material.contestants)
    said = claim(expected)
    for one in sorted(names, key=len, reverse=True):
        said = said.replace(f" {one}", f" {labels[one]}")
    assert found["claim"] == said


def _same_tests(found: dict[str, Any], expected: Standings, names: list[str]) -> None:
    pairs = compared_pairs(expected)
    assert [(names[one["first"]], names[one["second"]]) for one in found["pairs"]] == list(
        zip(pairs["first"], pairs["second"], strict=True)
    )
    for column, key in (
        ("gain", "gain"),
        ("p", "p"),
        ("p_holm", "holm"),
        ("wins", "wins"),
        ("ties", "ties"),
        ("losses", "losses"),
    ):
        np.testing.assert_allclose([one[key] for one in found["pairs"]], pairs[column], rtol=1e-9, atol=1e-14)
    assert [tuple(names[low : high + 1]) for low, high in found["groups"]] == cliques(expected)
    np.testing.assert_allclose(found["friedman"], friedman(expected).p_value_f, rtol=1e-9, atol=1e-14)


def test_the_study_has_what_is_hard(material: Material) -> None:
    """Ties, unfinished trials, a contestant that is left out, and a claim that can be made: else little is compared."""
    everything = in_python(material, chosen(material, {}))
    assert sum(everything.unfinished.values()) > 0
    assert everything.left_out
    assert (compared_pairs(everything)["p_holm"] < 0.05).any()
    assert (compared_pairs(everything)["ties"] > 0).any()
    assert material.results.summary["label_picked"].any()


@pytest.mark.parametrize("metric", ["acc", "entropy"])
def test_means_over_rates_and_the_front_of_quality_and_time(
    metric: str, browser: Browser, site, material: Material
) -> None:
    browser.open(site)
    found = browser.result(
        """mvarena.need("trials", "values-" + mvarena.metricPlace(args[0])).then(function (data) {
             const labels = mvarena.get("labels");
             const rows = mvarena.overRates(data[0], data[1], () => true);
             const usable = rows.filter(row => row.mean !== null && row.wall_s > 0);
             const fronts = new Map();
             labels.datasets.forEach(function (_, d) {
               const own = usable.filter(row => row.dataset === d);
               mvarena.onFront(own, mvarena.metricNamed(args[0]).higher).forEach((one, i) => fronts.set(own[i], one));
             });
             return rows.map(row => ({
               dataset: labels.datasets[row.dataset].name,
               contestant: labels.contestants[row.contestant].name,
               mean: row.mean, wall_s: row.wall_s, picked: row.picked, front: fronts.get(row) || false}));
           })""",
        metric,
    )
    values = material.results.values
    expected = over_rates(values[values["metric"] == metric])
    place = ["dataset", "contestant"]
    page = pd.DataFrame(found).set_index(place).sort_index()
    python = expected.set_index(place).sort_index()
    assert list(page.index) == list(python.index)
    for column in ("mean", "wall_s"):
        np.testing.assert_allclose(page[column].astype(float), python[column].astype(float), rtol=1e-4, atol=1e-7)
    assert list(page["picked"]) == list(python["label_picked"])
    usable = expected[expected["mean"].notna() & (expected["wall_s"] > 0)]
    higher = material.results.context.directions[metric]
    fronts = pd.concat([on_front(part, higher=higher) for _, part in usable.groupby("dataset")])
    front = {tuple(usable.loc[row, place]) for row, on in fronts.items() if on}
    assert {place for place, on in page["front"].items() if on} == front


def test_signed_ranks_of_many_differences(browser: Browser, site) -> None:
    """Exact up to 200, with ties and zeros; by the normal distribution beyond."""
    rng = np.random.default_rng(3)
    cases = [[0.0], [1.0], [0.5, -0.5], [1, 1, 1, 0, -1], list(rng.normal(0.3, 1, 25)),
             list(rng.integers(-3, 4, 40) / 2), list(rng.normal(0.1, 1, 200)),
             list(rng.normal(0.1, 1, 230))]  # fmt: skip
    browser.open(site)
    found = browser.run("return arguments[0].map(mvarena.signedRankP)", [[float(x) for x in one] for one in cases])
    np.testing.assert_allclose(found, [signed_rank_p(one) for one in cases], rtol=1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 12, 57])
def test_drawn_data_sets_are_those_of_numpy(n: int, browser: Browser, site) -> None:
    browser.open(site)
    found = browser.run("return mvarena.drawnDatasets(arguments[0], 300, mvarena.get('labels').bootstrap)", n)
    expected = np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), size=300)
    np.testing.assert_array_equal(found, expected)
