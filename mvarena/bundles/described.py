"""Kinds of values in a bundle's description of a trial: those that tables are made of."""

from __future__ import annotations

from typing import Any

from mvarena.contracts.outcome import MEMORY_AT_START, UNSCORED


def check_identity(identity: dict[str, Any]) -> None:
    """Raise ValueError where a description lacks what tables are made of."""
    kinds = {"algorithm": list, "params": dict, "content": str, "corruptions": list, "protocol": dict, "seed": list}
    for name, kind in kinds.items():
        if not isinstance(identity.get(name), kind):
            raise ValueError(f"there is no {name} in it")
    steps = [step for value in identity.values() if isinstance(value, list) for step in value if isinstance(step, list)]
    if any(len(step) < 2 for step in steps):
        raise ValueError("a step has no version")


def check_achieved(achieved: dict[str, Any]) -> None:
    """Raise ValueError where what a trial notes of its data is not what tables are made of."""
    views = achieved.get("views", {})
    rates = [] if not views else [achieved.get("incomplete")]
    if not isinstance(views, dict) or not all(isinstance(view, dict) for view in views.values()):
        raise ValueError("its views are not mappings")
    rates += [view.get(name) for view in views.values() for name in ("missing", "changed_rows")]
    counted = achieved.get("samples_by_missing_views", [])
    if not isinstance(counted, list) or not all(isinstance(value, int | float) for value in [*rates, *counted]):
        raise ValueError("a rate or a count is not a number")
    if not isinstance(achieved.get(MEMORY_AT_START, 0.0), int | float):
        raise ValueError("its memory is not a number")
    unscored = achieved.get(UNSCORED, {})
    if not isinstance(unscored, dict) or not all(isinstance(reason, str) for reason in unscored.values()):
        raise ValueError("its metrics without scores are not a mapping to reasons")
