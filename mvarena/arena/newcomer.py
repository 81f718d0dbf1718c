"""A newcomer under the exact conditions of a release: what it is to run, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from mvarena.analysis.naming import natural_order
from mvarena.arena.board import SuiteBoard
from mvarena.arena.one_method import blocks_for
from mvarena.arena.page import TUNING, board_of
from mvarena.arena.release import Release, scores_of_suite
from mvarena.arena.suites import PARTS, TUNED
from mvarena.arena.tuning import tuning, tuning_table
from mvarena.contracts.outcome import Status
from mvarena.contracts.source import Source
from mvarena.engine.peeking import peeking_of
from mvarena.errors import InvalidData, InvalidSetting
from mvarena.registry.catalog import installed_catalog
from mvarena.store.cards import Cards, cards
from mvarena.store.readonly import open_to_read
from mvarena.study.building import Block
from mvarena.study.families import is_at_hand
from mvarena.study.file import study_at
from mvarena.study.plan import Plan, plan_blocks
from mvarena.study.settings import Layer, Layers, checked, laid_over
from mvarena.text import listed

_FEWEST = 2  # data sets that a board takes


@dataclass(frozen=True, slots=True)
class Entry:
    """Runs of a newcomer, and their limits.

    blocks : the suite's runs that rank methods, on the data that are available. tuned : those of its part on tuning,
        by default and with the grid; none without one.
    said : limits and options. absent : the release's data sets that are not available. later : data sets of the
        suite that the release has no results of.
    """

    blocks: list[Block]
    tuned: list[Block]
    said: Layers
    absent: tuple[str, ...]
    later: tuple[str, ...]


def entry_of(
    release: Release,
    algo: str,
    typed: Mapping[str, Any],
    lowest: Mapping[str, Any] | None = None,
    grid: Mapping[str, Any] | None = None,
) -> Entry:
    """The suite's runs on data sets of the release, with one algorithm in place of all, without baselines.

    typed : parameters and what results do not depend on (jobs, db). lowest : what holds where nobody says it.
    grid : parameter -> values to tune over, under the conditions of the suite's part on tuning.
    Raises InvalidSetting where fewer data sets of the release are available than a place takes, and for a pattern of
    several algorithms.
    """
    file, catalog = study_at(release.suite), installed_catalog()
    upper = Layer(checked({"algo": [algo], "controls": False, **typed}, ""))
    every = blocks_for(file, algo, catalog, typed)
    wanted = list(dict.fromkeys(_name(item) for block in every for item in block.study.datasets))
    stored = set(_scores(release)["dataset"])
    there = {name for name in wanted if name in stored and is_at_hand(name.partition("[")[0], catalog)}
    absent = tuple(name for name in wanted if name in stored - there)
    later = tuple(name for name in wanted if name not in stored)
    if len(there) < min(_FEWEST, len(stored)):
        raise InvalidSetting(
            f"{len(there)} of {len(stored)} data sets of {release.name} are available; the board needs {_FEWEST}. "
            f"Not available: {listed(absent, most=8)}; 'mvarena data fetch {release.suite}' downloads what it can."
        )
    algorithms = [item for block in every for item in block.study.algorithms]
    names = {item if isinstance(item, str) else item.spec.name for item in algorithms}
    if len(names) > 1:
        raise InvalidSetting(f"'{algo}' stands for several algorithms; one enters at a time.", field="algorithms")
    tuned = []
    if grid:
        part, param = study_at(PARTS[release.suite][TUNED]), {**typed.get("param", {}), names.pop(): dict(grid)}
        tuned = [
            block for more in ({}, {"param": param}) for block in blocks_for(part, algo, catalog, {**typed, **more})
        ]
    blocks, tuned = ([kept for block in some if (kept := _only(block, there))] for some in (every, tuned))
    return Entry(blocks, tuned, laid_over([Layer(dict(lowest or {})), file.defaults, upper]), absent, later)


def _only(block: Block, there: set[str]) -> Block | None:
    kept = tuple(item for item in block.study.datasets if _name(item) in there)
    return replace(block, study=replace(block.study, datasets=kept)) if kept else None


def _name(item: str | Source) -> str:
    return item if isinstance(item, str) else item.name


def _scores(release: Release) -> pd.DataFrame:
    with open_to_read(release.db) as db:
        return scores_of_suite(db, release.suite)


def check_same_data(release: Release, plan: Plan) -> None:
    """Raise InvalidData where data of the plan are not those of the release, by their content."""
    scores = _scores(release)
    stored: dict[str, set[str]] = {
        str(name): set(part) for name, part in scores.groupby("dataset")["content"] if len(part)
    }
    other = sorted({
        trial.dataset for trial in plan.trials if trial.content not in stored.get(trial.dataset, {trial.content})
    })  # fmt: skip
    if other:
        raise InvalidData(
            f"{listed(other)} here: not the data of {release.name}, whose numbers cannot stand beside others; "
            "'mvarena data verify' compares files with their checksums."
        )


def columns_beside(release: Release, db: str, entry: Entry) -> pd.DataFrame:
    """The newcomer's row of `mvarena.arena.tuning.tuning_table` from its database, above those of the release, all on
    the corpora that the newcomer has.

    Cost: that of the criteria, by the labels of all settings of the newcomer.
    """
    keys = {trial.key for trial in plan_blocks([*entry.tuned, *entry.blocks], installed_catalog()).trials}
    with open_to_read(db) as results:
        own = tuning(results, keys)  # at other points than those of the grid there is nothing to choose from
    path = release.folder / TUNING
    if not path.is_file():
        return tuning_table(own)
    others = pd.read_csv(path)
    return pd.concat([tuning_table(own), tuning_table(others[others["corpus"].isin(own["corpus"])])], ignore_index=True)


def placed(release: Release, own: pd.DataFrame, db: str) -> SuiteBoard:
    """The board of the release with the newcomer's row, under the conditions that it ran.

    own : the long form of these. db : the database that they are stored in, which describes the newcomer.

    Steps of preparation count as the release's, also where their code has another version by now (`newer_steps`).
    Raises InvalidSetting where its scores are of several settings of its parameters.
    """
    if own.empty:
        raise InvalidData("the method has no results yet.")
    board = stored_board(release)
    older = {name: f"{name} {version}" for name, version in _versions(board.scores).items()}
    steps = [",".join(older.get(step.partition(" ")[0], step) for step in text.split(",")) for text in own["steps"]]
    (algorithm,) = own["algorithm"].unique()
    with open_to_read(db) as results:
        methods = {**board.cards.methods, algorithm: cards(results).method(algorithm)}
    board = replace(board.with_newcomer(own.assign(steps=steps)), cards=Cards(methods, board.cards.datasets))
    names = board.competing.loc[board.competing["algorithm"] == algorithm, "contestant"].unique()
    if len(names) != 1:
        raise InvalidSetting(
            f"{algorithm} stands for {len(names)} contestants ({listed(map(str, names))}); one enters at a time."
            if len(names)
            else f"{algorithm} cannot be ranked: what it reports was picked by ground truth.",
            field="params",
        )
    return replace(board, against=str(names[0]))


def newer_steps(board: SuiteBoard, own: pd.DataFrame) -> str:
    """A sentence on corruptions and transforms whose code has another version than the release's; else empty."""
    older, now = _versions(board.scores), _versions(own)
    other = [
        f"{name} {older[name]} (now {now[name]})" for name in sorted(now) if older.get(name, now[name]) != now[name]
    ]
    return f"The release was made with {listed(other)}: its methods got differently prepared data." if other else ""


