"""The options that describe a study: from a field of `Study` to its flag, which is also a study file's key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import Function, split_names

if TYPE_CHECKING:
    from mvarena.study.model import Study


@dataclass(frozen=True, slots=True)
class StudyOption:
    """One field of a study on the command line.

    field : of `Study`. flag : with its hyphens; without them it is the key in a study file.
    several : takes every following word up to the next option.
    """

    field: str
    flag: str
    metavar: str
    help: str
    kind: Any = str
    several: bool = False
    required: bool = False
    default: Any = None

    def option(self) -> Callable[[Function], Function]:
        settings: dict[str, Any] = {"metavar": self.metavar, "help": self.help, "required": self.required}
        if self.several:
            settings["multiple"] = True
        elif self.default is not None:
            settings |= {"default": self.default, "show_default": True}
        return click.option(self.flag, self.field, type=self.kind, **settings)


STUDY_OPTIONS = (
    StudyOption("algorithms", "--algo", "NAME...", "Algorithms, one or more (mvarena list algorithms), 'all', or "
                "your own: my_method.py:MyMethod.", several=True, required=True),
    StudyOption("datasets", "--data", "NAME...", 'Data sets or files; "digits[fou,fac]" picks views; a.csv,b.csv is '
                "one file per view.", several=True, required=True),
    StudyOption("corruptions", "--corrupt", "NAME...", "Conditions to compare: NAME, NAME:RATE, a chain as "
                "missing-even:0.3+gaussian:10dB, or 'none' for the data as they are.", several=True),
    StudyOption("rates", "--rates", "RATES", "Rates, as 0.1,0.3 or as start:stop:step, 0.1:0.9:0.2."),
    StudyOption("repeats", "--repeats", "N", "Repeats per point, each with a mask of its own; by default the "
                "protocol's.", int),
    StudyOption("restarts", "--restarts", "N", "k-means restarts per trial; by default the protocol's.", int),
    StudyOption("n_clusters", "--clusters", "K", "How many clusters; by default the number of classes.", int),
    StudyOption("params", "--param", "NAME.PARAMETER=VALUE...", "Parameters of algorithms, corruptions and transforms "
                "(mvarena show NAME); several values, as 5,10,20, make a grid.", several=True),
    StudyOption("scale", "--scale", "NAME,...", "How everybody's features are scaled: auto (the default, by what each "
                "view holds), none, or transforms as tfidf,unit-rows; several are compared.", several=True),
    StudyOption("fill", "--fill", "NAME", "What stands in for missing samples where a method needs complete data: "
                "knn (of the other views), mean or zero.", default="knn"),
    StudyOption("prepare", "--prepare", "HOW...", "auto (scaling, and what each algorithm needs besides), paper (each "
                "algorithm's published preparation), none, or transforms for everybody; ALGO=HOW for one algorithm.",
                several=True),
    StudyOption("protocol", "--protocol", "NAME", "See mvarena list protocols.", default="fair"),
    StudyOption("seed", "--seed", "N", "Changes every random choice.", int, default=0),
)  # fmt: skip
SEVERAL = tuple(option.flag for option in STUDY_OPTIONS if option.several)
# what errors name beside the fields of a study
_OTHER_FLAGS = {
    "rerun": "--rerun",
    "rate": "--rates",
    "orientation": "--orientation",
    "labels": "--labels",
    "jobs": "--jobs",
    "engine": "--engine",
    "scheduler": "--scheduler",
    "timeout_s": "--timeout",
    "db": "--db",
    "out": "--out",
    "metrics": "--metric",
}
_FLAGS = {option.field: option.flag for option in STUDY_OPTIONS} | _OTHER_FLAGS


def flag_of(field: str | None) -> str:
    """' (--repeats)' for the field of a study, ' (--param)' for 'apmc.n_neighbors'; empty for what has no flag."""
    if field is None:
        return ""
    flag = _FLAGS.get(field, "--param" if "." in field else "")
    return f" ({flag})" if flag else ""


def study_options(command: Function) -> Function:
    """Add every option that describes a study to a command."""
    for one in reversed(STUDY_OPTIONS):
        command = one.option()(command)
    return command


def study_from(options: dict[str, Any]) -> Study:
    """The study that the options describe; `options` may hold others, too."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.registry.local import is_local, local_spec
    from mvarena.study.components import contestants_of, parse_params
    from mvarena.study.model import Contestant, Study
    from mvarena.study.sources import source_from_text
    from mvarena.study.values import parse_rates

    catalog = installed_catalog()
    found = {option.field: options[option.field] for option in STUDY_OPTIONS}
    names = split_names(found["algorithms"])
    found["algorithms"] = tuple(Contestant(local_spec(name)) if is_local(name) else name for name in names)
    how = {"orientation": options["orientation"], "labels": options["labels"]}
    found["datasets"] = tuple(source_from_text(text, catalog, **how) for text in found["datasets"])
    found["corruptions"] = split_names(found["corruptions"]) or None
    found["rates"] = parse_rates(found["rates"]) if found["rates"] else None
    found["scale"] = found["scale"] or None
    found["prepare"] = _preparation(found["prepare"])
    settings, found["params"] = found["params"], {}
    study = Study(**found)
    if not settings:
        return study
    return replace(study, params=parse_params(settings, contestants_of(study, catalog), catalog))


def _preparation(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Names apart; what is said of one algorithm, 'apmc=minmax,unit-rows', in one piece."""
    said = tuple(one for word in words for one in ((word,) if "=" in word else split_names((word,))))
    return () if said == ("none",) else said or None
