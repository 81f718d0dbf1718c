"""`mvarena cluster`: the clusters of data without classes, as a table of samples and a page."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import mvarena
from mvarena.analysis.cluster_criteria import CRITERIA, DEFAULT_CRITERION
from mvarena.cli.completion import names_for
from mvarena.cli.options import ManyValues
from mvarena.cli.output import echo_json, json_option, say, table_console, table_width
from mvarena.cli.study_options import blocks_from, how_from, study_option
from mvarena.contracts.outcome import Status
from mvarena.contracts.source import Source
from mvarena.errors import Incompatible, InvalidSetting, MvarenaError
from mvarena.study.model import DEFAULT_FILL, DEFAULT_SCALE, Study
from mvarena.text import listed, plural, without_passwords

if TYPE_CHECKING:
    import pandas as pd

    from mvarena.analysis.cluster_numbers import NumberOfClusters
    from mvarena.analysis.clusters import ClusterOutcomes, Clusters
    from mvarena.contracts.trial import Trial
    from mvarena.data import MultiViewData
    from mvarena.running import RunResult
    from mvarena.study.building import Block

DEFAULT_METHODS = ("apmc", "concat", "sc-concat")
DEFAULT_NUMBERS = "2:10"
DATABASE = "clusters.db"
_NO_TEXT = (".xlsx", ".xls", ".ods", ".html", ".db", ".mat", ".npz")
_EXAMPLES = """\b
Examples:
  mvarena cluster rna.csv,methylation.csv,protein.csv
  mvarena cluster my/data.mat --clusters 5 --out labels.csv
  mvarena cluster a.csv,b.csv --clusters 2:15 --algo apmc simvc-sa concat
  mvarena cluster rna.csv,protein.csv --outcomes clinic.csv --time days --event death
  mvarena cluster "digits[fou,fac]" --clusters 10 --jobs 2
