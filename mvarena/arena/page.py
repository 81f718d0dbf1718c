"""The page of a release: finding, ratings and board first, the rest folded; every number is made from the database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd

from mvarena.analysis.claims import claim, corpora_for
from mvarena.analysis.rankings import cliques
from mvarena.analysis.significance import ALPHA, LEAST_CORPORA, least_p
from mvarena.arena.board import BOTH, CHOICE_COLUMNS, MOST_SAMPLES, NUMBERS, SuiteBoard, alternatives, choices
from mvarena.arena.changes import CHANGE_COLUMNS, changes_part
from mvarena.arena.parts import DEEP_COLUMNS, deep_part, deep_table, survival_part, tuning_part
from mvarena.arena.picture import PICTURE, ratings_picture
from mvarena.arena.release import ENDS, NOT_RUN, Release, coverage, incomplete_points, keys_of_study, scores_of_suite
from mvarena.arena.suites import DEEP, FILLING, PARTS, SCALING, SURVIVAL, THIN, TUNED
from mvarena.arena.tuning import TUNING_COLUMNS, tuning
from mvarena.errors import NothingToReport
from mvarena.report.formats.pages import markdown_rows
from mvarena.store.cards import cards
from mvarena.store.contents import classes_by_content, number_by_content
from mvarena.store.database import Database
from mvarena.store.readonly import open_to_read
from mvarena.text import listed, plural

BOARD, COVERAGE, CHANGES = "board.csv", "coverage.csv", "changes.csv"
CHOICES, TUNING, DEEP_BOARD = "choices.csv", "tuning.csv", "deep.csv"  # made of the whole database
_SHOWN = 12  # methods of the board; board.csv holds all
_MOST_NAMED = 8
CLAIM = "claim about the first"


def board_of(db: Database, suite: str) -> SuiteBoard:
    """The board of what `db` holds of a suite. Raises NothingToReport where nothing of it was run."""
    scores = scores_of_suite(db, suite)
    if scores.empty:
        raise NothingToReport(f"nothing of the suite {suite} is stored in {db.where}; run it: mvarena run {suite}.")
    classes = classes_by_content(db, scores["content"].unique())
    incomplete = incomplete_points(coverage(db, suite))
    samples = number_by_content(db, "n_samples")
    return SuiteBoard(scores, samples, classes=classes, incomplete=incomplete, cards=cards(db))


def files_of(release: Release, db: Database, whole: Path | None = None) -> dict[str, str]:
    """The text of every generated file of a release but its card: file name -> content.

    whole : the database with all labels and parts, from which CHOICES, TUNING and DEEP_BOARD are made; None: these
        files stay as they are.
    CHANGES stays as it was at the release, since the earlier release may be gone.
    """
    board = board_of(db, release.suite)
    known = coverage(db, release.suite)
    of_whole = {} if whole is None else _of_whole(whole, release.suite)
    tables = {
        CHOICES: _read(release.folder / CHOICES, of_whole, CHOICE_COLUMNS),
        TUNING: _read(release.folder / TUNING, of_whole, TUNING_COLUMNS),
        DEEP_BOARD: _read(release.folder / DEEP_BOARD, of_whole, DEEP_COLUMNS),
    }
    parts = list(_parts(release, db, board, known, tables))
    since = _read(release.folder / CHANGES, {}, CHANGE_COLUMNS)
    if not since.empty:
        parts.append(changes_part(since, release.card["since"]))
    return {
        "README.md": "\n\n".join(part for part in parts if part) + "\n",
        PICTURE: ratings_picture(board.table, board.labels),
        BOARD: as_csv(board.table),
        COVERAGE: as_csv(_coverage_counts(known, ["part", "algorithm"])),
        **of_whole,
    }


def _of_whole(whole: Path, suite: str) -> dict[str, str]:
    """The files that are made from labels, and from parts of the suite that the small database lacks."""
    parts = PARTS[suite]
    with open_to_read(whole) as db:
        files = {CHOICES: as_csv(choices(db, board_of(db, suite)))}
        if keys := keys_of_study(db, parts[TUNED]):
            files[TUNING] = as_csv(tuning(db, keys))
        if DEEP in parts and keys_of_study(db, parts[DEEP]):
            files[DEEP_BOARD] = as_csv(deep_table(board_of(db, parts[DEEP])))
    return files


def _read(path: Path, made: Mapping[str, str], columns: Iterable[str]) -> pd.DataFrame:
    """A table that was made from labels now or, with the release, earlier; no rows where there is none."""
    if path.name in made:
        return pd.read_csv(StringIO(made[path.name]))
    return pd.read_csv(path) if path.is_file() else pd.DataFrame(columns=list(columns))


def _parts(
    release: Release, db: Database, board: SuiteBoard, known: pd.DataFrame, tables: Mapping[str, pd.DataFrame]
) -> Iterator[str]:
    home = f"reports/{release.folder.resolve().name}"
    shown = f"{home}/results.db"
    studies = PARTS[release.suite]
    yield f"# {finding(board)}"
    yield _about(release, board)
    yield f"![Ratings of the methods of {release.name}, with their intervals]({PICTURE})"
    yield from _board(board, f"mvarena arena board --release {home}{_lite(release)}")
    yield from tuning_part(tables[TUNING], TUNING)
    yield "<details>"
    yield "<summary>Kinds of data, time, preparation, parts of the suite, and how this was made</summary>"
    yield from _groups(board, shown)
    yield from _time(board)
    yield from _preparation(board, shown)
    yield from _choice(tables[CHOICES])
    yield from deep_part(tables[DEEP_BOARD], set(board.labels), DEEP_BOARD)
    if SURVIVAL in studies:
        yield from survival_part(db, studies[SURVIVAL], board.cards)
    yield _coverage(release, known)
    of_whole = listed([file for file, rows in tables.items() if len(rows)])
    yield (
        f"`mvarena arena page {home}` makes this page again, byte by byte, from the database beside it; {of_whole}, "
        "with `--whole`, from the whole database. Conditions, versions, machine, cost and the name of that database "
        "are in [release.toml](release.toml). "
        "*Check a number* in docs/howto/arena.md runs the trials behind a score again. "
        f"`mvarena arena run my_method.py:MyMethod{_lite(release)}` places your own method on the board."
    )
    yield "</details>"


def finding(board: SuiteBoard) -> str:
    """The finding of a release in one sentence without a full stop, for the title of its page."""
    first, n = board.labels[board.standings.contestants[0]], len(board.table)
    groups = cliques(board.standings) if board.standings.n_corpora >= LEAST_CORPORA else []
    text = f"By NMI over all conditions {first} leads {n} methods on {plural(board.standings.n_corpora, 'data source')}"
    if groups and groups[0][0] == board.standings.contestants[0]:
        tied = f"the first {len(groups[0])}" if len(groups[0]) < n else "all"
        return f"{text}; {tied} are statistically tied"
    return text


def _lite(release: Release) -> str:
    return " --lite" if release.suite.endswith("lite") else ""


def _about(release: Release, board: SuiteBoard) -> str:
    counted = set(board.standings.corpus_of)
    contents = board.scores.loc[board.scores["dataset"].isin(counted), "content"].unique()
    sizes = [board.samples[content] for content in contents if content in board.samples]
    n_methods = len(board.table)
    provided: dict[str, list[str]] = {}
    for name in sorted(board.labels):
        plugin = board.cards.method(name.partition(" ")[0]).provided_by.partition(" ")[0]
        if plugin not in ("", "mvarena"):
            provided.setdefault(plugin, []).append(board.labels[name])
    among = "".join(f", {listed(names)} of the plugin {plugin} among them," for plugin, names in provided.items())
    return (
        f"{release.name} of {release.card.get('date', 'no date')}: {plural(n_methods, 'method')}{among} with their "
        f"defaults and the same preparation, over {board.standings.over} of {min(sizes):,} to {max(sizes):,} samples "
        f"(the suite `mvarena show {release.suite} --kind study`). Of 20 k-means starts the one of lowest inertia "
        "counts; no method sees a label."
    )


def _coverage(release: Release, known: pd.DataFrame) -> str:
    counts = _coverage_counts(known, ["part"])
    heads = ("part of the suite", "trials", *ENDS)
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
    return f"{text}\n\n{markdown_rows(heads, list(rows), 'l'.ljust(len(heads), 'r'))}"


def _coverage_counts(known: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    table = known.groupby([*by, "end"]).size().unstack("end", fill_value=0).reindex(columns=list(ENDS), fill_value=0)
    return table.assign(trials=table.sum(axis=1)).reset_index()


def _board(board: SuiteBoard, command: str) -> Iterator[str]:
    align = "".join("l" if head in ("method", "95 %") else "r" for head in ("", "method", *NUMBERS))
    yield markdown_rows(("", "method", *NUMBERS), board.lines()[:_SHOWN], align)
    rest = len(board.table) - _SHOWN
    more = f" The other {rest} are in [{BOARD}]({BOARD})." if rest > 0 else ""
    yield (
        "Ratings are Bradley and Terry's, from ranks of NMI with each corpus (data source) counted once; intervals "
        "come from a bootstrap over the corpora. Finished: conditions (of all) under which no trial was refused, "
        "failed or reached a limit; elsewhere the method ranks last. Place there: among all methods, under the "
        "conditions that it finished alone. NMI and ACC: means over all conditions, of "
        "methods that finished all of them. Behind the first: points of NMI on the conditions that both finished. "
        "CPU s: of one trial, in seconds of the reference machine where the speed of the machine was measured."
        f"{more} "
        f"All rows: `{command}`."
    )
    yield f"**Claim.** {board.claim}"
    yield f"**Statistical ties.** {_ties(board)}"
    few = board.table[board.table["finished"].between(1, (board.table["conditions"] - 1) // 2)]
    if len(few):
        each = [
            f"{board.labels[row.contestant]} ({row.finished} of {row.conditions}, place {row.place_there:.0f} there)"
            for row in few.itertuples()
        ]
        yield (
            f"**Few conditions.** Finished under fewer than half of the conditions: {listed(each, most=_MOST_NAMED)}. "
            "For a method that takes only some of the data, the place there is the one to read."
        )


def _ties(board: SuiteBoard) -> str:
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


def _groups(board: SuiteBoard, shown: str) -> Iterator[str]:
    yield "**By kind of data, condition and size**"
    heads = ("by", "", "corpora", "first (NMI)", "second", "third", CLAIM)
    rows, thin = [], []
    for by, name, part in board.groups():
        is_thin = part["corpus"].nunique() < THIN
        thin += [name] if by == "kind" and is_thin else []
        if (by == BOTH and is_thin) or (table := board.of_group(part)) is None:
            continue
        first = [board.data.context.contestant(item) for item in table.contestants[:3]]
        first += [""] * (3 - len(first))
        rows.append((by, name, table.n_corpora, *first, _short_claim(table, board)))
    yield markdown_rows(heads, rows, "llr")
    if thin:
        yield f"Fewer than {THIN} corpora, which say little: {listed(thin)}."
    yield (
        "Order by mean rank; a method that did not finish is last. "
        f"`mvarena report --db {shown} --table ranks --metric nmi --data NAME... --corrupt NAME --rate RATE`"
    )


def _short_claim(table: Any, board: SuiteBoard) -> str:
    """The claim without how it was tested, which stands above."""
    if table.n_corpora < LEAST_CORPORA:
        return f"too few data sources ({LEAST_CORPORA} needed)"
    pairs = len(table.contestants) * (len(table.contestants) - 1) // 2
    if least_p(table.n_corpora) * pairs > ALPHA:
        return f"too few data sources ({corpora_for(pairs)} needed)"
    text = claim(table, "NMI", labels=board.data.context.contestants(table.contestants))
    sentence = text.removeprefix(f"NMI, over {table.over}:").strip()
    return sentence.partition(" (Wilcoxon")[0].split("). ")[-1].rstrip(".")


def _time(board: SuiteBoard) -> Iterator[str]:
    front = board.front
    if front.empty:
        return
    yield "**Quality against time**"
    all_finished = int((board.table["finished"] == board.table["conditions"]).sum())
    names = [f"{board.labels[row.contestant]} ({row.seconds:.2g} s, {row.nmi:.1f})" for row in front.itertuples()]
    yield (
        f"Of the {all_finished} methods that finished everything, {len(names)} "
        f"{'are' if len(names) > 1 else 'is'} neither slower nor worse than another, from the fastest: "
        f"{listed(names)}. CPU seconds of one trial, the geometric mean over data sets, and mean NMI, as on the board."
    )


def _preparation(board: SuiteBoard, shown: str) -> Iterator[str]:
    parts = [_alternatives(board, axis, word) for axis, word in ((SCALING, "scaling"), (FILLING, "filling"))]
    if any(parts):
        yield "**Scaling and filling**"
        yield "\n".join(filter(None, parts))
        command = f"mvarena report --db {shown} --table preparations --metric nmi"
        yield f"On the data sets of that part of the suite. `{command}`"


def _alternatives(board: SuiteBoard, axis: str, word: str) -> str:
    competing = board.scores["algorithm"].isin(board.competing["algorithm"])
    table = alternatives(board.scores[competing], axis)
    if table.empty:
        return f"- Of {word} nothing can be said yet: no method was run under two alternatives."
    each = [f"{row.alternative} {row.mean:.1f} (alone best for {row.best_for})" for row in table.itertuples()]
    first = table.iloc[0]
    methods, sets = plural(int(first["methods"]), "method"), plural(int(first["datasets"]), "data set")
    return f"- Mean NMI by {word}, over {methods} on {sets} where all alternatives finished: {listed(each)}."


def _choice(table: pd.DataFrame) -> Iterator[str]:
    if table.empty:
        return
    yield "**Choosing without labels**"
    each = [f"{row.choice} {row.loss:.1f}" for row in table.itertuples()]
    yield (
        f"Points of NMI below the best method by labels, on data of up to {MOST_SAMPLES:,} samples, each way over the "
        f"same {int(table['points'].iloc[0])} points (a data set under a condition and a repeat): {listed(each)} "
        f"([{CHOICES}]({CHOICES})). Every pick, from the whole database: `mvarena pick --across --metric nmi`"
    )


def _percent(part: int, of: int) -> str:
    return f"{100 * part / of:.1f} %" if of else "0 %"


def as_csv(table: pd.DataFrame) -> str:
    """A table as the text of a .csv file of a release."""
    return table.to_csv(index=False, float_format="%.4f", lineterminator="\n")
