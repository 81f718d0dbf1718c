"""Every stored trial as one row for the pages: what it was, how it ended, what it scored."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd

from mvarena import __version__
from mvarena.report.data import ReportData
from mvarena.site.data import Material
from mvarena.site.scripts import coded, exact, reals
from mvarena.study.adaptation import NONE
from mvarena.text import visible, without_folders

_EPOCH = pd.Timestamp(0, tz="UTC")
SHOWN_KEY = 16  # hex digits; `mvarena results show` takes any beginning of a key


def trial_table(material: Material) -> dict[str, Any]:
    """All trials, in the order of `Material.trials`."""
    trials, endings = material.trials, material.endings
    return {
        "n": len(trials),
        "key": [key[:SHOWN_KEY] for key in trials["key"]],
        "dataset": coded(trials["dataset"], material.datasets)["codes"],
        "corruption": coded(trials["corruption"], material.corruptions)["codes"],
        "contestant": coded(trials["contestant"], material.contestants)["codes"],
        "counts": material.reported.trials.index.isin(material.reported.kept.index).astype(int).tolist(),
        "parts": coded(_parts(material)),
        "seed": coded(trials["seed"].astype(str)),
        "repeat": trials["repeat"].tolist(),
        "rate": reals(trials["rate"]),
        "attempt": trials["attempt"].tolist(),
        **{
            name: coded(_visible(trials[name]))
            for name in ("params", "protocol", "pick", "prepare", "status", "choice")
        },
        "scaling": coded(trials["scaling"]),
        "filling": coded(trials["filling"].replace("", NONE)),
        "version": coded(_visible(trials["algorithm_version"])),
        "reason": coded(_visible(trials["reason"].fillna("").map(without_folders))),
        **{name: reals(trials[name], 5) for name in ("wall_s", "fit_s", "peak_rss_mb")},
        "started": _seconds(endings["started_at"]),
        "n_iter": endings["n_iter"].fillna(0).astype(int).tolist(),
        "stopped": coded(_visible(endings["stopped_because"].fillna(""))),
    }


def value_tables(material: Material) -> dict[str, dict[str, Any]]:
    """Metric -> each trial's value, under its protocol, and whether a report counts it for that metric.

    A value that counts is that of `mvarena.analysis.trial_values.trial_values`; one that does not is superseded, or is
    of a variant that labels did not pick.
    """
    trials = material.trials.assign(place=range(len(material.trials)))
    frame = material.reported.frame
    scored = frame[(frame["status"] == "DONE") & frame["metric"].notna()]
    means = scored.pivot(index="trial_id", columns="metric", values="value").reindex(columns=material.metrics)
    values = ["key", "dataset", "protocol"]
    every = pd.concat([part.values[[*values, "metric", "label_picked"]] for part in material.parts])
    counted = every.drop_duplicates([*values, "metric"])
    tables = {}
    for metric in material.metrics:
        rows = counted[counted["metric"] == metric].drop(columns="metric")
        merged = trials[[*values, "place", "trial_id"]].merge(rows, on=values, how="left").sort_values("place")
        tables[metric] = {
            "value": reals(merged["trial_id"].map(means[metric])),
            "counts": merged["label_picked"].notna().astype(int).tolist(),
            "label_picked": merged["label_picked"].eq(True).astype(int).tolist(),
        }
    return tables


def _parts(material: Material) -> pd.Series:
    """Trial by trial, the places of the preparations under which it counts, as '0 2'."""
    place = ["key", "dataset", "protocol"]
    found = pd.concat([part.reported.kept[place].assign(part=str(i)) for i, part in enumerate(material.parts)])
    several = found.groupby(place, dropna=False)["part"].agg(" ".join).to_dict()
    return pd.Series([several.get(one, "") for one in map(tuple, material.trials[place].to_numpy())], dtype=object)


def _visible(texts: pd.Series) -> pd.Series:
    """Texts that others chose, as they can be shown."""
    return texts.map({text: visible(text) for text in texts.unique()})


def _seconds(moments: pd.Series) -> list[int | None]:
    """Seconds since 1970, UTC."""
    seconds = (moments - _EPOCH) // pd.Timedelta(seconds=1)
    return [None if value != value else int(value) for value in seconds.tolist()]


# What the pages call everything, and how contestants look: read first by every page.


def labels_of(material: Material, title: str) -> dict[str, Any]:
    """Names, labels, units and looks; all lists are sorted as texts, and all tables hold places in them.

    bootstrap : the state of the generator that draws data sets for the intervals of ratings, so that the pages draw the
    same (`mvarena.analysis.ratings.ratings`).
    """
    trials = material.trials
    corpora = dict(zip(trials["dataset"], trials["corpus"].map(visible), strict=True))
    return {
        "title": visible(title),
        "mvarena": __version__,
        "written": _now(),
        "statuses": {str(name): int(count) for name, count in trials["status"].value_counts().items()},
        "n_trials": int(trials["key"].nunique()),
        "metrics": [_metric(name, material) for name in material.metrics],
        "metrics_left_out": list(material.left_out),
        "datasets": [
            {"name": dataset, "label": material.results.context.dataset(dataset), "corpus": corpora[dataset]}
            for dataset in material.datasets
        ],
        "preparations": [preparation_words(part) for part in material.parts],
        "corruptions": [_corruption(name, material) for name in material.corruptions],
        "contestants": _contestants(material),
        "bootstrap": _bootstrap(),
        "older": visible(material.results.context.left_out),
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _metric(name: str, material: Material) -> dict[str, Any]:
    context = material.results.context
    return {
        "name": name,
        "label": context.metric(name),
        "axis": context.metric_axis(name),
        "percent": context.in_percent(name),
        "higher": context.directions.get(name, True),
    }


def _corruption(name: str, material: Material) -> dict[str, Any]:
    context = material.results.context
    return {
        "name": name,
        "label": context.corruption(name),
        "axis": context.rate_axis(name),
        "means": context.rate_means(name),
    }


def _contestants(material: Material) -> list[dict[str, Any]]:
    trials = material.trials.drop_duplicates("contestant").set_index("contestant")
    shown = material.results.context.contestants(material.contestants)
    looks = material.results.looks
    drawn = set(material.results.summary["contestant"])
    controls = material.results.context.controls
    result = []
    for name in material.contestants:
        algorithm = str(trials.at[name, "algorithm"])
        look = looks[name] if name in drawn else None
        result.append({
            "name": name,
            "label": shown[name],
            "algorithm": algorithm,
            "family": material.families.get(algorithm, ""),
            "control": algorithm in controls,
            "colour": look.colour if look else "black",
            "marker": look.marker if look else "o",
            "dash": look.dash if look else "solid",
            "muted": name in looks.muted,
        })  # fmt: skip
    return result


def preparation_words(part: ReportData) -> str:
    """'auto, knn': scaling and filling of a part; of one without any filling the scaling alone."""
    how = part.context.preparation
    return ", ".join(filter(None, (how.scaling, how.filling))) or NONE


def _bootstrap() -> dict[str, str]:
    """Whole numbers of 128 bits, as text."""
    state = np.random.default_rng(0).bit_generator.state["state"]
    return {"state": str(state["state"]), "increment": str(state["inc"])}


# The points that standings are made of, for the pages to choose among: the summary that every report shows.

COUNTS = ("n_stored", "n_trials", "n_nan", "unscored", "failed", "skipped")


def point_tables(material: Material) -> dict[str, dict[str, Any]]:
    """Metric -> one row per preparation, data set, corruption, rate and contestant (`mvarena.report.data.ReportData`).

    Names are places in the lists of `mvarena.site.trials`, which are sorted as texts: what is decided by the order of
    names comes out in the pages as it does in Python. Means keep every digit, for the same reason.
    """
    parts = [part.summary.assign(preparation=preparation_words(part)) for part in material.parts]
    summary = pd.concat(parts, ignore_index=True)
    return {str(metric): _table(rows, material) for metric, rows in summary.groupby("metric", sort=False)}


def _table(rows: pd.DataFrame, material: Material) -> dict[str, Any]:
    return {
        "n": len(rows),
        "dataset": coded(rows["dataset"], material.datasets)["codes"],
        "corruption": coded(rows["corruption"], material.corruptions)["codes"],
        "contestant": coded(rows["contestant"], material.contestants)["codes"],
        "rate": exact(rows["rate"]),
        "mean": exact(rows["mean"]),
        "std": reals(rows["std"], 6),
        "wall_s": reals(rows["wall_s"], 6),
        "control": exact(rows["control"]),
        "above": rows["above"].astype(int).tolist(),
        "peak_rss_mb": reals(rows["peak_rss_mb"], 5),
        "label_picked": rows["label_picked"].astype(int).tolist(),
        **{name: rows[name].astype(int).tolist() for name in COUNTS},
        **{
            name: coded(rows[name].map(_shown))
            for name in ("preparation", "protocol", "prepare", "status", "reason", "choice")
        },
    }


def _shown(text: str) -> str:
    """A text that others chose, without folders and as it can be shown."""
    return visible(without_folders(text))
