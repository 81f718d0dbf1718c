"""`mvarena report`: tables and figures from a results database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import SEVERAL_FILTERS, ManyValues, database_option, filter_from, filter_options, names_option
from mvarena.cli.output import print_summary, say
from mvarena.errors import InvalidSetting, unknown_name
from mvarena.text import plural

if TYPE_CHECKING:
    from mvarena.report.files import Format
    from mvarena.store.database import Database
    from mvarena.store.filters import Filter

_OF_TRIAL = ("embedding", "affinity")
FOLDER = Path("mvarena-report")  # where reports are written unless another is named
_ALL = "all"
_MOST_LISTED = 12  # files whose names are printed one by one
_EXAMPLES = """\
Kinds of figures: rate (a metric by missing rate), bars (by data set at one condition), heatmap (methods by data sets),
preparations (methods by scalings and fillings), critical-difference (mean ranks, and who cannot be told apart),
comparison (every method against every other), win-rates (methods by methods), pareto (a metric by seconds), scaling
(seconds and memory by samples), convergence (objective by iteration), sensitivity (a metric by one parameter or two),
regret (what choosing without labels loses);
and only where they are named, as the data are loaded again: missing (samples by the views that they have), and with
--trial embedding and affinity (a trial's samples by class and by cluster; its method runs once more).

Kinds of tables: overview (methods by data sets at one condition), paper (data sets and rates by methods, all metrics,
mean ranks last), quality (what is missing, failed, collapsed, not above a control), conditions (methods by rates),
datasets (methods by data sets), aggregated (the mean over the rates), preparations (methods by scalings and fillings),
ranks, ratings, wins, against-first (tests, practical equivalence), time, memory, iterations, failures, regret.

\b
Examples:
  mvarena report --db results.db --out my-report
  mvarena report --table all --figure all
  mvarena report --scale auto --fill knn --against apmc
  mvarena report --metric acc ari --algo apmc concat --data "digits[fou,fac]"
  mvarena report --family graph --data "webkb-*" --rate 0.1:0.5 --since 2025-03-01
  mvarena report --figure rate pareto --format pdf --highlight apmc,daimc
  mvarena report --table paper --caption short --table-format tex
  mvarena report --figure embedding affinity --trial 158d1ed3
  mvarena report --choose centrality
  mvarena report --count mean
  mvarena report --html my-site
"""


@click.command(
    cls=ManyValues,
    many=("--metric", "--figure", "--table", "--format", "--table-format", "--trial", "--highlight", *SEVERAL_FILTERS),
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
    "--format", "formats", "Formats of figures: png, svg, pdf; by default png, and also svg for kinds that are named."
)
@names_option(
    "--table-format", "table_formats_", "Formats of tables: md, tex, csv, html, parquet; by default md, tex and csv."
)
@names_option(
    "--trial", "trials", "Trials whose embedding and affinity are drawn: their keys, or the first digits of them."
)
@click.option(
    "--against",
    metavar="NAME",
    help="Method, chosen before the results were seen, to compare with each other method; this takes fewer data sets "
    "than a comparison of all pairs.",
)
@click.option(
    "--above-control",
    is_flag=True,
    help="Show scores on a scale from the better control (0) to the best possible value (100).",
)
@click.option(
    "--caption",
    type=click.Choice(["full", "short"]),
    default="full",
    show_default=True,
    help="Caption of each table file: all definitions and notes, or one line.",
)
@click.option("-v", "--verbose", is_flag=True, help="Print all definitions and notes below a table.")
@names_option("--highlight", "highlight", "Methods to show in colour in figures; all others are grey.")
@click.option(
    "--every-variant",
    is_flag=True,
    help="Show every value of a parameter that is chosen by labels, such as every single view, and not only the best.",
)
@click.option(
    "--every-version",
    is_flag=True,
    help="Show every version of a method in your own file, and not only the newest.",
)
@click.option(
    "--choose",
    metavar="NAME",
    help="Show each method with several parameter values as one row, with the values that this picker chooses "
    "(mvarena list pickers).",
)
@click.option(
    "--count",
    type=click.Choice(["mean", "lowest-inertia"]),
    help="Restarts that count: the mean of all, or the one of lowest inertia; by default as the protocol of "
    "each result says.",
)
@filter_options
def report(
    database: str,
    out: Path,
    html: Path | None,
    metrics: tuple[str, ...],
    figures: tuple[str, ...],
    tables: tuple[str, ...],
    formats: tuple[str, ...],
    table_formats_: tuple[str, ...],
    trials: tuple[str, ...],
    against: str | None,
    above_control: bool,
    caption: str,
    verbose: bool,
    highlight: tuple[str, ...],
    every_variant: bool,
    every_version: bool,
    choose: str | None,
    count: str | None,
    **options: Any,
) -> None:
    """Write a page (index.md) on the stored results: methods by data sets with mean ranks, what may be claimed, and
    figures of rates, ranks and seconds.

    --table and --figure write other kinds, or all, as Markdown, LaTeX, CSV, HTML, parquet and PNG, SVG, PDF, with the
    data of each figure as CSV. Of one kind of figure at most 12 are drawn for 'all'; a sentence says where there are
    more.
    One scaling and filling is shown, the one with the most results; --scale, --fill and --prepare choose others.
    With --html alone, the site is written and nothing else.
    """
    from mvarena.cli.progress import DrawingProgress, say_left_out, say_nothing
    from mvarena.registry.catalog import installed_catalog
    from mvarena.report.data import ReportData
    from mvarena.report.formats.files import table_formats
    from mvarena.report.index import write_index
    from mvarena.report.tables.inventory import write_achieved
    from mvarena.report.write import DEFAULT_FORMATS, tables_of, write_report
    from mvarena.store.filters import chosen, matching_keys
    from mvarena.store.frames import achieved_frame
    from mvarena.store.readonly import open_to_read

    kinds = _Asked(figures, tables, trials)
    forms, table_forms = _formats(formats), table_formats(table_formats_)
    catalog = installed_catalog()
    named = [catalog.metric(name).name for name in metrics]
    only = filter_from(options)
    site = None
    if html is not None and choose is not None:
        raise click.UsageError("--choose applies to tables and figures; the pages of --html show every value.")
    if html is not None:
        site = _site(
            database,
            html,
            only,
            metrics=tuple(named),
            every_variant=every_variant,
            every_version=every_version,
            pick=count,
            highlight=highlight,
        )
        if kinds.short and not _given("out"):
            click.echo(site)
            return
    with open_to_read(database) as db:
        where = chosen(db, only)
        keys = matching_keys(db, where)
        rates = achieved_frame(db, keys=keys)
        results = ReportData.from_database(
            db,
            where,
            metrics=named,
            count=count,
            choose=choose,
            picks=kinds.show("regret"),
            every_variant=every_variant,
            every_version=every_version,
            highlight=highlight,
            against=against,
            every_preparation=bool(only.preparations),
            above_control=above_control,
            **_of_trials(db, keys, kinds),
        )
    if kinds.short:
        with DrawingProgress() as drawing:
            page, written = write_index(results, out, formats=forms or ("png",), on_figure=drawing.figure)
        print_summary(results, results.overviews, verbose=verbose)
        if results.claim:
            click.echo(results.claim)
        say(f"Report: {page} ({plural(len(written), 'file')})")
    else:
        with DrawingProgress() as drawing:
            written = write_report(
                results,
                out,
                tables=kinds.tables,
                figures=kinds.figures,
                formats=forms or DEFAULT_FORMATS,
                table_forms=table_forms,
                short_captions=caption == "short",
                on_left_out=say_left_out,
                on_figure=drawing.figure,
                on_nothing=say_nothing,
            )
        if kinds.tables is None:
            written += write_achieved(rates, out)
        if kinds.tables:
            print_summary(results, tables_of(results, kinds.tables, lambda _: None), verbose=verbose)
        elif kinds.tables is None:
            print_summary(results, results.overviews, verbose=verbose)
        _say_written(written, out)
    if site is not None:
        click.echo(site)


def _say_written(paths: Sequence[Path], folder: Path) -> None:
    """Print the files that were written: each of a few, of many the first figure, their number and the folder."""
    if len(paths) <= _MOST_LISTED:
        for path in paths:
            click.echo(path)
        return
    images = [path for path in paths if path.suffix in (".png", ".svg", ".pdf")]
    by_rate = [path for path in images if path.stem == "figure-by-rate"]
    for path in [*by_rate, *images][:1]:
        say(f"Figure: {path}")
    figures = len({path.stem for path in images})
    tables = len({path.stem for path in paths if path.stem.startswith("table-")})
    say(f"Wrote {plural(tables, 'table')} and {plural(figures, 'figure')} ({len(paths)} files) into {folder}")


def _given(name: str) -> bool:
    """True if an option was typed, or set by a variable of the environment."""
    return click.get_current_context().get_parameter_source(name) is not click.core.ParameterSource.DEFAULT


def _site(database: str, folder: Path, only: Filter, **shown: Any) -> Path:
    """Write the site and return its first page. shown : the other fields of `Wanted`."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.site.build import write_site
    from mvarena.site.data import Wanted
    from mvarena.store.filters import chosen
    from mvarena.store.readonly import open_to_read

    with open_to_read(database) as db:
        return write_site(db, folder, installed_catalog(), Wanted(where=chosen(db, only), **shown))


class _Asked:
    """The kinds that were named: None for all, () for none, as where only kinds of the other sort were named.

    short : whether no kind and no trial was named: then the page is written.

    trials : those whose spaces are drawn. Raises UnknownName for a kind that there is none of, and InvalidSetting for
    one that shows a trial where none is named, and for a trial that no kind shows.
    """

    def __init__(self, figures: Sequence[str], tables: Sequence[str], trials: Sequence[str]) -> None:
        from mvarena.report.figures.kinds import figure_kinds
        from mvarena.report.tables.kinds import table_kinds

        figure_kinds([name for name in figures if name != _ALL])
        table_kinds([name for name in tables if name != _ALL])
        self.short = not figures and not tables
        self.figures = None if _ALL in figures else tuple(figures)
        self.tables = None if _ALL in tables else tuple(tables)
        self.trials = trials
        of_trial = [name for name in figures if name in _OF_TRIAL]
        if of_trial and not trials:
            raise InvalidSetting(
                f"the figure '{of_trial[0]}' shows one trial; name its key, or the first digits of it, with --trial "
                "('mvarena results list --trials' shows keys).",
                field="trial",
            )
        if trials and not of_trial:
            raise InvalidSetting(
                f"--trial is for the figures {' and '.join(_OF_TRIAL)}; name one of them.", field="figure"
            )

    def show(self, name: str) -> bool:
        """True if a kind of this name is shown."""
        return None in (self.figures, self.tables) or name in (*(self.figures or ()), *(self.tables or ()))


def _formats(names: Sequence[str]) -> tuple[Format, ...]:
    """The formats of figures of these names; none without names."""
    from mvarena.report.files import FORMATS

    for name in names:
        if name not in FORMATS:
            raise unknown_name("format of figures", name, FORMATS, f"There are {', '.join(FORMATS)}.")
    return tuple(item for item in FORMATS if item in names)


def _of_trials(db: Database, keys: Sequence[str], kinds: _Asked) -> dict[str, Any]:
    """Inputs of `ReportData` for figures of survival, and for those that are drawn only when named."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.report.trial_data import drawn_trials, followed_trials, stored_patterns

    result: dict[str, Any] = {"drawn": drawn_trials(db, kinds.trials, installed_catalog())} if kinds.trials else {}
    lacking: list[str] = []
    if kinds.short or kinds.show("survival"):
        result["followed"], lacking = followed_trials(db, keys, installed_catalog())
    if "missing" in (kinds.figures or ()):
        result["patterns"], without = stored_patterns(db, keys, installed_catalog())
        lacking += without
    for sentence in lacking:
        say(f"Not drawn: {sentence}", err=True)
    return result
