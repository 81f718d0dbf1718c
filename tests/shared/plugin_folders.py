"""Plugins in a folder, as an installation would leave them there."""

from __future__ import annotations

from importlib.metadata import EntryPoint, distributions
from pathlib import Path


def announced_in(folder: Path, module: str) -> list[EntryPoint]:
    """Announce `module`, which lies in `folder`, as a plugin; version 1.0 of a distribution of its name."""
    name = module.replace("_", "-")
    about = folder / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[mvarena]\nmine = {module}\n")
    return [point for found in distributions(name=name, path=[str(folder)]) for point in found.entry_points]