"""
_SHARED = (
    "algo", "param", "scale", "fill", "orientation", "header", "decimal", "drop", "impute", "outcomes", "time", "event",
    "restarts", "seed", "jobs", "timeout", "memory", "threads",
)  # fmt: skip


def _with_shared_options(command: Any) -> Any:
    for name in reversed(_SHARED):
        command = study_option(name)(command)
    return command


@click.command(cls=ManyValues, many=("--algo", "--param", "--drop"), epilog=_EXAMPLES)
@click.argument("data", metavar="DATA", nargs=-1, required=True, shell_complete=names_for("data"))
@click.option(
    "--clusters",
    default=DEFAULT_NUMBERS,
    metavar="K",
    show_default=True,
    help="Number of clusters, or a range of numbers to try; one of them is suggested.",
)
@click.option(
    "--suggest-by",
    type=click.Choice(list(CRITERIA)),
    default=DEFAULT_CRITERION,
    show_default=True,
    help="Criterion that suggests one of several numbers of clusters.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("labels.csv"),
    metavar="FILE",
    show_default=True,
    help="File for the table of samples; the page is written beside it, as .html.",
)
@_with_shared_options
@click.option(
    "--db",
    metavar="PATH|URL",
    envvar="MVARENA_DB",
    help=f"Results database.  [default: {DATABASE}, beside the table of samples]",
)
@json_option
def cluster(data: tuple[str, ...], clusters: str, suggest_by: str, out: Path, as_json: bool, **options: Any) -> None:
    """Cluster the samples of DATA, which need no classes, and write each sample's cluster.

    DATA is a file, one file per view ("a.csv,b.csv"; a first column of sample ids joins them, and a sample may be
    missing in some), or a data set. Several methods run, by default apmc, concat and sc-concat; each sample goes where
    most of them put it. The table has, for each sample, its id, cluster, silhouette, and agreement: the share of the
    methods' restarts that put it there. Classes that the data may have are not looked at. Where outcomes are known
    (--outcomes), the page compares the clusters by them: survival curves, and columns that differ.

    Of several numbers of clusters, the one of highest modularity on the neighbours in all views is suggested and
    written, or of another criterion (--suggest-by). Results are stored as by `mvarena run`, in a database beside the
    table, and are not computed again.
    """
    from rich.console import Console

    from mvarena.analysis.cluster_numbers import number_of_clusters
    from mvarena.analysis.clusters import telling_features
    from mvarena.cli.progress import QUIET, USUAL, RunProgress
    from mvarena.report.cluster_page import cluster_page, number_sentence, outcome_sentences, plane_of
    from mvarena.report.files import write_file
    from mvarena.running import run_blocks
    from mvarena.system.sklearn_import import import_sklearn

    if len(data) > 1:
        raise click.UsageError(f"one data set at a time; join the files of its views by commas: {','.join(data)}")
    if out.suffix.lower() in _NO_TEXT:
        raise click.UsageError(
            f"the table is text, which {out.suffix} files do not hold: --out {out.with_suffix('.csv')}"
        )
    import_sklearn()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options["db"] = options["db"] or str(out.with_name(DATABASE))
    blocks, how = study_of(data[0], clusters, options)
    _require_no_data_at((out, out.with_suffix(".html")), blocks[0].study)
    how = replace(how, keep_restarts=True)  # every restart has a vote
    with _folder_for(out), _data_is_an_argument(), RunProgress(QUIET if as_json else USUAL) as progress:
        result = run_blocks(
            blocks, how, on_plan=progress.planned, on_progress=progress.advanced, shown=(), score_outcomes=False
        )
    if result.tally.interrupted:
        raise KeyboardInterrupt
    source = result.plan.trials[0].source
    with Console(stderr=True).status("comparing the clusters"):
        whole, features = _read(source)
        ids = list(whole.ids or map(str, range(1, whole.n_samples + 1)))
        scaled, filled = scaled_data(whole, blocks[0].study)
        results = combined_clusters(result, how.db, scaled)
        chosen = number_of_clusters(results, scaled, suggest_by)
        k = chosen.suggested
        outcomes = _outcomes(result.plan.trials[0], results[k])
        table = samples_table(results[k], ids)
        telling = telling_features(whole, results[k].labels, features)
        page = out.with_suffix(".html")
        write_file(out, table.to_csv(index=False, float_format="%.4f"))
        write_file(page, cluster_page(source.name, plane_of(filled), whole, results[k], chosen, telling, ids, outcomes))
    if as_json:
        echo_json(table, digits=6)
    else:
        _print_clusters(source.name, results[k], chosen)
        if len(results) > 1:
            say(number_sentence(chosen))
        if outcomes is not None:
            for sentence in outcome_sentences(outcomes):
                say(sentence)
        say(f"Samples: {out}")
        say(f"Page: {page}")
    _end_for_failures(result, results, how.db)


def _end_for_failures(result: RunResult, results: Mapping[int, Clusters], database: str) -> None:
    """Say which numbers of clusters are not compared; end with 1 where a trial failed."""
    for number in sorted({int(trial.params["n_clusters"]) for trial in result.plan.trials} - set(results)):
        say(f"No method gave {plural(number, 'cluster')}; it is not compared.", err=True)
    if set(result.scores["status"]) - {Status.DONE, Status.SKIPPED}:
        where = without_passwords(database)
        say(f"Some trials failed: see mvarena results list --failures --db {where}", err=True)
        sys.exit(1)


def _require_no_data_at(targets: Sequence[Path], study: Study) -> None:
    """Raise UsageError where what is written would replace a file of the data or of their outcomes."""
    for source in study.datasets:
        if isinstance(source, Source):
            outcomes = () if source.outcomes is None else (Path(source.outcomes.path),)
            for target in targets:
                if any(path.exists() and target.exists() and target.samefile(path) for path in source.files + outcomes):
                    raise click.UsageError(f"{target} is a file of the data; name another file with --out.")


@contextmanager
def _folder_for(table: Path) -> Iterator[None]:
    """Make the folder of the table; remove it again if nothing comes to lie in it.

    Raises InvalidSetting where it cannot be made.
    """
    made = [folder for folder in (table.parent, *table.parent.parents) if not folder.exists()]
    try:
        table.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidSetting(
            f"the folder {table.parent} cannot be made ({error.strerror or error}); name another one.", field="out"
        ) from error
    try:
        yield
    finally:
        with suppress(OSError):  # they are not empty
            for folder in made:
                folder.rmdir()


@contextmanager
def _data_is_an_argument() -> Iterator[None]:
    """Name no option where the data are wrong: here they are an argument."""
    try:
        yield
    except MvarenaError as error:
        if error.field == "datasets":
            error.field = None
        raise


def study_of(data: str, numbers: str, options: dict[str, Any]) -> tuple[list[Block], Any]:
    """The study of some numbers of clusters, "5" or "2:10", and how to run it.

    Raises UsageError for several scalings or fillings, BadParameter for fewer than two clusters.
    """
    for name in ("scale", "fill"):
        if len(options.get(name) or ()) > 1:
            raise click.UsageError(f"Give one value of --{name}: one table of samples is written.")
    shared = options | {
        "algorithms": options.get("algorithms") or DEFAULT_METHODS,
        "datasets": (data,), "corruptions": ("none",), "repeats": 1, "controls": False, "n_clusters": numbers,
    }  # fmt: skip
    blocks, said = blocks_from(shared)
    if min(blocks[0].study.n_clusters or (2,)) < 2:
        raise click.BadParameter(f"'{numbers}': give numbers from 2.", param_hint="--clusters")
    return blocks, how_from(shared, said)


def _read(source: Source) -> tuple[MultiViewData, list[Any] | None]:
    """The data as read, and the names of their features."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.file_source import FileSource
    from mvarena.study.sources import load_source

    catalog = installed_catalog()
    whole = load_source(source, catalog)
    if not source.paths:
        return whole, None
    read = FileSource(source, catalog).understand()
    if read.features is None:
        return whole, None
    named = dict(zip(read.data.view_names, read.features, strict=True))
    return whole, [named[view.name] for view in whole.views]


