"""Keys of a study file, as data; each is also a flag without its hyphens."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from mvarena.errors import unknown_name

Kind: TypeAlias = Literal["text", "texts", "whole", "switch", "rates", "duration", "size", "params", "prepare", "jobs"]

AUTO_JOBS = "auto"


@dataclass(frozen=True, slots=True)
class StudyKey:
    """One key.

    name : in a study file. field : what errors call it; of `Study` where `of_study`.
    kind : which values it takes: a text, several texts, a whole number, rates, a duration, an amount of
        memory, parameters, preparations, a number of workers.
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
    StudyKey("algo", "algorithms", "texts", "NAME...", "Algorithms, one or more (mvarena list algorithms), patterns "
             "as mkkm-*, families as kernel:*, all, or your own: my_method.py:MyMethod."),
    StudyKey("data", "datasets", "texts", "NAME...", 'Data sets or files; "digits[fou,fac]" picks views; a.csv,b.csv '
             "is one file per view; patterns as webkb-*; ready is all that are at hand."),
    StudyKey("corrupt", "corruptions", "texts", "NAME...", "Conditions to compare: NAME, NAME:RATE, a chain as "
             "missing-even:0.3+gaussian:10dB, or none for the data as they are."),
    StudyKey("rates", "rates", "rates", "RATE...", "Rates, as 0.1 0.3 or 0.1,0.3 or as start:stop:step, 0.1:0.9:0.2."),
    StudyKey("repeats", "repeats", "whole", "N", "Repeats per point, each with a mask of its own; by default the "
             "protocol's."),
    StudyKey("restarts", "restarts", "whole", "N", "k-means restarts per trial; by default the protocol's."),
    StudyKey("clusters", "n_clusters", "whole", "K", "How many clusters; by default the number of classes."),
    StudyKey("param", "params", "params", "NAME.PARAMETER=VALUE...", "Parameters of algorithms, corruptions and "
             "transforms (mvarena show NAME); several values, as 5,10,20, make a grid."),
    StudyKey("scale", "scale", "texts", "NAME,...", "How everybody's features are scaled: auto (the default, by what "
             "each view holds), none, or transforms as tfidf,unit-rows; several are compared."),
    StudyKey("fill", "fill", "texts", "NAME...", "What stands in for missing samples where a method needs complete "
             "data: knn (of the other views, the default), mean or zero; several are compared."),
    StudyKey("prepare", "prepare", "prepare", "HOW...", "auto (scaling, and what each algorithm needs besides), paper "
             "(each algorithm's published preparation), none, or transforms for everybody; ALGO=HOW for one."),
    StudyKey("protocol", "protocol", "text", "NAME", "See mvarena list protocols.", default="fair"),
    StudyKey("controls", "controls", "switch", "", "One cluster, random labels, permuted classes and the classes "
             "themselves take part under the protocol fair, apart in tables.", default=True),
    StudyKey("seed", "seed", "whole", "N", "Changes every random choice.", default=0),
    StudyKey("orientation", "orientation", "text", "rows|columns", "What the samples are in your own files.",
             of_study=False),
    StudyKey("labels", "labels", "text", "FILE", "A .csv file with the labels of your own .csv files.",
             of_study=False),
    StudyKey("name", "names", "texts", "NAME=FILE...", "What tables and figures call your own files, as "
             "faces=my/faces.mat; by default the file's name.", of_study=False),
    StudyKey("pick", "pickers", "texts", "NAME...", "Ways to choose among a grid's results (mvarena list pickers); "
             "what each picks is shown beside the table.", of_study=False),
    StudyKey("metric", "metrics", "texts", "NAME...", "Metrics to show; internal ones, as silhouette-views, are "
             "computed when asked for.", of_study=False, per_run=False),
    StudyKey("jobs", "jobs", "jobs", "N|auto", "Worker processes. auto is as many as there are cores (divided by the "
             "threads of each) and memory for, and one where there are few trials; results do not depend on it.",
             default=AUTO_JOBS, of_study=False, per_run=False),
    StudyKey("timeout", "timeout_s", "duration", "TIME", "How long a trial may take, as 90s, 10m or 2h; by default no "
             "limit.", of_study=False, per_run=False),
    StudyKey("cpu-time", "cpu_s", "duration", "TIME", "The same of CPU time, of all of a trial's processes together.",
             of_study=False, per_run=False),
    StudyKey("memory", "memory", "size", "SIZE", "How much memory a trial may take, as 512MiB or 8GiB; by default no "
             "limit.", of_study=False, per_run=False),
    StudyKey("threads", "threads", "whole", "N", "Threads of linear algebra in each trial, stored with it: the results "
             "of a few methods depend on them.", default=1, of_study=False, per_run=False),
    StudyKey("pass-env", "pass_env", "texts", "NAME...", "Variables of the environment that trials get though they "
             "begin with PG or have KEY, TOKEN, SECRET or PASSWORD in their names.", of_study=False, per_run=False),
    StudyKey("engine", "engine", "text", "local|dask", "What runs the trials: worker processes of this machine, or "
             "Dask with as many workers here.", default="local", of_study=False, per_run=False),
    StudyKey("scheduler", "scheduler", "text", "ADDRESS", "Run on the workers of a Dask scheduler, as tcp://host:8786.",
             of_study=False, per_run=False),
    StudyKey("db", "db", "text", "PATH|URL", "Where results are kept; what it holds already is not run again.",
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


# The JSON schema of study files, so that editors complete keys and underline what is none. Made of the keys alone.

_TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
_TEXTS: dict[str, Any] = {"anyOf": [_TEXT, {"type": "array", "items": _TEXT, "minItems": 1}]}
_SCALAR: dict[str, Any] = {"type": ["number", "string", "boolean"]}
_RATE: dict[str, Any] = {"type": ["number", "string"]}
_VALUES: dict[str, Any] = {
    "anyOf": [_SCALAR, {"type": "array", "items": {"anyOf": [_SCALAR, {"type": "array"}]}, "minItems": 1}]
}
_KINDS: dict[str, dict[str, Any]] = {
    "text": _TEXT,
    "texts": _TEXTS,
    "whole": {"type": "integer"},
    "switch": {"type": "boolean"},
    "rates": {"anyOf": [_RATE, {"type": "array", "items": _RATE, "minItems": 1}]},
    "duration": {"anyOf": [_TEXT, {"type": "number", "exclusiveMinimum": 0}]},
    "size": {"anyOf": [_TEXT, {"type": "integer", "exclusiveMinimum": 0}]},
    "jobs": {"anyOf": [{"type": "integer", "minimum": 1}, {"const": AUTO_JOBS}]},
    "params": {
        "anyOf": [
            {
                "type": "object",
                "additionalProperties": {"anyOf": [_VALUES, {"type": "object", "additionalProperties": _VALUES}]},
            },
            _TEXTS,
        ]
    },
    "prepare": {"anyOf": [_TEXTS, {"type": "object", "additionalProperties": _TEXTS}]},
}


def study_schema() -> dict[str, Any]:
    """The schema as JSON types (draft 2020-12)."""
    per_run = {key.name: _property(key) for key in STUDY_KEYS if key.per_run}
    titles: dict[str, Any] = {name: {"type": "string", "description": "For people."} for name in TITLES}
    run = {"type": "object", "properties": titles | per_run, "additionalProperties": False}
    above = {key.name: _property(key) for key in STUDY_KEYS if not key.per_run}
    runs = {
        "description": "Studies that share what stands above them.",
        "anyOf": [run, {"type": "array", "items": run}],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A study of mvarena",
        "type": "object",
        "properties": titles | per_run | above | {RUNS: runs},
        "additionalProperties": False,
    }


def schema_text() -> str:
    """The same as the text of a file."""
    return json.dumps(study_schema(), indent=2) + "\n"


def _property(key: StudyKey) -> dict[str, Any]:
    values = {"description": key.meaning, **_KINDS[key.kind]}
    return values if key.default is None else values | {"default": key.default}
