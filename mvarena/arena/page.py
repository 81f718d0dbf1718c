"""The page of a release: finding, ratings and board first, the rest folded; every number is made from the database."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from mvarena.analysis.claims import claim, corpora_for
from mvarena.analysis.rankings import cliques
from mvarena.analysis.significance import ALPHA, LEAST_CORPORA, least_p
from mvarena.arena.board import MOST_SAMPLES, NUMBERS, Board, alternatives, choices
from mvarena.arena.picture import PICTURE, ratings_picture
from mvarena.arena.published import FILE, published_part, published_table
from mvarena.arena.release import ENDS, NOT_RUN, Release, coverage, incomplete_points, scores_of_suite
from mvarena.arena.suites import DEEP, FILLING, OMICS, SCALING
from mvarena.errors import NothingToReport
from mvarena.store.contents import classes_by_content, samples_by_content
from mvarena.store.database import Database
from mvarena.text import listed, plural

BOARD, COVERAGE = "board.csv", "coverage.csv"
_SHOWN = 12  # methods of the board; board.csv holds all
_MOST_NAMED = 8
LEFT, RIGHT = "---", "--:"  # how Markdown aligns a column
_DEEP_FINDING = re.compile(r"^On \d+ of \d+ data sets .+?\.(?= |$)", re.MULTILINE)
CLAIM = "claim about the first"


def board_of(db: Database, suite: str) -> Board:
    """The board of what `db` holds of a suite. Raises NothingToReport where nothing of it was run."""
    scores = scores_of_suite(db, suite)
    if scores.empty:
        raise NothingToReport(f"nothing of the suite {suite} is stored in {db.where}; run it: mvarena run {suite}.")
    classes = classes_by_content(db, scores["content"].unique())
    incomplete = incomplete_points(coverage(db, suite))
    return Board(scores, samples_by_content(db), classes=classes, incomplete=incomplete)


def files_of(release: Release, db: Database, since: str = "") -> dict[str, str]:
    """The text of every generated file of a release but its card: file name -> content.

    since : the part of the page on another release (`mvarena.arena.changes`), where there is one.
    """
    board = board_of(db, release.suite)
    known = coverage(db, release.suite)
    page = "\n\n".join(part for part in [*_parts(release, db, board, known), since] if part) + "\n"
    coverages = _csv(_coverage_counts(known, ["part", "algorithm"]))
    return {
        "README.md": page,
        PICTURE: ratings_picture(board.table, board.labels),
        BOARD: _csv(board.table),
        COVERAGE: coverages,
        FILE: _csv(published_table(board)),
    }


def _parts(release: Release, db: Database, board: Board, known: pd.DataFrame) -> Iterator[str]:
    home = f"reports/{release.folder.resolve().name}"
    shown = f"{home}/results.db"
    yield f"# {finding(board)}"
    yield _about(release, board)
    yield f"![Ratings of the methods of {release.name}, with their intervals]({PICTURE})"
    yield from _board(board, f"mvarena arena board --release {home}{_lite(release)}")
    yield "<details>"
    yield "<summary>Kinds of data, time, preparation, published scores, and how this was made</summary>"
    yield from _groups(board, shown)
    yield from _time(board)
    yield from _preparation(board, shown)
    yield from _choice(db, board, shown)
    yield from _deep(release, board)
    yield from published_part(board)
    yield _coverage(release, known)
    yield (
        f"`mvarena arena page {home}` makes this page again, byte by byte. Conditions, versions, machine and cost are "
        f"in [release.toml](release.toml). `mvarena arena run my_method.py:MyMethod{_lite(release)}` places "
        "your own method on the board."
    )
    yield "</details>"


def finding(board: Board) -> str:
    """The finding of a release in one sentence without a full stop, for the title of its page."""
    first, n = board.labels[board.standings.contestants[0]], len(board.table)
    groups = cliques(board.standings) if board.standings.n_corpora >= LEAST_CORPORA else []
    text = f"{first} leads {n} methods over {plural(board.standings.n_corpora, 'data source')}"
    if groups and groups[0][0] == board.standings.contestants[0]:
        return f"{text}; the first {len(groups[0])} are statistically tied"
    return text


def _lite(release: Release) -> str:
    return " --lite" if release.suite.endswith("lite") else ""


def _about(release: Release, board: Board) -> str:
    counted = {name for names in board.standings.datasets.values() for name in names}
    contents = board.scores.loc[board.scores["dataset"].isin(counted), "content"].unique()
    sizes = [board.samples[content] for content in contents if content in board.samples]
    n_methods = len(board.table)
    plugin = sorted(board.labels[name] for name in board.labels if name.partition(" ")[0] in OMICS)
    among = f", {listed(plugin)} of the plugin mvarena-omics among them," if plugin else ""
    return (
        f"{release.name} of {release.card.get('date', 'no date')}: {plural(n_methods, 'method')}{among} with their "
        f"defaults and the same preparation, over {board.standings.over} of {min(sizes):,} to {max(sizes):,} samples "
        f"(the suite `mvarena show {release.suite} --kind study`). Of 20 k-means starts the one of lowest inertia "
        "counts; no method sees a label."
    )


def _coverage(release: Release, known: pd.DataFrame) -> str:
    counts = _coverage_counts(known, ["part"])
    heads = {"part of the suite": LEFT} | dict.fromkeys(("trials", *ENDS), RIGHT)
    rows = counts[["part", "trials", *ENDS]].itertuples(index=False)
    total = len(known)
    explained = total - int((known["end"] == NOT_RUN).sum())
    finished = int((known["end"] == "finished").sum())
    text = (
        f"**Coverage.** Of {total:,} trials {finished:,} finished; {_percent(total - finished, total)} did not (time "
        "or memory limit, unsuitable data)."
    )
    if explained < total:
        text += (
            f" Of these, {total - explained:,} ({_percent(total - explained, total)}) have not been run; `mvarena run "
            f"{release.suite} --db COPY` runs them on a copy of the database. A data set under one condition counts "
            "once every method was run there."
        )
    missing = known.loc[(known["end"] == NOT_RUN) & (known["dataset"] != ""), "dataset"]
    if len(missing):
        full = known.groupby("dataset").size()
        share = (missing.value_counts() / full).dropna().sort_values(ascending=False, kind="stable")
        names = sorted(share.index, key=lambda name: (-share[name], name))
        text += f" Lacking most: {listed([f'{name} ({share[name]:.0%})' for name in names], most=_MOST_NAMED)}."
    return f"{text}\n\n{_table(heads, rows)}"


def _coverage_counts(known: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    table = known.groupby([*by, "end"]).size().unstack("end", fill_value=0).reindex(columns=list(ENDS), fill_value=0)
    return table.assign(trials=table.sum(axis=1)).reset_index()


def _board(board: Board, command: str) -> Iterator[str]:
    heads = dict.fromkeys(("", "method", *NUMBERS), RIGHT) | {"method": LEFT, "95 %": LEFT}
    yield _table(heads, board.lines()[:_SHOWN])
    rest = len(board.table) - _SHOWN
    more = f" The other {rest} are in [{BOARD}]({BOARD})." if rest > 0 else ""
    yield (
        "Ratings are Bradley and Terry's, from ranks of NMI with each corpus (data source) counted once; intervals "
        "come from a bootstrap over the corpora. Unfinished: conditions under which a trial was refused, failed or "
        f"reached a limit; the method then ranks last, and NMI and ACC are means of the others.{more} "
        f"All rows: `{command}`."
    )
    yield f"**Claim.** {board.claim}"
    yield f"**Statistical ties.** {_nobody(board)}"


def _nobody(board: Board) -> str:
    table = board.standings
    groups = cliques(table) if table.n_corpora >= LEAST_CORPORA else []
    if groups:
        first = [board.labels[name] for name in groups[0]]
        text = (
            "Wilcoxon's test with Holm's correction over all pairs does not separate the "
            f"{plural(len(first), 'method')} from {first[0]} to {first[-1]}."
        )
    else:
        text = f"{plural(table.n_corpora, 'corpus', 'corpora')} are too few to tell any two of all methods apart."
    sets = board.nobody_above()
    above = (
        f"No method is above the better baseline under every condition on {listed(sets)}."
        if sets
        else "On every data set some method is above the better baseline under every condition."
    )
    return f"{text} {above}"


def _groups(board: Board, shown: str) -> Iterator[str]:
    yield "**By kind of data, condition and size**"
    heads = dict.fromkeys(("by", "", "corpora", "first (NMI)", "second", "third", CLAIM), LEFT) | {"corpora": RIGHT}
    rows = []
    for by, name, part in board.groups():
        table = board.of_group(part)
        if table is None:
            continue
        means = 100 * table.values.mean()
        first = [f"{board.data.context.contestant(item)} ({means[item]:.1f})" for item in table.contestants[:3]]
        first += [""] * (3 - len(first))
        rows.append((by, name, table.n_corpora, *first, _short_claim(table, board)))
    yield _table(heads, rows)
    yield (
        "Order by mean rank; a method that did not finish is last. "
        f"`mvarena report --db {shown} --table ranks --metric nmi --data NAME... --corrupt NAME --rate RATE`"
    )


def _short_claim(table: Any, board: Board) -> str:
    """The claim without how it was tested, which stands above."""
    if table.n_corpora < LEAST_CORPORA:
        return f"too few data sources ({LEAST_CORPORA} needed)"
    pairs = len(table.contestants) * (len(table.contestants) - 1) // 2
    if least_p(table.n_corpora) * pairs > ALPHA:
        return f"too few data sources ({corpora_for(pairs, ALPHA)} needed)"
    text = claim(table, labels=board.data.context.contestants(table.contestants))
    sentence = text.removeprefix(f"Over {table.over}").strip(" :")
    return sentence.partition(" (Wilcoxon")[0].split("). ")[-1].rstrip(".")


def _time(board: Board) -> Iterator[str]:
    front = board.front
    if front.empty:
        return
    yield "**Quality against time**"
    names = [f"{board.labels[row.contestant]} ({row.seconds:.2g} s, {row.nmi:.1f})" for row in front.itertuples()]
    yield (
        f"Of the {(board.table['unfinished'] == 0).sum()} methods that finished everything, {len(names)} "
        f"{'are' if len(names) > 1 else 'is'} neither slower nor worse than another, from the fastest: "
        f"{listed(names)}. CPU seconds of one trial, the geometric mean over data sets, and mean NMI, as on the board."
    )


def _preparation(board: Board, shown: str) -> Iterator[str]:
    parts = [_alternatives(board, axis, word) for axis, word in ((SCALING, "scaling"), (FILLING, "filling"))]
    if any(parts):
        yield "**Scaling and filling**"
        yield "\n".join(filter(None, parts))
        command = f"mvarena report --db {shown} --table preparations --metric nmi"
        yield f"On the data sets of that part of the suite. `{command}`"


def _alternatives(board: Board, axis: str, word: str) -> str:
    competing = board.scores["algorithm"].isin(board.competing["algorithm"])
    table = alternatives(board.scores[competing], axis)
    if table.empty:
        return f"- Of {word} nothing can be said yet: no method was run under two alternatives."
    each = [f"{row.alternative} {row.mean:.1f} (alone best for {row.best_for})" for row in table.itertuples()]
    first = table.iloc[0]
    methods, sets = plural(int(first["methods"]), "method"), plural(int(first["datasets"]), "data set")
    return f"- Mean NMI by {word}, over {methods} on {sets} where all alternatives finished: {listed(each)}."


def _choice(db: Database, board: Board, shown: str) -> Iterator[str]:
    table = choices(db, board)
    if table.empty:
        return
    yield "**Choosing without labels**"
    each = [f"{row.choice} {row.loss:.1f} ({row.points} points)" for row in table.itertuples()]
    yield (
        f"Points of NMI below the best method by labels, on data of up to {MOST_SAMPLES:,} samples: {listed(each)}. "
        f"Every pick: `mvarena pick --db {shown} --across --metric nmi`"
    )


def _deep(release: Release, board: Board) -> Iterator[str]:
    there = [row for row in board.table.itertuples() if row.contestant.partition(" ")[0] in DEEP]
    if there:
        best = there[0]
        ahead = [row for row in board.table.itertuples() if row.place < best.place]
        text = (
            f"{plural(len(there), 'deep method')}; the first of them, {board.labels[best.contestant]}, is at place "
            f"{best.place} of {len(board.table)}, behind {plural(len(ahead), 'other')}."
        )
    else:
        text = _of_deep_report(release.folder.resolve().parent / "deep" / "README.md")
    if text:
        yield "**Deep against shallow**"
        yield text


def _of_deep_report(page: Path) -> str:
    """Finding of the report on deep methods beside this release; '' where there is none."""
    try:
        found = _DEEP_FINDING.search(page.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ""
    if found is None:
        return ""
    return (
        "Deep methods are no part of this release; [their report](../deep/README.md) compares them on two views of "
        f"each data set. {found[0]}"
    )


def _table(heads: Mapping[str, str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table. heads : head -> how its column is aligned, '---' to the left or '--:' to the right."""
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join([f"| {' | '.join(heads)} |".replace("|  |", "| |"), f"|{'|'.join(heads.values())}|", *lines])


def _percent(part: int, of: int) -> str:
    return f"{100 * part / of:.1f} %" if of else "0 %"


def _csv(table: pd.DataFrame) -> str:
    return table.to_csv(index=False, float_format="%.4f", lineterminator="\n")


def differing(release: Release, files: dict[str, str]) -> Iterable[str]:
    """The names of files that are not what the database gives."""
    for name, text in files.items():
        path = release.folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            yield name
