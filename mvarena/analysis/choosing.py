"""Tuned methods: of each method with several values of its parameters, at each point the one that a picker picks."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import pandas as pd

from mvarena.analysis.conditions import newest_versions
from mvarena.analysis.naming import CHOSEN_BY
from mvarena.analysis.picking import NO_LABELS, Point, chosen_candidates, labelled, newest, points_of
from mvarena.contracts.outcome import Status
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.trials import DoneTrial
from mvarena.study.families import controls
from mvarena.text import listed

# what all candidates of one point share, as the long form has it
_PLACE = [
    *("algorithm", "content", "corruption", "rate", "steps", "prepare"),
    *("protocol", "pick", "restarts", "seed", "repeat"),
]


def with_choices(
    db: Database, scores: pd.DataFrame, trials: Sequence[DoneTrial], picker: str
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Scores with one contestant in place of each method that has several values, and sentences on what was chosen.

    scores : the long form (`mvarena.store.frames`). trials : the finished ones among them. picker : its name; it
    chooses for each data set, corruption, rate and repeat.
    The contestant is called 'mic (chosen by stability)'. What the picker has no answer for is left out of it, and said.

    Raises InvalidSetting for a picker that uses the classes or makes labels, MvarenaError where there is nothing to
    choose from or no answer. Cost: of each point the labellings of its candidates.
    Where no value of a method finished, a trial of it that did not stays: the method has failed there.
    """
    catalog = installed_catalog()
    spec = catalog.picker(picker)
    apart = {control.name for control in controls(catalog)}
    of_newest = set(newest_versions(scores)[0]["key"])
    methods = [
        one for one in newest([trial for trial in trials if trial.key in of_newest])
        if one.identity["algorithm"][0] not in apart
    ]  # fmt: skip
    kept = labelled(db, methods)
    if methods and not kept:
        raise MvarenaError(NO_LABELS, field="choose")
    every = points_of(kept, least=1)
    several = {point.algorithm for point in every if len(point.candidates) > 1}
    points = [point for point in every if point.algorithm in several]
    if not points:
        raise MvarenaError(
            "no method has several values of a parameter on one data set to choose from; run one, as in "
            "'--param mic.beta=0.01,0.1,1'.",
            field="choose",
        )
    chosen = chosen_candidates(db, points, spec)
    without = [point for point, one in zip(points, chosen, strict=True) if one is None]
    hint = f" 'mvarena score --metric {spec.metric}' computes what it goes by." if spec.metric else ""
    if len(without) == sum(len(point.candidates) > 1 for point in points):
        raise MvarenaError(f"{picker} has no answer for any of these results.{hint}", field="choose")
    failed = _failed(scores, {point.algorithm: point.candidates[0].identity["algorithm"][1] for point in points})
    texts = _common_settings(points, picker, dict(zip(scores["key"], scores["params"], strict=True)))
    params = {one.key: texts[one.identity["algorithm"][0]] for one in chosen if one is not None}
    params |= {key: texts[algorithm] for key, algorithm in failed.items()}
    rows = scores[~scores["algorithm"].isin(several) | scores["key"].isin(params)]
    shown = rows.assign(params=rows["key"].map(params).fillna(rows["params"]))
    notes = [*_choices(points, chosen, picker)]
    if without:
        notes.append(f"{picker} has no answer for {len(without)} of {len(points)} choices, which are left out.{hint}")
    return shown, tuple(notes)


def _failed(scores: pd.DataFrame, versions: Mapping[str, str]) -> dict[str, str]:
    """Key -> algorithm of one trial for each place where no trial of the algorithm is done: one that was tried, where
    others were skipped; of several the first.

    versions : algorithm -> the version that is chosen among.
    """
    trials = scores[scores["algorithm_version"] == scores["algorithm"].map(versions)]
    trials = trials.assign(done=trials["status"] == Status.DONE, skipped=trials["status"] == Status.SKIPPED)
    nowhere = trials[~trials.groupby(_PLACE, dropna=False)["done"].transform("any").astype(bool)]
    kept = nowhere.sort_values("skipped", kind="stable").drop_duplicates(_PLACE)
    return dict(zip(kept["key"], kept["algorithm"], strict=True))


def _common_settings(points: Sequence[Point], picker: str, params: Mapping[str, str]) -> Mapping[str, str]:
    """Algorithm -> the parameters that all of its candidates share, and who chose the others, as JSON.

    params : key -> the parameters that are not defaults, as JSON.
    """
    settings: dict[str, list[dict[str, object]]] = defaultdict(list)
    for point in points:
        settings[point.algorithm] += [json.loads(params[one.key]) for one in point.candidates if one.key in params]
    result = {}
    for algorithm, every in settings.items():
        first, *others = every
        shared = {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}
        result[algorithm] = json.dumps({**shared, CHOSEN_BY: picker}, sort_keys=True)
    return result


def _choices(points: Sequence[Point], chosen: Sequence[DoneTrial | None], picker: str) -> list[str]:
    """One sentence for each method: how often each value was chosen."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for point, one in zip(points, chosen, strict=True):
        if one is not None and len(point.candidates) > 1:
            counts[point.algorithm][point.choices[point.candidates.index(one)]] += 1
    return [
        f"Chosen by {picker} for {algorithm}, of {sum(own.values())} times: "
        f"{listed(f'{choice} ({count})' for choice, count in own.most_common())}."
        for algorithm, own in counts.items()
    ]
