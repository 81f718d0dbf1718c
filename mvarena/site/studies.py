"""Which studies a database holds: those that it keeps the commands of, and what its other trials tell of theirs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from mvarena.site.asked_studies import AskedStudy, asked_studies, moment
from mvarena.site.material import Material
from mvarena.site.rebuilt_studies import rebuilt_studies
from mvarena.text import visible


def studies_of(material: Material) -> tuple[list[dict[str, Any]], dict[str, list[Any]]]:
    """What the pages show of each study, the largest first; and for each trial of `Material.trials` its studies.

    first, last : when the first trial began, and the last; where the runs are known, when the first of these began and
    the last ended. rebuilt : where no command is known, one that is put together from the trials.
    The second is coded as a column of the trials' table: a trial may have been asked for by several.
    """
    trials = material.trials.assign(place=range(len(material.trials)))
    for name in ("started_at", "environment_id"):
        trials[name] = material.endings[name].to_numpy()
    found: list[tuple[dict[str, Any], pd.DataFrame]] = []
    unknown = np.ones(len(trials), dtype=bool)
    for study in asked_studies(material):
        part = trials.iloc[study.places]
        unknown[study.places] = False
        found.append((_common(part, material) | study.shown() | _instead(study, part, material), part))
    for shown, part in rebuilt_studies(trials[unknown], material) if unknown.any() else ():
        found.append((_common(part, material) | shown, part))
    found.sort(key=lambda one: (-len(one[1]), one[0]["title"]))
    return [shown for shown, _ in found], _of_trials([part["place"].tolist() for _, part in found], len(trials))


def _common(part: pd.DataFrame, material: Material) -> dict[str, Any]:
    moments = part["started_at"].dropna()
    ids = part["environment_id"].dropna().unique()
    return {
        "first": moment(moments.min()) if len(moments) else "",
        "last": moment(moments.max()) if len(moments) else "",
        "wall_s": float(part["wall_s"].sum()),
        "environments": [material.environments[one] for one in ids if one in material.environments],
        "n": len(part),
        "protocol": ", ".join(map(visible, sorted(part["protocol"].unique()))),
        "corruption": ", ".join(map(visible, sorted(part["corruption"].unique()))),
        **dict.fromkeys(("scaling", "seed", "command", "rebuilt", "file"), ""),
        "runs": [],
    }


def _instead(study: AskedStudy, part: pd.DataFrame, material: Material) -> dict[str, str]:
    """For what Python asked for, a command that would have; none where it takes several, or a study file tells."""
    if not study.by_python or study.runs[0].study:
        return {}
    rebuilt = [shown["rebuilt"] for shown, _ in rebuilt_studies(part, material)]
    return {"rebuilt": rebuilt[0]} if len(rebuilt) == 1 else {}


def _of_trials(places: list[list[int]], n: int) -> dict[str, list[Any]]:
    """For each trial the studies that it is of, as a coded column."""
    of_trial: list[tuple[int, ...]] = [()] * n
    for study, own in enumerate(places):
        for place in own:
            of_trial[place] = (*of_trial[place], study)
    values = sorted(set(of_trial))
    codes = {value: place for place, value in enumerate(values)}
    return {"values": [list(value) for value in values], "codes": [codes[value] for value in of_trial]}
