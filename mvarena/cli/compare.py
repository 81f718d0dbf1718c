"""`mvarena compare`: two methods, versions or databases beside each other, with an exit code for CI."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.completion import names_for
from mvarena.cli.options import ManyValues, database_option, split_names
from mvarena.cli.output import echo_json, json_option, table_console
from mvarena.errors import InvalidSetting, MvarenaError
from mvarena.text import listed, plural

if TYPE_CHECKING:
    import pandas as pd

_EXAMPLES = """\b
Examples:
  mvarena compare concat apmc
  mvarena compare "mic (beta=0.01)" "mic (beta=0.1)" --metric nmi
  mvarena compare apmc@1 apmc@2 --fail-if-worse 2
  mvarena compare yesterday.db today.db --fail-if-worse 2
"""


@click.command(cls=ManyValues, many=("--data",), epilog=_EXAMPLES)
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@database_option("Results database to read if A and B are contestants.")
@click.option("--metric", default="acc", show_default=True, metavar="NAME", help="See mvarena list metrics.")
@click.option(
    "--data",
    "datasets",
    multiple=True,
    metavar="NAME...",
    help="Only these data sets; by default all that are stored.",
    shell_complete=names_for("data"),
)
@click.option(
    "--fail-if-worse",
    type=click.FloatRange(min=0),
    metavar="POINTS",
    help="Exit with 1 if B is worse than A by more than this (percentage points for metrics up to 1) on some data set, "
    "or does not finish what A does.",
)
@json_option
def compare(
    before: str,
    after: str,
    database: str,
    metric: str,
    datasets: tuple[str, ...],
    fail_if_worse: float | None,
    as_json: bool,
) -> None:
    """Compare A with B: the change on each data set and condition, repeat by repeat under the same masks.

    A and B are two databases (files that exist, or URLs), whose common contestants are compared; else two contestants
    of one database, by the names that tables show, or NAME@VERSION.
    """
    from mvarena.analysis.comparison import two_sides
    from mvarena.registry.catalog import installed_catalog

    spec = installed_catalog().metric(metric)
    shown = split_names(datasets) and datasets
    first, second = _sides(before, after, database, spec, shown)
    rows = two_sides(first, second, spec.name, higher_is_better=spec.higher_is_better)
    unit = 100.0 if spec.in_percent else 1.0
    if as_json:
        echo_json(rows)
    else:
        _print(rows, before, after, unit, spec)
    if fail_if_worse is None:
        return
    failed = rows[(rows["gain"] * unit < -fail_if_worse) | (rows["only_before"] > 0)]
    if len(failed):
        click.echo(
            f"Worse by more than {fail_if_worse:g}, or unfinished, in {len(failed)} of {len(rows)} cases.", err=True
        )
        sys.exit(1)


def _sides(
    before: str, after: str, database: str, spec: Any, datasets: tuple[str, ...]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    from mvarena.analysis.comparison import side_named, sides_of_two
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.components import defaults_of

    directions = {spec.name: spec.higher_is_better}
    are_databases = [_is_database(item) for item in (before, after)]
    if all(are_databases):
        frames = [_scores(item, spec.name, datasets) for item in (before, after)]
        algorithms = [*frames[0]["algorithm"].unique(), *frames[1]["algorithm"].unique()]
        defaults = defaults_of(algorithms, installed_catalog())
        return sides_of_two(frames[0], frames[1], spec.name, directions, defaults)
    if any(are_databases):
        other = after if are_databases[0] else before
        raise InvalidSetting(f"A and B are two databases or two contestants; there is no database '{other}'.")
    frame = _shown(_scores(database, spec.name, datasets), before, after)
    subject = f"{before} -> {after}"
    defaults = defaults_of(frame["algorithm"].unique(), installed_catalog())
    sides = [side_named(frame, item, spec.name, directions, subject, defaults) for item in (before, after)]
    return sides[0], sides[1]


def _is_database(text: str) -> bool:
    return "://" in text or Path(text).is_file()


def _shown(frame: pd.DataFrame, before: str, after: str) -> pd.DataFrame:
    """The rows under one scaling and filling and of the newest versions, unless a name asks for another."""
    from mvarena.analysis.conditions import newest_versions, one_preparation

    asked = before + after
    if "version=" not in asked and "@" not in asked:
        frame, _ = newest_versions(frame)
    if "prepare=" not in asked:
        frame, preparation = one_preparation(frame)
        if preparation.sentence:
            click.echo(
                preparation.sentence.partition("; choose")[0] + "; name A and B with (prepare=...) for others.",
                err=True,
            )
    return frame


def _scores(database: str, metric: str, datasets: tuple[str, ...]) -> pd.DataFrame:
    from mvarena.store.frames import scores_frame
    from mvarena.store.readonly import open_to_read

    with open_to_read(database) as db:
        frame = scores_frame(db, metrics=[metric], datasets=datasets or None)
    if frame.empty:
        raise MvarenaError("there are no results to compare; run a study first, or select other data sets.")
    return frame


def _print(rows: pd.DataFrame, before: str, after: str, unit: float, spec: Any) -> None:
    names = (Path(before).name, Path(after).name) if _is_database(before) else (before, after)
    from rich.table import Table

    table = Table(title=f"{spec.label or spec.name}: {before} -> {after}", title_justify="left", title_style="bold")
    several = rows["subject"].nunique() > 1
    for name in ("data", "condition", *(["contestant"] if several else [])):
        table.add_column(name, overflow="fold")
    for name in (*names, "gain", "95 % interval", "repeats", "verdict"):
        table.add_column(name, justify="right")
    for row in rows.itertuples(index=False):
        where = row.corruption if row.corruption == "none" else f"{row.corruption} {row.rate:g}"
        subject = [row.subject] if several else []
        table.add_row(row.dataset, where, *subject, *_cells(row, names, unit))
    table_console(120).print(table)
    for subject, part in rows.groupby("subject", sort=False):
        click.echo(_overall(part, f"{subject}: " if several else "", names, unit))


def _cells(row: Any, names: tuple[str, str], unit: float) -> tuple[str, ...]:
    from mvarena.analysis.comparison import why_no_interval

    counts = f"{row.n_pairs}" + "".join(
        f", {count} only {side}" for count, side in ((row.only_before, names[0]), (row.only_after, names[1])) if count
    )
    interval = f"{row.low * unit:+.2f} to {row.high * unit:+.2f}"
    if row.low != row.low:
        interval = why_no_interval(row.n_pairs, "repeat") if row.n_pairs else ""
    numbers = ["" if value != value else f"{value * unit:.2f}" for value in (row.before, row.after)]
    gain = "" if row.gain != row.gain else f"{row.gain * unit:+.2f}"
    return (*numbers, gain, interval, counts, row.verdict)


def _overall(rows: pd.DataFrame, subject: str, names: tuple[str, str], unit: float) -> str:
    """Over corpora, each weighing one: the mean gain, its interval, Wilcoxon's test, and how likely it matters."""
    from mvarena.analysis.comparison import over_corpora, why_no_interval
    from mvarena.analysis.significance import LEAST_FOR_LIKELIHOODS, MARGIN, practical_difference, signed_rank_p

    result = over_corpora(rows)
    n, n_sets = len(result.gains), result.n_datasets
    if not n:
        return f"{subject}No repeat was finished by both of them."
    over = plural(n_sets, "data set")
    over = over if n == n_sets else f"{plural(n, 'corpus', 'corpora')} ({over})"
    over += f" (without {listed(result.left_out)}, where no repeat was finished by both)" if result.left_out else ""
    first, second = names
    interval = f"95 % t interval over corpora {result.low * unit:+.2f} to {result.high * unit:+.2f}"
    if result.low != result.low:
        interval = f"no interval: {why_no_interval(n, 'corpus')}"
    mean = f"{subject}Over {over} {second} is {result.gain * unit:+.2f} on average ({interval})"
    if n < LEAST_FOR_LIKELIHOODS:
        return f"{mean}. Tests take {LEAST_FOR_LIKELIHOODS} corpora or more."
    margin = MARGIN if unit > 1 else 0.0
    likely = practical_difference(result.gains, margin)
    region = f"within {margin * unit:g} point {likely.equivalent:.0%}, " if margin else ""
    return (
        f"{mean}; Wilcoxon's signed-rank test p = {signed_rank_p(result.gains):.2g}; {second} better "
        f"{likely.better:.0%}, {region}{first} better {likely.worse:.0%} likely (Bayesian signed-rank test)."
    )
