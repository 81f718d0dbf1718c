"""The numbers of a release's board computed again from its database, by code that shares nothing with mvarena.

It reads the SQL view `results` with sqlite3, and computes ranks, means and Bradley-Terry ratings with NumPy alone.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

QUERY = """
SELECT key, algorithm, dataset, corruption, rate, prepare, repeat, metric, value, status FROM results
"""
SCALED = "SELECT DISTINCT dataset FROM results WHERE prepare LIKE '%scale-auto%'"
Condition = tuple[str, str, float]


def board(
    path: Path, corpora: dict[str, str], apart: Iterable[str], datasets: Collection[str], metric: str = "nmi"
) -> dict[str, dict[str, float]]:
    """Method -> its place, mean rank, score (percent), rating, of how many conditions it finished how many, and its
    place under these.

    corpora : data set -> corpus; others are one of their own. apart : methods that are not ranked.
    datasets : those of the suite; the database also holds those of its parts.
    """
    scores: dict[tuple[str, Condition], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    unfinished: set[tuple[str, Condition]] = set()
    with closing(sqlite3.connect(path)) as connection:
        scaled = {data for (data,) in connection.execute(SCALED)}  # all but kernels, which nothing scales
        for _, name, data, corruption, rate, prepare, repeat, measured, value, status in connection.execute(QUERY):
            if name in apart or data not in datasets or not _prepared_alike(prepare, data in scaled):
                continue
            entry = name, (data, corruption, rate or 0.0)
            if status != "DONE":
                unfinished.add(entry)
                scores[entry]  # it takes part
            elif measured == metric and value is not None:
                scores[entry][repeat].append(value)
    conditions = sorted({condition for _, condition in scores})
    # who was asked under every condition: methods that a part of the suite alone has were not
    methods = sorted({name for name, _ in scores if all((name, condition) in scores for condition in conditions)})
    means = {
        entry: float(np.mean([np.mean(values) for values in repeats.values()]))
        for entry, repeats in scores.items()
        if repeats and entry not in unfinished
    }
    ranks = {condition: _ranks([means.get((name, condition)) for name in methods]) for condition in conditions}
    means_of_ranks = _by_corpus(ranks, corpora).values()
    of_corpora = np.array([_ranks(list(-row.round(12))) for row in means_of_ranks])
    mean_ranks, ratings = of_corpora.mean(axis=0), _ratings(of_corpora)
    found = {}
    for index in np.argsort(mean_ranks.round(12), kind="stable"):
        name = methods[index]
        own = {condition: np.array([means[name, condition]]) for condition in conditions if (name, condition) in means}
        found[name] = {
            "place": 1 + int((mean_ranks.round(12) < mean_ranks.round(12)[index]).sum()),
            "mean_rank": float(mean_ranks[index]),
            "score": 100 * float(np.mean(list(_by_corpus(own, corpora).values()))) if own else float("nan"),
            "rating": float(ratings[index]),
            "finished": len(own),
            "conditions": len(conditions),
            "place_there": 0,
        }
        if own:
            there = _by_corpus({condition: ranks[condition] for condition in own}, corpora).values()
            means_there = np.array([_ranks(list(-row.round(12))) for row in there]).mean(axis=0).round(12)
            found[name]["place_there"] = 1 + int((means_there < means_there[index]).sum())
    return found


def _prepared_alike(prepare: str, has_features: bool) -> bool:
    """True for the suite's own scaling and filling."""
    steps = prepare.split(",") if prepare else []
    fillings = [step for step in steps if step.startswith("fill-")]
    return ("scale-auto" in steps or not has_features) and fillings in ([], ["fill-knn"])


def _ranks(values: Sequence[float | None]) -> np.ndarray:
    """1 for the highest; equals share the mean of their places, and who did not finish shares the last ones."""
    level = np.array([-np.inf if value is None else round(value, 9) for value in values])
    above = (level[None, :] > level[:, None]).sum(axis=1)
    equal = (level[None, :] == level[:, None]).sum(axis=1)
    return above + (equal + 1) / 2


def _by_corpus(values: dict[Condition, np.ndarray], corpora: dict[str, str]) -> dict[str, np.ndarray]:
    """Corpus -> the mean over its data sets of the means over their conditions."""
    of_sets: dict[str, list[np.ndarray]] = defaultdict(list)
    for (data, *_), value in values.items():
        of_sets[data].append(value)
    found: dict[str, list[np.ndarray]] = defaultdict(list)
    for data, rows in of_sets.items():
        found[corpora.get(data, data)].append(np.mean(rows, axis=0))
    return {corpus: np.mean(rows, axis=0) for corpus, rows in found.items()}


def _ratings(ranks: np.ndarray) -> np.ndarray:
    """Bradley-Terry ratings by how often one method ranks before another over corpora, on Elo's scale around 1000.

    ranks : (corpora, methods). The maximum of the likelihood with one drawn game of each pair besides.
    """
    before = (ranks[:, :, None] < ranks[:, None, :]).sum(0) + (ranks[:, :, None] == ranks[:, None, :]).sum(0) / 2
    np.fill_diagonal(before, 0.0)
    n = len(before)
    wins = before + 0.5 * (1 - np.eye(n))
    strength = np.ones(n)
    for _ in range(20_000):
        games = (wins + wins.T) / (strength[:, None] + strength[None, :])
        new = wins.sum(axis=1) / games.sum(axis=1)
        new /= np.exp(np.log(new).mean())
        if np.abs(new - strength).max() < 1e-13:
            break
        strength = new
    return 1000 + 400 * np.log10(strength)
