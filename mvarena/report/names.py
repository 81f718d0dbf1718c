"""Files by their own names: no folder of anybody's machine is shown."""

from __future__ import annotations

import re

import pandas as pd

_FOLDERS = re.compile(r"[^,?&=\[\]]*[/\\]")
# in a sentence: at least two folders, so that 'and/or' and '1/2' stay
_PATH = re.compile(r"(?<![\w.~-])(?:~|[A-Za-z]:|\.{1,2})?(?:[/\\][^\s/\\'\",;:()\[\]]+)+[/\\](?=[^\s/\\])")
_ONE_ROW = ["key", "dataset", "protocol", "restart", "metric"]


def file_name(dataset: str) -> str:
    """'my/faces.mat[a]?labels=/home/me/y.csv' -> 'faces.mat[a]?labels=y.csv'; any other name as it is."""
    return _FOLDERS.sub("", dataset) or dataset


def without_folders(text: str) -> str:
    """A sentence with '.../' in place of the folders of each path in it."""
    return _PATH.sub(".../", text)


def without_paths(scores: pd.DataFrame) -> pd.DataFrame:
    """Scores in long form with data sets by `file_name`.

    One trial on one file that was named by two paths is there once; different contents of one name are told apart
    later (`mvarena.analysis.naming`).
    """
    shown = {name: file_name(str(name)) for name in scores["dataset"].unique()}
    if all(name == short for name, short in shown.items()):
        return scores
    return scores.assign(dataset=scores["dataset"].map(shown)).drop_duplicates(_ONE_ROW).reset_index(drop=True)
