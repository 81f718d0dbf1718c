"""Keys of a study file, as data; each is also a flag without its hyphens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mvarena.errors import unknown_name

Kind: TypeAlias = Literal[
    "text", "texts", "whole", "numbers", "switch", "rates", "duration", "size", "params", "prepare", "jobs"
]

AUTO_JOBS = "auto"


@dataclass(frozen=True, slots=True)
class StudyKey:
    """One key.

    name : in a study file. field : what errors call it; of `Study` where `of_study`.
    kind : which values it takes: a text, several texts, a whole number, whole numbers and ranges of them, rates, a
        duration, an amount of memory, parameters, preparations, a number of workers.
    metavar : a word for its value. meaning : in one or two sentences. default : what holds where nobody says it.
    per_run : whether each run of a file may have its own; else it stands above all runs.
    """

    name: str
    field: str
    kind: Kind
    metavar: str
    meaning: str
    default: str | int | bool | None = None
    of_study: bool = True
    per_run: bool = True

    @property
    def several(self) -> bool:
        """True if it takes several values."""
        return self.kind in ("texts", "rates", "params", "prepare")


STUDY_KEYS = (
    StudyKey("algo", "algorithms", "texts", "NAME...", "Algorithms: names (mvarena list algorithms), patterns such "
             "as mkkm-*, families such as kernel:*, all, a class of your own, my_method.py:MyMethod, or a "
             "program, algorithm.toml."),
    StudyKey("data", "datasets", "texts", "NAME...", 'Data sets or files; "digits[fou,fac]" selects views; '
             "a.csv,b.csv is one file per view; patterns such as webkb-*, of which those are taken whose files are "
             "available; ready: all such data sets."),
    StudyKey("corrupt", "corruptions", "texts", "NAME...", "Corruptions to compare: NAME, NAME:RATE, a chain such as "
             "missing-even:0.3+gaussian:10dB, or none for the data as they are."),
    StudyKey("rates", "rates", "rates", "RATE...", "Rates: 0.1 0.3, or 0.1,0.3, or start:stop:step such as "
             "0.1:0.9:0.2."),
    StudyKey("repeats", "repeats", "whole", "N", "Repeats per point, each with its own mask; by default the "
             "protocol's."),
    StudyKey("restarts", "restarts", "whole", "N", "k-means restarts per trial; by default the protocol's."),
    StudyKey("clusters", "n_clusters", "numbers", "K", "Number of clusters; by default the number of classes. A range "
             "such as 2:10, or 3,5, makes a grid."),
    StudyKey("param", "params", "params", "NAME.PARAMETER=VALUE...", "Parameters of algorithms, corruptions and "
             "transforms (mvarena show NAME); several values, such as 5,10,20, make a grid."),
    StudyKey("grid", "grid", "text", "paper", "paper: run each algorithm on the range of parameters that its paper "
             "searches (mvarena show NAME), beside what --param sets."),
    StudyKey("scale", "scale", "texts", "NAME,...", "Scaling of the features, the same for all algorithms: auto "
             "(default; by the values of each view), none, or transforms such as tfidf,unit-rows; several are "
             "compared."),
    StudyKey("fill", "fill", "texts", "NAME...", "Values for missing samples where a method needs complete data: knn "
             "(default; from the other views), mean or zero; several are compared."),
    StudyKey("prepare", "prepare", "prepare", "HOW...", "Preparation: auto (scaling, and what each algorithm needs), "
             "paper (each algorithm's published preparation), none, or transforms for all algorithms; ALGO=HOW for "
             "one."),
    StudyKey("protocol", "protocol", "text", "NAME", "Evaluation protocol (mvarena list protocols).", default="fair"),
    StudyKey("controls", "controls", "switch", "", "Run the controls under the protocol fair: one cluster, random "
             "labels, permuted classes and the classes themselves. Tables show them apart.", default=True),
    StudyKey("seed", "seed", "whole", "N", "Seed of every random choice.", default=0),
    StudyKey("orientation", "orientation", "text", "rows|columns", "Whether the samples are the rows or the columns "
             "of your own files.", of_study=False),
    StudyKey("impute", "impute", "text", "median|knn", "Value for single cells that are missing in your own "
             "files: the median of the column, or the mean of the ten nearest samples of the view.", of_study=False),
    StudyKey("header", "header", "text", "yes|no", "Whether the first row of your own .csv files names the columns; by "
             "default found out.", of_study=False),
    StudyKey("decimal", "decimal", "text", "point|comma", "Decimal sign of your own .csv files; by default found out.",
             of_study=False),
    StudyKey("drop", "drop", "texts", "COLUMN...", "Columns of your own .csv files to leave out: their names or, "
             "without a header, numbers from 1.", of_study=False),
    StudyKey("labels", "labels", "text", "FILE", "A .csv file with the labels of your own .csv files.", of_study=False),
    StudyKey("outcomes", "outcomes", "text", "FILE", "A .csv file with outcomes of the samples, such as survival: a "
             "row for each, joined by ids in the first column or in order.", of_study=False),
    StudyKey("time", "time", "text", "COLUMN", "Column of --outcomes with survival times.", of_study=False),
    StudyKey("event", "event", "text", "COLUMN[=VALUE]", "Column of --outcomes with events, 1 or 0; or a column and "
                                                         "the value that is an event.", of_study=False),
    StudyKey("metric", "metrics", "texts", "NAME...", "Metrics to show; internal ones, such as silhouette-views, are "
             "computed on request.", of_study=False, per_run=False),
    StudyKey("jobs", "jobs", "jobs", "N|auto", "Number of worker processes. auto: as many as the cores (divided by "
             "the threads of each) and the memory allow, and one for few trials. Results do not depend on it.",
             default=AUTO_JOBS, of_study=False, per_run=False),
    StudyKey("timeout", "timeout_s", "duration", "TIME", "Wall-clock limit of a trial, such as 90s, 10m or 2h; by "
             "default none.", of_study=False, per_run=False),
    StudyKey("cpu-time", "cpu_s", "duration", "TIME", "Limit of the CPU time of a trial, all its processes together, "
             "in seconds of a reference machine; by default none.", of_study=False, per_run=False),
    StudyKey("memory", "memory", "size", "SIZE", "Memory limit of a trial, such as 512MiB or 8GiB; by default none.",
             of_study=False, per_run=False),
    StudyKey("skip-after-limit", "skip_after_limit", "switch", "", "Skip a method on a data set once a trial of it on "
             "the data as they are has reached a limit. What is skipped is stored so, with the reason; run it later "
             "with --rerun skipped.", default=False, of_study=False, per_run=False),
    StudyKey("threads", "threads", "whole", "N", "Linear algebra threads in each trial; stored with it, as the "
             "results of a few methods depend on them.", default=1, of_study=False, per_run=False),
    StudyKey("scheduler", "scheduler", "text", "ADDRESS", "Run the trials on the workers of the Dask scheduler at "
             "this address, such as tcp://host:8786.", of_study=False, per_run=False),
    StudyKey("keep-restarts", "keep_restarts", "switch", "", "Store the labels of every k-means restart, not of the "
             "one that counts alone.", default=False, of_study=False, per_run=False),
    StudyKey("db", "db", "text", "PATH|URL", "The results database; trials that it holds already are not run again.",
             default="results.db", of_study=False, per_run=False),
)  # fmt: skip

TITLES = ("title", "description")  # of a file and of each of its runs; for people
RUNS = "run"

_BY_NAME = {key.name: key for key in STUDY_KEYS}
_BY_FIELD = {key.field: key for key in STUDY_KEYS} | {"rate": _BY_NAME["rates"]}


def key_named(name: str) -> StudyKey:
    """The key of that name; UnknownName, with near names, where there is none."""
    if name not in _BY_NAME:
        known = [*_BY_NAME, *TITLES, RUNS]
        raise unknown_name("key", name, known, f"The keys are {', '.join(known)}.")
    return _BY_NAME[name]


def key_of_field(field: str | None) -> str:
    """The key behind what an error calls 'repeats' or 'apmc.n_neighbors'; '' for what has none."""
    if field is None:
        return ""
    value = _BY_FIELD.get(field)
    return value.name if value else "param" if "." in field else ""
