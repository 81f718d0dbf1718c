"""Answers to the questions that a site can be asked, as Python computes them: ratings, ties, pairs and claims."""

from __future__ import annotations

from typing import Any

from mvarena.analysis.boards import Board, Question
from mvarena.analysis.rankings import may_differ
from mvarena.analysis.significance import LEAST_CORPORA
from mvarena.site.data import Material
from mvarena.site.labels import condition_name
from mvarena.site.scripts import EVERY, reals


def boards_of(material: Material, metric: str) -> list[dict[str, Any]]:
    """All boards by a metric, that of everything first: over everything that is stored, whatever a filter shows.

    None by a metric that no claim rests on (`ReportData.claimed_of`).
    """
    found = material.boards.items()
    return [plain_board(question, board, material) for question, board in found if question.metric == metric]


def plain_board(question: Question, board: Board, material: Material) -> dict[str, Any]:
    """A board as the pages read it.

    condition, kind, size : the question, '' for all. contestants : indices among those of the labels, -1 for one that
    the site does not show, by place; names : what claims call them. groups : first and last place of those that cannot
    be told apart. pairs : None where the corpora are too few for any claim. rating : None there.
    """
    table, context = board.standings, material.results.context
    names = list(table.contestants)
    index = {name: place for place, name in enumerate(material.contestants)}
    enough = table.n_corpora >= LEAST_CORPORA
    return {
        "condition": "" if question.corruption is None else condition_name(question.corruption, question.rate or 0.0),
        "kind": question.kind,
        "size": question.size,
        "about": context.question(question),
        "over": table.over,
        "claim": material.results.claim(board),
        "contestants": [index.get(name, -1) for name in names],
        "names": list(context.contestants(names).values()),
        "mean_ranks": reals(table.mean_ranks, EVERY),
        "differ": may_differ(table),
        "groups": [[names.index(group[0]), names.index(group[-1])] for group in board.cliques] if enough else [],
        **(_rated(board) if enough else dict.fromkeys(("rating", "low", "high", "pairs"))),
    }


def _rated(board: Board) -> dict[str, Any]:
    rows, place = board.table, {name: index for index, name in enumerate(board.standings.contestants)}
    pairs = board.pairs
    return {
        **{name: reals(rows[name], 6) for name in ("rating", "low", "high")},
        "pairs": {
            "first": pairs["first"].map(place).tolist(),
            "second": pairs["second"].map(place).tolist(),
            "gain": reals(pairs["gain"], 6),
            "wins": pairs["wins"].tolist(),
            "losses": pairs["losses"].tolist(),
            "ahead": pairs["ahead"].tolist(),
            "p_holm": reals(pairs["p_holm"], 4),
        },
    }
