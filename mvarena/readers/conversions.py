"""Files of other programs, and tables of another form: the command that makes them readable."""

from __future__ import annotations

import shlex
from pathlib import Path

_EXCEL = "import sys, pandas as pd; pd.read_excel(sys.argv[1], dtype=str).to_csv(sys.argv[2], index=False)"
_LINES = {
    ".h5ad": "import sys, anndata; anndata.read_h5ad(sys.argv[1]).to_df().to_csv(sys.argv[2])",
    ".h5mu": "import sys, mudata; [m.to_df().to_csv(k + '.csv') for k, m in mudata.read_h5mu(sys.argv[1]).mod.items()]",
    ".npy": "import sys, numpy as np; np.savez(sys.argv[2], X=np.load(sys.argv[1]))",
    ".xlsx": _EXCEL,
    ".xls": _EXCEL,
}
_LONG = (
    "import sys, pandas as pd; pd.read_csv(sys.argv[1], sep=None, engine='python', dtype=str{}).set_axis(['sample', "
    "'feature', 'value'], axis=1).pivot(index='sample', columns='feature', values='value').to_csv(sys.argv[2])"
)


def conversion(path: str) -> str:
    """A sentence with the command for a file of another program; empty for an unknown ending."""
    place = Path(path)
    ending = place.suffix.lower()
    if ending not in _LINES:
        return ""
    target = place.with_suffix(".npz" if ending == ".npy" else ".csv")
    sheet = ", of the first sheet" if _LINES[ending] == _EXCEL else ""
    made = "writes a .csv file for each view" if ending == ".h5mu" else f"writes {target.name}{sheet}"
    needed = {".xlsx": ", after pip install openpyxl", ".xls": ", after pip install xlrd"}.get(ending, "")
    return f" This {made}{needed}: {_command(_LINES[ending], place, target)}"


def long_to_wide(path: Path, target: Path, named: bool) -> str:
    """The command that makes a row per sample of a table with a row per sample and feature."""
    return _command(_LONG.format("" if named else ", header=None"), path, target)


def _command(line: str, path: Path, target: Path) -> str:
    return f'python -c "{line}" {shlex.quote(str(path))} {shlex.quote(str(target))}'
