"""Frames as files for other tools: CSV, JSON or parquet."""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import pandas as pd
from pandas.api.types import is_numeric_dtype

from mvarena.analysis.conditions import all_preparations
from mvarena.analysis.summary import SUMMARY_COLUMNS, metrics_in
from mvarena.errors import InvalidSetting
from mvarena.report.data import ReportData
from mvarena.report.files import write_file
from mvarena.store.cards import Cards
from mvarena.store.frames import OF_TRIAL
from mvarena.text import csv_cell

Format: TypeAlias = Literal["csv", "json", "jsonl", "parquet"]
FORMATS: tuple[Format, ...] = get_args(Format)


def format_of(path: Path | None) -> Format:
    """The form that the ending of a file says; CSV where there is no ending. Raises InvalidSetting for another."""
    ending = path.suffix.lower().removeprefix(".") if path is not None else ""
    for known in FORMATS:
        if ending == known:
            return known
    if not ending:
        return "csv"
    raise InvalidSetting(
        f"'{path}' must end in one of {', '.join(f'.{known}' for known in FORMATS)} (or name a format).",
        field="format",
        value=str(path),
    )


def exported(frame: pd.DataFrame, form: Format) -> bytes:
    """The frame in that form. In JSON what is no number or infinite is null; CSV and parquet keep infinities.

    Raises InvalidSetting for parquet where pyarrow is not installed.
    """
    return _WRITERS[form](frame)


def _parquet(frame: pd.DataFrame) -> bytes:
    if find_spec("pyarrow") is None:
        raise InvalidSetting("parquet needs pyarrow; install it with: pip install 'mvarena[parquet]'.", field="format")
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False)
    return buffer.getvalue()


def write_export(frame: pd.DataFrame, path: Path, form: Format) -> Path:
    """Write the frame to a file, whole or not at all.

    Raises InvalidSetting for a folder, for a folder that is not there, and for what cannot be written.
    """
    check_place(path)
    return write_file(path, exported(frame, form))


def check_place(path: Path) -> None:
    """Raise InvalidSetting, before anything is read, if no file can be at `path`."""
    if path.is_dir():
        raise InvalidSetting(f"{path} is a folder; name a file in it, such as {path / 'scores.csv'}.", field="out")
    if not path.resolve().parent.is_dir():
        raise InvalidSetting(f"the folder {path.parent} does not exist; make it first, or choose another.", field="out")


def csv_text(frame: pd.DataFrame) -> str:
    """The frame as CSV, numbers unrounded. Text that a spreadsheet would run as a formula begins with an apostrophe."""
    run = {name: own for name in frame.columns if (own := _formulas(frame[name]))}
    safe = {name: frame[name].astype(object).replace(own) for name, own in run.items()}
    return frame.assign(**safe).rename(columns=csv_cell).to_csv(index=False, lineterminator="\n")


def _formulas(column: pd.Series) -> dict[str, str]:
    """Cells of the column that a spreadsheet would run -> the same as text."""
    if is_numeric_dtype(column):
        return {}
    texts = (item for item in column.unique() if isinstance(item, str))
    return {text: safe for text in texts if (safe := csv_cell(text)) != text}


def _json(frame: pd.DataFrame) -> bytes:
    return f"{frame.to_json(orient='records', indent=2, double_precision=15)}\n".encode()


def _json_lines(frame: pd.DataFrame) -> bytes:
    return frame.to_json(orient="records", lines=True, double_precision=15).encode()


_WRITERS: dict[Format, Callable[[pd.DataFrame], bytes]] = {
    "csv": lambda frame: csv_text(frame).encode(),
    "json": _json,
    "jsonl": _json_lines,
    "parquet": _parquet,
}


# Forms of stored scores for other tools: by trial, by contestant.

_TRIAL = ["key", "dataset", "protocol"]


def summary_form(frame: pd.DataFrame, cards: Cards) -> pd.DataFrame:
    """One row per data set, condition, contestant and metric (`mvarena.analysis.summary.summarize`).

    Scaling and filling are conditions: each that is stored has rows of its own. cards : of the methods.
    """
    metrics = metrics_in(frame)
    parts = [
        ReportData.of_scores(rows, cards=cards, metrics=metrics, every_preparation=True).summary
        for rows, _ in all_preparations(frame)
    ]
    one = ["dataset", "corruption", "rate", "contestant", "metric", "scaling", "filling", "prepare"]
    return pd.concat(parts, ignore_index=True).drop_duplicates(one)[list(SUMMARY_COLUMNS)]


def wide_form(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per trial, a column for each metric; a trial without scores keeps its row.

    frame : the long form (`mvarena.store.frames.scores_frame`). A metric whose name is that of another column is called
    'metric NAME'. Cost O(rows log rows).
    """
    numbered = frame.assign(row=frame.groupby(_TRIAL, dropna=False, sort=False).ngroup())
    heads = numbered.drop_duplicates("row").set_index("row")[list(OF_TRIAL)]
    scored = numbered[numbered["metric"].notna()]
    values = scored.pivot(index="row", columns="metric", values="value")
    taken = set(heads.columns)
    values = values.rename(columns={name: f"metric {name}" for name in values.columns if name in taken})
    values.columns.name = None
    return heads.join(values).reset_index(drop=True)
