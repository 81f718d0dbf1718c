"""`mvarena report`: tables and figures from a results database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import FILTER_FLAGS, ManyValues, database_option, filter_from, names_option, some_filters
from mvarena.cli.output import print_summary, say
from mvarena.errors import InvalidSetting, MvarenaError, unknown_name
from mvarena.text import plural

if TYPE_CHECKING:
    from mvarena.report.data import ReportData
    from mvarena.report.files import Format
    from mvarena.report.write import TableFormat
    from mvarena.store.database import Database
    from mvarena.store.filters import Filter

FOLDER = Path("mvarena-report")  # where reports are written unless another is named
_ALL = "all"
_MOST_LISTED = 12  # files whose names are printed one by one
_EMBEDDING, _PATTERNS = "embedding", "missing"
_FILTERS = ("algorithms", "datasets", "stored_rates", "corruptions", "scalings", "fillings", "preparations")
_EXAMPLES = """\
Kinds of figures: rate (a metric by missing rate), bars (by data set at one condition), heatmap (methods by data sets),
standings (mean ranks and who cannot be told apart; ratings above 20 methods), pareto (a metric by seconds),
preparations (methods by scalings and fillings), scaling (seconds and memory by samples), convergence (objective by
iteration), sensitivity (a metric by one parameter or two), survival (of the clusters); and, where named, missing
(samples by the views that they have) and, with --trial, embedding (samples by class and by cluster). An embedding runs
the method once more; a report on one method and one condition has one where the fit took at most a minute.

Kinds of tables: results (methods by data sets at each condition; of one data set by rates or metrics), paper (data sets
and rates by methods, all metrics, mean ranks last), ranks (places, ratings, distances to the first), pairs (tests of
one against each other, or of all pairs), preparations, regret (what choosing without labels loses), quality (what is
missing, failed, collapsed), inventory (data sets and methods), costs (seconds and memory).

\b
Examples:
  mvarena report --db results.db --out my-report
  mvarena report --table all --figure all
  mvarena report --scale auto --fill knn --against apmc
  mvarena report --metric acc ari --algo apmc concat --data "digits[fou,fac]"
  mvarena report --data "webkb-*" --rate 0.1:0.5
  mvarena report --figure rate pareto --format pdf --width 3.3 --highlight apmc,daimc
  mvarena report --table paper --format tex
  mvarena report --figure embedding --trial 158d1ed3
  mvarena report --choose centrality
  mvarena report --html my-site
