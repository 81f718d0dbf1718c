"""A newcomer under the exact conditions of a release: what it is to run, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from mvarena.arena.board import Board
from mvarena.arena.page import board_of
from mvarena.arena.release import Release, scores_of_suite
from mvarena.contracts.outcome import Status
from mvarena.contracts.source import Source
from mvarena.engine.peeking import peeking_of
from mvarena.errors import InvalidData, InvalidSetting
from mvarena.registry.catalog import installed_catalog
from mvarena.store.readonly import open_to_read
from mvarena.study.building import Block
from mvarena.study.families import is_at_hand
from mvarena.study.file import study_at
from mvarena.study.plan import Plan
from mvarena.study.settings import Layer, Layers, checked, laid_over
from mvarena.text import listed


@dataclass(frozen=True, slots=True)
class Entry:
    """blocks : what the newcomer is to run. said : how, by the suite's limits. absent : data sets not at hand."""

    blocks: list[Block]
    said: Layers
    absent: tuple[str, ...]


def entry_of(suite: str, algo: str, typed: Mapping[str, Any], lowest: Mapping[str, Any] | None = None) -> Entry:
    """The suite's runs that the board is made of, with one algorithm in place of all, without controls.

    typed : parameters and what results do not depend on (jobs, db). lowest : what holds where nobody says it.
    Raises InvalidSetting where no data set of the suite is at hand, and for a pattern of several algorithms.
    """
    file, catalog = study_at(suite), installed_catalog()
    upper = Layer(checked({"algo": [algo], "controls": False, **typed}, ""))
    said = (item for item in file.said(upper) if not item.compares_preparations)
    wanted = list(dict.fromkeys(name for item in said for name in item.settings["data"]))
    there = {name for name in wanted if is_at_hand(name.partition("[")[0], catalog)}
    absent = tuple(name for name in wanted if name not in there)
    if not there:
        raise InvalidSetting(
            f"no data set of the suite {suite} is at hand: {listed(absent)} (mvarena data fetch NAME)."
        )
    left = (_only(block, there) for block in file.blocks(catalog, upper) if not block.said.compares_preparations)
    blocks = [block for block in left if block is not None]
    if len({name for block in blocks for name in map(str, block.study.algorithms)}) > 1:
        raise InvalidSetting(f"'{algo}' stands for several algorithms; one enters at a time.", field="algorithms")
    return Entry(blocks, laid_over([Layer(dict(lowest or {})), file.defaults, upper]), absent)


def _only(block: Block, there: set[str]) -> Block | None:
    kept = tuple(item for item in block.study.datasets if _name(item) in there)
    return replace(block, study=replace(block.study, datasets=kept)) if kept else None


def _name(item: str | Source) -> str:
    return item if isinstance(item, str) else item.name


def check_same_data(release: Release, plan: Plan) -> None:
    """Raise InvalidData where data of the plan are not those of the release, by their content."""
    with open_to_read(release.db) as db:
        scores = scores_of_suite(db, release.suite)
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


def placed(release: Release, own: pd.DataFrame) -> Board:
    """The board of the release with the newcomer's row. own : the long form of what it ran.

    Raises InvalidSetting where its scores are of several settings of its parameters.
    """
    if own.empty:
        raise InvalidData("the newcomer has no results yet.")
    board = stored_board(release).with_newcomer(own)
    (algorithm,) = own["algorithm"].unique()
    names = board.competing.loc[board.competing["algorithm"] == algorithm, "contestant"].unique()
    if len(names) != 1:
        raise InvalidSetting(
            f"{algorithm} stands for {len(names)} contestants ({listed(map(str, names))}); one enters at a time."
            if len(names)
            else f"{algorithm} cannot be ranked: what it reports was picked by ground truth.",
            field="params",
        )
    return replace(board, against=str(names[0]))


def stored_board(release: Release) -> Board:
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


def told(board: Board, absent: Sequence[str]) -> list[str]:
    """Sentences on where the newcomer stands and what may be claimed of it."""
    rows = board.table.set_index("contestant")
    name = board.against or ""
    if name not in rows.index:
        reasons = [sentence for sentence in board.standings.left_out if sentence.startswith(f"{name} ")]
        return [f"{name} is not on the board. {' '.join(reasons)}"]
    row = rows.loc[name]
    span = "" if row["low"] != row["low"] else f" (95 % interval {row['low']:.0f} to {row['high']:.0f})"
    sentences = [
        f"{board.labels[name]} is at place {int(row['place'])} of {len(rows)}, rating {row['rating']:.0f}{span}, over "
        f"{board.standings.over} and {sum(board.standings.n_conditions.values())} conditions.",
        board.claim,
    ]
    if row["unfinished"]:
        sentences.append(f"It did not finish {int(row['unfinished'])} conditions, where it is ranked last.")
    if absent:
        sentences.append(f"Not at hand and left out for everybody: {listed(absent)} (mvarena data fetch NAME).")
    return sentences
