"""What the pages call everything, and how contestants look: read first by every page."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np

from mvarena import __version__
from mvarena.site.material import Material
from mvarena.text import visible


def labels_of(material: Material, title: str) -> dict[str, Any]:
    """Names, labels, units and looks; all lists are sorted as texts, and all tables hold places in them.

    bootstrap : the state of the generator that draws data sets for the intervals of ratings, so that the pages draw the
    same (`mvarena.analysis.ratings.ratings`).
    """
    trials = material.trials
    return {
        "title": visible(title),
        "mvarena": __version__,
        "written": _now(),
        "statuses": {str(name): int(count) for name, count in trials["status"].value_counts().items()},
        "n_trials": int(trials["key"].nunique()),
        "metrics": [_metric(name, material) for name in material.metrics],
        "metrics_left_out": list(material.left_out),
        "datasets": [{"name": one, "label": material.results.context.dataset(one)} for one in material.datasets],
        "corruptions": [_corruption(name, material) for name in material.corruptions],
        "contestants": _contestants(material),
        "bootstrap": _bootstrap(),
    }


def labels_of_nothing(title: str, token: str) -> dict[str, Any]:
    """The same where no result is stored yet."""
    lists = ("metrics", "metrics_left_out", "datasets", "corruptions", "contestants", "runs")
    nothing: dict[str, Any] = {name: [] for name in lists}
    said = {"title": visible(title), "token": token, "mvarena": __version__, "written": _now()}
    return nothing | said | {"statuses": {}, "n_trials": 0, "block": 1, "with_runs": 0}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _metric(name: str, material: Material) -> dict[str, Any]:
    context = material.results.context
    spec = context.metrics.get(name)
    return {
        "name": name,
        "label": context.metric(name),
        "axis": context.metric_axis(name),
        "percent": context.in_percent(name),
        "higher": context.directions.get(name, True),
        "summary": spec.summary if spec else "",
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
    found = []
    for name in material.contestants:
        algorithm = str(trials.at[name, "algorithm"])
        look = looks[name] if name in drawn else None
        found.append({
            "name": name,
            "label": shown[name],
            "algorithm": algorithm,
            "family": material.families.get(algorithm, ""),
            "colour": look.colour if look else "black",
            "marker": look.marker if look else "o",
            "dash": look.dash if look else "solid",
            "muted": name in looks.muted,
        })  # fmt: skip
    return found


def _bootstrap() -> dict[str, str]:
    """Whole numbers of 128 bits, as text."""
    state = np.random.default_rng(0).bit_generator.state["state"]
    return {"state": str(state["state"]), "increment": str(state["inc"])}