def _versions(scores: pd.DataFrame) -> dict[str, str]:
    """Corruption or transform -> its latest version in the long form."""
    steps = {step for text in scores["steps"].unique() for step in text.split(",") if step}
    pairs = [(name, version) for name, _, version in (step.partition(" ") for step in steps)]
    return dict(sorted(pairs, key=lambda pair: natural_order(pair[1])))


def stored_board(release: Release) -> SuiteBoard:
    """The board of the release alone."""
    with open_to_read(release.db) as db:
        return board_of(db, release.suite)


def peeking_of_newcomer(plan: Plan, scores: pd.DataFrame) -> str:
    """A sentence on how its labels follow classes, from its quickest trial (`mvarena.engine.peeking`); else empty."""
    done = scores[scores["status"] == Status.DONE.value]
    if done.empty:
        return ""
    key = done.loc[done["wall_s"].idxmin(), "key"]
    trial = next(trial for trial in plan.trials if trial.key == key)
    return f"On {trial.dataset}, {sentence}." if (sentence := peeking_of(trial, installed_catalog())) else ""


def told(board: SuiteBoard, suite: str, absent: Sequence[str], later: Sequence[str] = ()) -> list[str]:
    """Sentences on where the newcomer stands and what may be claimed of it."""
    rows = board.table.set_index("contestant")
    name = board.against or ""
    if name not in rows.index:
        reasons = [sentence for sentence in board.standings.left_out if sentence.startswith(f"{name} ")]
        return [f"{name} is not on the board. {' '.join(reasons)}"]
    row = rows.loc[name]
    span = "" if row["low"] != row["low"] else f" (95 % interval {row['low']:.0f} to {row['high']:.0f})"
    sentences = [
        f"By NMI {board.labels[name]} is at place {int(row['place'])} of {len(rows)}, rating "
        f"{row['rating']:.0f}{span}, over {board.standings.over} and {int(row['conditions'])} conditions.",
        board.claim,
    ]
    if row["finished"] < row["conditions"]:
        share = f"{int(row['finished'])} of {int(row['conditions'])}"
        there = f"; under those it finished it is at place {row['place_there']:.0f}" if row["finished"] else ""
        sentences.append(f"It finished {share} conditions, and ranks last under the others{there}.")
    if absent:
        n_sets = board.standings.n_datasets
        sentences.append(
            f"Placed on {n_sets} of {n_sets + len(absent)} data sets of the suite. Not available: "
            f"{listed(absent, most=8)}; 'mvarena data fetch {suite}' downloads what it can."
        )
    if later:
        sentences.append(f"Not run, since the release has no results of them: {listed(later, most=8)}.")
    return sentences
