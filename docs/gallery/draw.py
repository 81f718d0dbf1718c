"""Draws every kind of figure from the database beside this file: python docs/gallery/draw.py [FOLDER].

The database holds what `mvarena run docs/gallery/study.toml --db docs/gallery/results.db` stores. Curves of survival
and the embedding are of trials that are run anew: of drawn patients in `clinic`, and of the bundled digits.
"""

from __future__ import annotations

import sys
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from mvarena.cli.main import cli
from mvarena.report.drawing.canvas import in_palette

HERE = Path(__file__).parent
METHODS = ("--algo", "apmc", "concat", "sc-concat", "daimc", "eeimvc", "rmsc", "pvc")
TRIAL = "260cd08b"  # apmc on digits, of DIGITS
# what is drawn: the figures, and of which results
DRAWN = (
    (("rate",), (*METHODS, "--metric", "acc", "--data", "webkb-*")),
    (("bars",), (*METHODS, "--data", "3sources", "digits*", "msrcv1", "--rate", "0", "0.5")),
    (("heatmap", "pareto", "scaling"), (*METHODS, "--metric", "acc", "--corrupt", "missing-even")),
    (("preparations",), (*METHODS, "--metric", "acc", "--data", "webkb-*")),
    (("standings",), (*METHODS, "--metric", "acc", "--corrupt", "missing-even")),
    (("convergence",), (*METHODS, "--data", "webkb-texas")),
    (("sensitivity",), ("--algo", "mic", "--metric", "acc")),
    (("missing",), ("--data", "digits*", "--algo", "concat")),
    (("embedding",), ("--trial", TRIAL)),
    (("survival",), ("--data", "rna+methylation", "--algo", "apmc", "concat", "sc-concat")),
)
RUN = ("run", "--algo", "apmc", "concat", "sc-concat", "--restarts", "2", "--repeats", "1", "--no-controls", "--json")
CLINIC = (
    "--data", "rna.csv,methylation.csv", "--clusters", "3", "--rates", "0.2",
    "--outcomes", "clinic.csv", "--time", "days", "--event", "death",
)  # fmt: skip
DIGITS = ("--data", "digits[fou,fac]", "--rates", "0.1")
OWN = ("embedding", "survival")  # figures that need labels or outcomes, which results.db lacks: of CLINIC and DIGITS


def draw(folder: Path, form: str = "png") -> None:
    """Draw everything into a folder, as images of this format. Beside those of results.db lie their points as CSV."""
    folder = folder.absolute()
    with TemporaryDirectory() as made, chdir(HERE / "clinic"):
        own = Path(made) / "own.db"
        with redirect_stdout(StringIO()):
            for data in (CLINIC, DIGITS):
                cli.main([*RUN, *data, "--db", str(own)], standalone_mode=False)
        for figures, results in DRAWN:
            database = own if set(figures) <= set(OWN) else HERE / "results.db"
            said = ["report", "--db", str(database), "--out", str(folder), "--format", form]
            cli.main([*said, "--figure", *figures, *results], standalone_mode=False)
    page = (HERE.parent / "gallery.md").read_text("utf-8")
    run_anew = tuple(f"figure-{kind}" for kind in OWN)  # a row per sample, other last digits on another machine
    for path in folder.glob("figure-*"):  # the page has its own captions, and shows one figure of each kind
        points = path.suffix == ".csv" and path.name.startswith(run_anew)
        if points or path.suffix in (".md", ".tex") or f"{path.stem}." not in page:
            path.unlink()
    for path in folder.glob("*.png"):
        path.write_bytes(in_palette(path.read_bytes(), 128))


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
