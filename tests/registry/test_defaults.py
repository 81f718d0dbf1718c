"""Defaults of all built-in components: a changed one changes what users get, so it is changed here, too."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

from mvarena.contracts.parameters import parameters_of
from mvarena.registry.catalog import installed_catalog

# written by `python tests/registry/test_defaults.py`
PINNED = Path(__file__).parents[1] / "golden" / "defaults.json"


def defaults() -> dict[str, dict[str, Any]]:
    """Component -> parameter -> default, of those with a default."""
    catalog, values = installed_catalog(), {}
    for kind in ("algorithm", "corruption", "transform"):
        for name in catalog.names(kind):  # type: ignore[arg-type]
            spec = getattr(catalog, kind)(name)
            if spec.target.startswith("mvarena."):
                parameters = parameters_of(catalog.load(spec)).values()
                known = {item.name: item.default for item in parameters if item.default is not inspect.Parameter.empty}
                values[f"{kind} {name}"] = json.loads(json.dumps(known, default=str))
    return values


def test_defaults_are_those_that_are_pinned():
    assert defaults() == json.loads(PINNED.read_text("utf-8"))


if __name__ == "__main__":
    PINNED.write_text(json.dumps(defaults(), indent=1, sort_keys=True) + "\n", "utf-8")
