"""From what is said of a study to the `Study` and the options of its run: names looked up, texts read, paths found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mvarena.contracts.reader import ReadSettings
from mvarena.contracts.source import OutcomeFile, Source
from mvarena.errors import InvalidSetting, MvarenaError, about
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.registry.user_code import is_local, local_spec
from mvarena.study.components import contestants_named, typed_params
from mvarena.study.families import left_out_notes
from mvarena.study.keys import AUTO_JOBS, STUDY_KEYS
from mvarena.study.model import Contestant, Study
from mvarena.study.settings import Layers
from mvarena.study.sources import sources_from_text
from mvarena.study.values import Shard, parse_duration, parse_size, rates_from

_NEEDED = {"algo": ("algorithms", "algorithm"), "data": ("datasets", "data set")}


@dataclass(frozen=True, slots=True)
class Block:
    """A study with what was said of it, so that what is wrong can be told by file, run and key.

    optional : components whose parameters it may hold without using them: they are meant for other blocks.
    notes : sentences on what was left out when its names were looked up.
    """

    study: Study
    said: Layers = field(default_factory=lambda: Layers({}, {}))
    optional: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()


def blocks_of(said: Sequence[Layers], catalog: Catalog) -> list[Block]:
    """One block for each of `said`.

    Parameters and preparations that a lower layer sets for an algorithm are taken where that algorithm is, in at least
    one of the blocks. Raises UnknownName and InvalidSetting, located (`Layers.located`).
    """
    contestants = []
    for item in said:
        try:
            contestants.append(_contestants(item, catalog))
        except MvarenaError as error:
            raise item.located(error) from error
    pool = list({item.spec.name: item for own in contestants for item in own}.values())
    blocks = []
    for item, own in zip(said, contestants, strict=True):
        try:
            blocks.append(_block(item, own, pool, catalog))
        except MvarenaError as error:
            raise item.located(error) from error
    return blocks


def _contestants(said: Layers, catalog: Catalog) -> list[Contestant]:
    for key, (name, what) in _NEEDED.items():
        if key not in said.settings:
            raise InvalidSetting(f"no {what} was given; name at least one.", field=name)
    folder = said.folder("algo")
    names = [
        Contestant(local_spec(str(folder / Path(setting).expanduser()))) if is_local(setting) else setting
        for setting in said.settings["algo"]
    ]
    with about("algorithms"):
        return contestants_named(names, catalog)


def _block(said: Layers, own: Sequence[Contestant], pool: Sequence[Contestant], catalog: Catalog) -> Block:
    settings = said.settings
    values = {key.field: settings[key.name] for key in STUDY_KEYS if key.of_study and key.name in settings}
    announced = set(catalog.specs("algorithm"))
    values["algorithms"] = tuple(item.spec.name if item.spec in announced else item for item in own)
    values["datasets"], notes = _sources(said, catalog), left_out_notes(settings["data"], catalog)
    values.setdefault("controls", True)
    if "rates" in values:
        values["rates"] = rates_from(values["rates"])
    if "params" in values:
        with about("params"):
            values["params"] = typed_params(values["params"], [*own, *pool], catalog)
    if "prepare" in values:
        values["prepare"] = _preparation(values["prepare"], own, pool)
    return Block(Study(**values), said, said.shared, notes)


def _sources(said: Layers, catalog: Catalog) -> tuple[Source, ...]:
    how: ReadSettings = {name: said.settings[name] for name in ReadSettings.__annotations__ if name in said.settings}  # type: ignore[assignment]
    if how.get("labels"):
        how["labels"] = str(said.folder("labels") / said.settings["labels"])
    named = sources_from_text(said.settings["data"], catalog, folder=said.folder("data"), **how)
    outcomes = outcome_file(said)
    return named if outcomes is None else tuple(replace(source, outcomes=outcomes) for source in named)


def outcome_file(said: Layers) -> OutcomeFile | None:
    """The file of outcomes that is named, with its columns. Raises InvalidSetting for columns without a file."""
    path, time, event = (said.settings.get(key) for key in ("outcomes", "time", "event"))
    if path is None:
        if time or event:
            raise InvalidSetting(
                "a column of times or events is one of a file of outcomes; name that file, too.", field="outcomes"
            )
        return None
    return OutcomeFile(str((said.folder("outcomes") / path).absolute()), time or "", event or "")


def _preparation(words: Iterable[str], own: Iterable[Contestant], pool: Iterable[Contestant]) -> tuple[str, ...] | None:
    """Without what is said of algorithms that only other blocks have; () for 'none', None where nothing is left."""
    elsewhere = {item.spec.name for item in pool} - {item.spec.name for item in own}
    kept = tuple(word for word in words if word.partition("=")[0] not in elsewhere or "=" not in word)
    return () if kept == ("none",) else kept or None


# Options of a run, from its file or its caller: workers, limits, and the database.

DEFAULT_DATABASE = next(str(key.default) for key in STUDY_KEYS if key.name == "db")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """db : the path of a results database, or its URL. jobs : worker processes; AUTO_JOBS: as many as there is room for
    (`mvarena.engine.limits`).

    timeout_s, cpu_s : seconds per trial, wall and CPU; memory : bytes per trial; None: any.
    skip_after_limit : whether a method that reached a limit on the data as they are is skipped on them afterwards.
    threads : of linear algebra in each trial. scheduler : the address of a Dask scheduler; None: workers of this
    machine. metrics : computed besides those that every trial is scored by. shard : the part of the trials
    that is run; None: all. keep_restarts : store the labels of every restart, not of the one that counts alone.
    """

    db: str = DEFAULT_DATABASE
    jobs: int | str = AUTO_JOBS
    timeout_s: float | None = None
    cpu_s: float | None = None
    memory: int | None = None
    skip_after_limit: bool = False
    threads: int = 1
    scheduler: str | None = None
    metrics: tuple[str, ...] = ()
    shard: Shard | None = None
    keep_restarts: bool = False


def run_options(said: Layers) -> RunOptions:
    """Options of a run; a relative path of a database starts at the folder of the file that gives it.

    Raises UnknownName for a metric that there is not, and InvalidSetting.
    """
    settings = said.settings
    values = {key.field: settings[key.name] for key in STUDY_KEYS if not key.per_run and key.name in settings}
    for name, read in (("timeout_s", parse_duration), ("cpu_s", parse_duration), ("memory", parse_size)):
        if isinstance(values.get(name), str):
            values[name] = read(values[name])
    db = values.get("db", DEFAULT_DATABASE)
    try:
        with about("metrics"):
            metrics = tuple(installed_catalog().metric(name).name for name in values.get("metrics", ()))
        values |= {"metrics": metrics, "db": db if "://" in db else str(said.folder("db") / db)}
        return RunOptions(**values)
    except MvarenaError as error:
        raise said.located(error) from error