"""


@click.command(
    cls=ManyValues,
    many=(
        "--metric",
        "--figure",
        "--table",
        "--format",
        "--trial",
        "--highlight",
        *map(FILTER_FLAGS.__getitem__, _FILTERS),
    ),
    epilog=_EXAMPLES,
)
@database_option("The results database to read.")
@click.option("--out", type=click.Path(path_type=Path), default=FOLDER, show_default=True,
              metavar="DIR", help="The folder to write into.")  # fmt: skip
@click.option(
    "--html",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write a site into DIR, with pages to sort and filter; open its index.html. Tables and figures are then "
    "written only with --out, --figure or --table.",
)
@names_option(
    "--metric", "metrics", "Metrics, one or more (mvarena list metrics); by default those that the data have."
)
@names_option("--figure", "figures", "Kinds of figures, see below, or all.")
@names_option("--table", "tables", "Kinds of tables, see below, or all.")
@names_option(
    "--format",
    "formats",
    "Formats: png, svg, pdf of figures, md, tex, csv of tables; by default png (and svg for named "
    "kinds), md, tex and csv.",
)
@click.option(
    "--width",
    type=click.FloatRange(2.5, 14.0),
    default=7.0,
    show_default=True,
    metavar="INCHES",
    help="Width of figures: 3.3 for a column of a paper, 7 for a page.",
)
@names_option("--trial", "trials", "Trials whose embedding is drawn: their keys, or the first digits of them.")
@click.option(
    "--against",
    metavar="NAME",
    help="Method, chosen before the results were seen, to compare with each other method; this takes fewer data sets "
    "than a comparison of all pairs.",
)
@click.option("-v", "--verbose", is_flag=True, help="Print all definitions and notes below a table.")
@names_option("--highlight", "highlight", "Methods to show in colour in figures; all others are grey.")
@click.option(
    "--choose",
    metavar="NAME",
    help="Show each method with several parameter values as one row, with the values that this picker chooses "
    "(mvarena list pickers).",
)
@some_filters(*_FILTERS)
def report(
    database: str,
    out: Path,
    html: Path | None,
    metrics: tuple[str, ...],
    figures: tuple[str, ...],
    tables: tuple[str, ...],
    formats: tuple[str, ...],
    width: float,
    trials: tuple[str, ...],
    against: str | None,
    verbose: bool,
    highlight: tuple[str, ...],
    choose: str | None,
    **options: Any,
) -> None:
    """Write a page (index.md) on the stored results: who is ahead over all conditions, what may be claimed, methods by
    data sets at each condition, and figures.

    Places, ratings and claims are over all that is stored; a filter changes what is shown. --table and --figure write
    other kinds, or all; beside each figure are its caption and data. Of one kind of figure at most 12 are drawn for
    'all'; a sentence says where there are more.
    One scaling and filling is shown, the one with the most results; --scale, --fill and --prepare choose others.
    With --html alone, the site is written and nothing else.
    """
    from rich.console import Console

    from mvarena.registry.catalog import installed_catalog
    from mvarena.report.data import ReportData
    from mvarena.report.index import write_index
    from mvarena.report.kinds import tables_of
    from mvarena.report.tables.inventory import write_achieved
    from mvarena.report.write import DEFAULT_FORMATS, write_report
    from mvarena.store.filters import chosen, matching_keys
    from mvarena.store.frames import achieved_frame
    from mvarena.store.readonly import open_to_read

    kinds = _Asked(figures, tables, trials)
    forms, table_forms = _formats(formats)
    catalog = installed_catalog()
    named = [catalog.metric(name).name for name in metrics]
    only = filter_from(options)
    site = None
    if html is not None and choose is not None:
        raise click.UsageError("--choose applies to tables and figures; the pages of --html show every value.")
    if html is not None and kinds.short and not _given("out"):
        for name, flag in (("against", "--against"), ("width", "--width"), ("formats", "--format"), ("verbose", "-v")):
            if _given(name):
                raise click.UsageError(
                    f"{flag} applies to tables and figures, which --html alone does not write; add --out, --figure or "
                    "--table."
                )
    if html is not None:
        site = _site(database, html, only, metrics=tuple(named), highlight=highlight)
        if kinds.short and not _given("out"):
            click.echo(site)
            return
    with open_to_read(database) as db:
        keys = matching_keys(db, chosen(db, only))
        rates = achieved_frame(db, keys=keys) if kinds.tables is None else None
        results = ReportData.from_database(
            db,
            only,
            metrics=named,
            choose=choose,
            picks=kinds.picks,
            fits=kinds.fits,
            highlight=highlight,
            against=against,
            **_of_trials(db, keys, kinds),
        )
        if kinds.short:
            results = _with_embedding(db, results)
    with Console(stderr=True).status("drawing figures"):
        if kinds.short:
            page, written = write_index(results, out, formats=forms or ("png",), width=width)
        else:
            written = write_report(
                results,
                out,
                tables=kinds.tables,
                figures=kinds.figures,
                formats=forms or DEFAULT_FORMATS,
                table_forms=table_forms,
                width=width,
                on_left_out=_say_left_out,
                on_nothing=lambda error: say(f"Skipped: {error}", err=True),
            )
    if rates is not None:
        written += write_achieved(rates, out)
    if kinds.short or kinds.tables is None:
        print_summary(results, verbose=verbose)
        for metric in results.metrics:
            if (board := results.board(metric)) is not None:
                say(results.claim(board))
    elif kinds.tables:
        print_summary(results, tables_of(results, kinds.tables, lambda _: None), verbose=verbose)
    if kinds.short:
        say(f"Report: {page} ({plural(len(written), 'file')})")
    else:
        _say_written(written, out)
    if site is not None:
        click.echo(site)


def _say_left_out(kind: str, drawn: int, of: int) -> None:
    """Say that fewer figures of a kind are drawn than exist, and how to have the others."""
    say(
        f"Of the {of} figures '{kind}' {drawn} are drawn; '--figure {kind}' draws all, with '--data NAME' those of one "
        "data set.",
        err=True,
    )


def _say_written(paths: Sequence[Path], folder: Path) -> None:
    """Print the files that were written: each of a few, of many the first figure, their number and the folder."""
    if len(paths) <= _MOST_LISTED:
        for path in paths:
            click.echo(path)
        return
    images = [path for path in paths if path.suffix in (".png", ".svg", ".pdf")]
    for path in images[:1]:
        say(f"Figure: {path}")
    figures = len({path.stem for path in images})
    tables = len({path.stem for path in paths if path.stem.startswith("table-")})
    say(f"Wrote {plural(tables, 'table')} and {plural(figures, 'figure')} ({len(paths)} files) into {folder}")


def _given(name: str) -> bool:
    """True if an option was typed, or set by a variable of the environment."""
    return click.get_current_context().get_parameter_source(name) is not click.core.ParameterSource.DEFAULT


def _site(database: str, folder: Path, only: Filter, **shown: Any) -> Path:
    """Write the site and return its first page. shown : as of `write_site`."""
    from mvarena.site.build import write_site
    from mvarena.store.readonly import open_to_read

    with open_to_read(database) as db:
        return write_site(db, folder, only, **shown)


class _Asked:
    """The kinds that were named: None for all, () for none, as where only kinds of the other sort were named.

    short : whether no kind and no trial was named: then the page is written.

    trials : those whose embeddings are drawn. patterns : whether the figure missing was named.
    Raises UnknownName for a kind that there is none of, and InvalidSetting for one that shows a trial where none is
    named, and for a trial that no kind shows.
    """

    def __init__(self, figures: Sequence[str], tables: Sequence[str], trials: Sequence[str]) -> None:
        from mvarena.report.kinds import check_kinds

        check_kinds([name for name in tables if name != _ALL], [name for name in figures if name != _ALL])
        self.short = not figures and not tables
        self.figures = None if _ALL in figures else tuple(figures)
        self.tables = None if _ALL in tables else tuple(tables)
        self.trials, self.patterns = trials, _PATTERNS in figures
        if _EMBEDDING in figures and not trials:
            raise InvalidSetting(
                f"the figure '{_EMBEDDING}' shows one trial; name its key, or the first digits of it, with --trial "
                "('mvarena results list --trials' shows keys).",
                field="trial",
            )
        if trials and _EMBEDDING not in figures:
            raise InvalidSetting(f"--trial is for the figure {_EMBEDDING}; name it.", field="figure")

    @property
    def picks(self) -> bool:
        """True if the table of regret is shown."""
        return self.tables is None or "regret" in self.tables

    @property
    def fits(self) -> bool:
        """True if figures of how trials were fitted are shown."""
        return self.figures is None or not {"convergence", "scaling"}.isdisjoint(self.figures)

    @property
    def follows(self) -> bool:
        """True if the figure of survival is shown."""
        return self.short or self.figures is None or "survival" in self.figures


def _formats(names: Sequence[str]) -> tuple[tuple[Format, ...], tuple[TableFormat, ...]]:
    """The formats of figures and of tables of these names; none where none of them is named."""
    from mvarena.report.files import FORMATS
    from mvarena.report.write import TABLE_FORMATS

    known = (*FORMATS, *TABLE_FORMATS)
    for name in names:
        if name not in known:
            raise unknown_name("format", name, known, f"There are {', '.join(known)}.")
    return tuple(item for item in FORMATS if item in names), tuple(item for item in TABLE_FORMATS if item in names)


def _with_embedding(db: Database, results: ReportData) -> ReportData:
    """The results of one method under one condition with the space of their first trial, where it can be made again."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.report.trial_data import drawn_trials

    if (trial := results.only_trial) is None:
        return results
    try:
        return replace(results, drawn=drawn_trials(db, [trial], installed_catalog()))
    except MvarenaError as error:
        say(f"Embedding not drawn: {error}", err=True)
        return results


def _of_trials(db: Database, keys: Sequence[str], kinds: _Asked) -> dict[str, Any]:
    """Inputs of `ReportData` for figures of survival, and for those that are drawn only when named."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.report.trial_data import drawn_trials, followed_trials, stored_patterns

    result: dict[str, Any] = {"drawn": drawn_trials(db, kinds.trials, installed_catalog())} if kinds.trials else {}
    lacking: list[str] = []
    if kinds.follows:
        result["followed"], lacking = followed_trials(db, keys, installed_catalog(), first=kinds.short)
    if kinds.patterns:
        result["patterns"], without = stored_patterns(db, keys, installed_catalog())
        lacking += without
    for sentence in lacking:
        say(f"Not drawn: {sentence}", err=True)
    return result
