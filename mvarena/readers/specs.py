"""The readers of users' files: .npz, .mat, and tables as text. Nothing is ever unpickled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mvarena.contracts.reader import ReadOptions, Understanding
from mvarena.errors import InvalidSetting
from mvarena.readers.labels import without_useless_labels
from mvarena.readers.mat import read_mat
from mvarena.readers.npz import from_clean_form, is_clean_form, read_npz
from mvarena.readers.table_reader import read_tables
from mvarena.readers.values import described
from mvarena.readers.variables import read_variables
from mvarena.samples import labels_sentence
from mvarena.text import plural


def read_npz_file(paths: Sequence[Path], options: ReadOptions) -> Understanding:
    """An .npz file, in mvarena's form or any other.

    Cost: reading the file, and O(n d) per view; O(n^2) for n x n matrices, O(n^3) up to 1000 samples.
    """
    path = _only(paths, options)
    variables = read_npz(path)
    if not is_clean_form(variables):
        return without_useless_labels(read_variables(path, variables, options, views_last=False))
    data, imputed = from_clean_form(path.stem, str(path), variables, options.impute)
    known = {"view_names", "kinds", "M", "y", "classes", "n_clusters", "ids", *(f"X{i}" for i in range(data.n_views))}
    not_used = tuple(described(extra, value) for extra, value in variables.items() if extra not in known)
    views = plural(data.n_views, "view")
    named = ", with their ids" if data.ids is not None else ""
    labels = "" if data.labels is None else f"; labels: {labels_sentence(data.labels)}"
    sentences = (
        f"it is in mvarena's form: {views} of {data.n_samples} samples{named}{labels}",
        *filter(None, (imputed,)),
    )
    return without_useless_labels(Understanding(data, sentences, not_used, imputed=imputed))


def read_mat_file(paths: Sequence[Path], options: ReadOptions) -> Understanding:
    """A MATLAB file of version 4 to 7.3. Cost: as for an .npz file."""
    path = _only(paths, options)
    return without_useless_labels(read_variables(path, read_mat(path), options, views_last=True))


def read_table_files(paths: Sequence[Path], options: ReadOptions) -> Understanding:
    """One table as text for each view. Cost: reading the files."""
    return without_useless_labels(read_tables(paths, options))


def _only(paths: Sequence[Path], options: ReadOptions) -> Path:
    """The one file that holds all views and the labels."""
    if len(paths) > 1:
        raise InvalidSetting(
            "Several files are allowed only as one .csv file per view; an .npz or .mat file holds all views.",
            field="datasets",
        )
    if options.labels is not None:
        raise InvalidSetting(
            "A file of labels is for .csv files; an .npz or .mat file holds its labels.",
            field="labels",
            value=options.labels,
        )
    for field, value in (("header", options.header), ("decimal", options.decimal), ("drop", options.drop)):
        if value:
            raise InvalidSetting(f"{field} is for .csv files; leave it out.", field=field, value=value)
    return paths[0]