def scaled_data(whole: MultiViewData, study: Study) -> tuple[MultiViewData, MultiViewData]:
    """The data as the methods get them, and with missing samples filled in; as they are where no view has features."""
    (scale,), (fill,) = study.scale or DEFAULT_SCALE, study.fill or (DEFAULT_FILL,)
    try:
        return mvarena.prepare(whole, scale), mvarena.prepare(whole, scale, f"fill-{fill}")
    except Incompatible:
        return whole, whole


def combined_clusters(result: RunResult, database: str, scaled: MultiViewData) -> dict[int, Clusters]:
    """Number -> the clusters that the methods' restarts vote for. Raises MvarenaError where no trial has labels."""
    from mvarena.analysis.clusters import combined
    from mvarena.store.read_outcomes import labellings
    from mvarena.store.readonly import open_to_read

    runs: dict[int, dict[str, Any]] = {}
    varied = _varied(result.plan.trials)
    with open_to_read(database) as db:
        for trial in result.plan.trials:
            found = labellings(db, trial.key)
            if found:
                runs.setdefault(int(trial.params["n_clusters"]), {})[_method(trial, varied)] = found
    if not runs:
        reasons = sorted(set(result.scores["reason"].dropna())) or [
            f"see mvarena results list --failures --db {without_passwords(database)}"
        ]
        raise MvarenaError(f"No method gave clusters: {listed(reasons)}.")
    return {number: combined(of_methods, scaled) for number, of_methods in sorted(runs.items())}


def _varied(trials: Sequence[Trial]) -> dict[str, list[str]]:
    """Algorithm -> its parameters, but for the number of clusters, that have several values."""
    values: dict[str, dict[str, set[str]]] = {}
    for trial in trials:
        for name, value in trial.params.items():
            values.setdefault(trial.algorithm, {}).setdefault(name, set()).add(str(value))
    return {
        algorithm: [name for name, several in params.items() if len(several) > 1 and name != "n_clusters"]
        for algorithm, params in values.items()
    }


def _method(trial: Trial, varied: Mapping[str, list[str]]) -> str:
    """'mic', or 'mic (beta=1)' where it runs with several values."""
    params = ", ".join(f"{name}={trial.params[name]}" for name in varied.get(trial.algorithm, ()))
    return f"{trial.algorithm} ({params})" if params else trial.algorithm


def _outcomes(trial: Trial, clusters: Clusters) -> ClusterOutcomes | None:
    """Comparison of the clusters by outcomes of their samples; None where the data have none."""
    from mvarena.analysis.clusters import cluster_outcomes
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.outcomes import outcomes_of

    table = outcomes_of(trial.source, trial.content, installed_catalog())
    return None if table is None else cluster_outcomes(clusters.labels, table)


def samples_table(clusters: Clusters, ids: list[str]) -> pd.DataFrame:
    """A row per sample: id, cluster (from 1), silhouette, agreement, and the cluster by each method if several ran."""
    import pandas as pd

    columns = {
        "id": ids,
        "cluster": clusters.labels + 1,
        "silhouette": clusters.silhouettes,
        "agreement": clusters.agreement,
    }
    if len(clusters.by_method) > 1:
        columns |= {method: labels + 1 for method, labels in clusters.by_method.items()}
    return pd.DataFrame(columns)


def _print_clusters(name: str, clusters: Clusters, chosen: NumberOfClusters) -> None:
    """Print the curve over the number of clusters, and the clusters with their sizes."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    console = table_console(table_width())
    looks: dict[str, Any] = {"box": SIMPLE_HEAD, "show_edge": False, "pad_edge": False, "title_justify": "left"}
    if len(chosen.curve) > 1:
        curve = Table(title=f"{name}: number of clusters", **looks)
        for head in ("K", "modularity", "silhouette", "agreement", "best in resamples"):
            curve.add_column(head, justify="right")
        for row in chosen.curve.to_dict("records"):
            values = (row[name] for name in ("modularity", "silhouette", "agreement"))
            curve.add_row(str(row["k"]), *(f"{value:.3f}" for value in values), f"{100 * row['share']:.0f} %")
        console.print(curve)
        click.echo()
    shown = Table(title=f"{name}: {plural(clusters.n_clusters, 'cluster')}", **looks)
    for head in ("cluster", "samples", "silhouette", "agreement"):
        shown.add_column(head, justify="right")
    for index, size in enumerate(clusters.sizes):
        own = clusters.labels == index
        shown.add_row(
            str(index + 1),
            str(size),
            f"{clusters.silhouettes[own].mean():.3f}",
            f"{clusters.agreement[own].mean():.3f}",
        )
    console.print(shown)
    click.echo()
    say(f"Methods: {listed(clusters.by_method)}.")
