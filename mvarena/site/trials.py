"""Every stored trial as one row for the pages: what it was, how it ended, what it scored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from mvarena.site.data import Material
from mvarena.site.scripts import coded, reals
from mvarena.study.adaptation import NONE
from mvarena.text import visible, without_folders

_EPOCH = pd.Timestamp(0, tz="UTC")
_TRIAL = ["key", "dataset", "protocol"]
_MEASURED = {"seconds": "cpu_s", "wall_s": "wall_s", "fit_s": "fit_s", "peak_rss_mb": "peak_rss_mb"}
SHOWN_KEY = 16  # hex digits; `mvarena results show` takes any beginning of a key


def trial_table(material: Material) -> dict[str, Any]:
    """All trials, in the order of `Material.trials`."""
    trials, endings = material.trials, material.endings
    reasons = _shown(trials["reason"])
    errors = _shown(endings["traceback"].where(endings["traceback"].astype(bool), endings["stderr_tail"]), _last_line)
    told = (trials["status"] != "DONE") & (errors != reasons)  # what a finished trial printed is no error
    return {
        "n": len(trials),
        "key": [key[:SHOWN_KEY] for key in trials["key"]],
        "dataset": coded(trials["dataset"], material.datasets)["codes"],
        "condition": material.codes_of_conditions(trials),
        "contestant": coded(trials["contestant"], material.contestants)["codes"],
        "counts": trials["counts"].astype(int).tolist(),
        "seed": coded(trials["seed"].astype(str)),
        "repeat": trials["repeat"].tolist(),
        **{name: coded(_visible(trials[name])) for name in ("params", "protocol", "pick", "prepare", "status")},
        "scaling": coded(trials["scaling"]),
        "filling": coded(trials["filling"].replace("", NONE)),
        "version": coded(_visible(trials["algorithm_version"])),
        "reason": coded(reasons),
        "error": coded(errors.where(told, "")),
        **{shown: reals(_measured(trials, name), 5) for shown, name in _MEASURED.items()},
        "started": _seconds(endings["started_at"]),
        "n_iter": endings["n_iter"].fillna(0).astype(int).tolist(),
        "stopped": coded(_visible(endings["stopped_because"].fillna(""))),
    }


def _measured(trials: pd.DataFrame, name: str) -> pd.Series:
    """A column without the zeros of trials that did not finish, of which it was not measured."""
    return trials[name].where((trials["status"] == "DONE") | (trials[name] > 0))


def value_tables(material: Material) -> list[dict[str, Any]]:
    """For each metric the value of each trial under its protocol, and whether ground truth picked it."""
    tables = []
    for metric in material.metrics:
        rows = material.values[material.values["metric"] == metric].drop_duplicates(_TRIAL)
        merged = material.trials[_TRIAL].merge(rows, on=_TRIAL, how="left")
        tables.append({
            "value": reals(merged["value"]),
            "label_picked": merged["label_picked"].eq(True).astype(int).tolist(),
        })  # fmt: skip
    return tables


def _visible(texts: pd.Series) -> pd.Series:
    """Texts that others chose, as they can be shown."""
    return texts.map({text: visible(text) for text in texts.unique()})


def _shown(texts: pd.Series, part: Callable[[str], str] = str) -> pd.Series:
    """Messages, or a part of each, without folders and as they can be shown; '' for none."""
    return texts.map({text: visible(without_folders(part(text))) for text in texts.dropna().unique()}).fillna("")


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2]


def _seconds(moments: pd.Series) -> list[int | None]:
    """Seconds since 1970, UTC."""
    seconds = (moments - _EPOCH) // pd.Timedelta(seconds=1)
    return [None if value != value else int(value) for value in seconds.tolist()]
