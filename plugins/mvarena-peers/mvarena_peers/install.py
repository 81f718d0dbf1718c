"""`mvarena-peers install`: make the environments of the libraries."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click

from mvarena_peers import PEERS

HOME = Path("~/.local/share/mvarena-peers")
LIBRARIES = tuple(sorted(path.stem for path in PEERS.glob("*.txt")))
# mvlearn demands a matplotlib that is too old for today's Python and only draws with it
_BEFORE = {"mvlearn": ("numpy", "scipy", "scikit-learn", "joblib", "matplotlib", "seaborn")}


@click.group()
def main() -> None:
    """Environments of the libraries whose methods mvarena-peers announces."""


@main.command()
@click.argument("names", nargs=-1, type=click.Choice(LIBRARIES))
def install(names: tuple[str, ...]) -> None:
    """Make an environment for each of NAMES, by default for all, below ~/.local/share/mvarena-peers."""
    for name in names or LIBRARIES:
        folder = HOME.expanduser() / name
        click.echo(f"{name}: {folder}")
        for command in commands(name, folder):
            if subprocess.run(command, check=False).returncode:
                raise click.ClickException(f"{name} could not be installed; the command was: {' '.join(command)}")


def commands(name: str, folder: Path) -> list[list[str]]:
    """The commands that make the environment of a library in `folder`."""
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    file = ["-r", str(PEERS / f"{name}.txt")]
    before = _BEFORE.get(name)
    made = [sys.executable, "-m", "venv", str(folder)]
    return [made, [*pip, *before], [*pip, "--no-deps", *file]] if before else [made, [*pip, *file]]
