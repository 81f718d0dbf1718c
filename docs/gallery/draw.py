"""Draws every kind of figure from the database beside this file: python docs/gallery/draw.py [FOLDER].

The database holds what `mvarena run docs/gallery/study.toml --db docs/gallery/results.db` stores.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from mvarena.cli.main import cli

HERE = Path(__file__).parent
METHODS = ("--algo", "apmc", "concat", "sc-concat", "daimc", "eeimvc", "rmsc", "pvc")
TRIAL = "26d073cd"  # apmc on digits, which are bundled
# what is drawn: the figures, and of which results
DRAWN = (
    (("rate",), (*METHODS, "--metric", "acc", "--data", "webkb-*")),
    (("bars",), (*METHODS, "--data", "3sources", "digits*", "msrcv1", "--rate", "0", "0.5")),
    (("heatmap", "pareto", "scaling"), (*METHODS, "--metric", "acc", "--corrupt", "missing-even")),
    (("preparations",), (*METHODS, "--metric", "acc", "--data", "webkb-*")),
    (("critical-difference", "comparison", "win-rates"), (*METHODS, "--metric", "acc", "--corrupt", "missing-even")),
    (("convergence",), (*METHODS, "--data", "webkb-texas")),
    (("sensitivity", "regret"), ("--algo", "mic", "--metric", "acc")),
    (("missing",), ("--data", "digits*", "--algo", "concat")),
    (("embedding", "affinity"), ("--trial", TRIAL)),
)


def draw(folder: Path, form: str = "png") -> None:
    """Draw everything into a folder, as images of this format with their points as CSV beside them."""
    for figures, results in DRAWN:
        said = ["report", "--db", str(HERE / "results.db"), "--out", str(folder), "--format", form]
        cli.main([*said, "--figure", *figures, *results], standalone_mode=False)
    for path in folder.glob("*.png"):  # a palette takes a third of the room
        Image.open(path).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
