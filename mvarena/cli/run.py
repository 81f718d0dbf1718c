"""`mvarena run`: algorithms on data sets, into a results database, ending with a table."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import ManyValues, database_option, json_option, names_option, split_names

if TYPE_CHECKING:
    from mvarena.arena import RunResult
    from mvarena.study.model import Study

_EXAMPLES = """\b
Examples:
  mvarena run --algo apmc --data digits
  mvarena run --algo apmc sc-concat --data "digits[fou,fac]" --rates 0.1:0.9:0.2
  mvarena run --algo concat --data my/data.mat
  mvarena run --algo concat --data a.csv,b.csv --labels y.csv
  mvarena run --algo apmc --data 3sources --param apmc.n_neighbors=7 apmc.n_neighbors=10 --prepare unit-rows
"""


@click.command(cls=ManyValues, many=("--algo", "--data", "--param", "--corrupt"), epilog=_EXAMPLES)
@names_option("--algo", "algorithms", "Algorithms, one or more (mvarena list algorithms).", required=True)
@names_option(
    "--data",
    "datasets",
    'Data sets or files; "digits[fou,fac]" picks views; a.csv,b.csv is one file per view.',
    required=True,
)
@names_option("--corrupt", "corruptions", "Corruptions, NAME or NAME:RATE; 'none' for the data as they are.")
@click.option("--orientation", type=click.Choice(["rows", "columns"]), help="What the samples are in your own files.")
@click.option("--labels", metavar="FILE", help="A .csv file with the labels of your own .csv files.")
@click.option("--rates", metavar="RATES", help="Rates, as 0.1,0.3 or as start:stop:step, 0.1:0.9:0.2.")
@click.option("--trials", type=int, metavar="N", help="Trials (masks) per point; by default the protocol's.")
@click.option("--restarts", type=int, metavar="N", help="k-means restarts per trial; by default the protocol's.")
@click.option("--clusters", type=int, metavar="K", help="How many clusters; by default the number of classes.")
@click.option("--param", "params", multiple=True, metavar="ALGO.NAME=VALUE...", help="Parameters; twice makes a grid.")
@click.option("--prepare", metavar="NAME,...", help="Transforms in place of each algorithm's own; 'none' for none.")
@click.option("--protocol", default="fair", show_default=True, metavar="NAME", help="See mvarena list protocols.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Changes every random choice.")
@click.option(
    "--jobs",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="Worker processes, which share the cores; OMP_NUM_THREADS bounds the threads of each.",
)
@click.option("--timeout", metavar="TIME", help="How long a trial may take, as 90s, 10m or 2h; by default no limit.")
@click.option("--retry-failed", is_flag=True, help="Run again what failed, crashed or timed out before.")
@database_option("Where results are kept; what it holds already is not run again.")
@json_option
def run(as_json: bool, **options: Any) -> None:
    """Run ALGORITHMS on DATA SETS in repeated trials and store every outcome.

    Complete data lose samples by missing-even at rate 0.3 unless --corrupt or --rates say otherwise; data that
    miss samples by nature are taken as they are. Interrupted runs go on where they stopped.
    """
    from mvarena.arena import run_study
    from mvarena.cli.progress import ProgressBar
    from mvarena.study.values import parse_duration

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # kill ends a run as Ctrl-C does: nothing is lost
    timeout_s = parse_duration(options["timeout"]) if options["timeout"] else None
    study = _study(options)
    with ProgressBar() as bar:
        result = run_study(
            study,
            db=options["database"],
            jobs=options["jobs"],
            timeout_s=timeout_s,
            retry_failed=options["retry_failed"],
            on_plan=bar.planned,
            on_progress=bar.advanced,
        )
    _finish(result, options["database"], options["protocol"], as_json)


def _study(options: dict[str, Any]) -> Study:
    from mvarena.study.model import Study
    from mvarena.study.sources import with_file_options
    from mvarena.study.values import parse_params, parse_rates

    prepare = options["prepare"]
    if prepare is not None:
        prepare = tuple(name for name in split_names((prepare,)) if name != "none")
    return Study(
        algorithms=split_names(options["algorithms"]),
        datasets=tuple(
            with_file_options(name, options["orientation"], options["labels"]) for name in options["datasets"]
        ),
        corruptions=split_names(options["corruptions"]) or None,
        rates=parse_rates(options["rates"]) if options["rates"] else None,
        trials=options["trials"],
        restarts=options["restarts"],
        params=parse_params(options["params"]),
        prepare=prepare,
        n_clusters=options["clusters"],
        protocol=options["protocol"],
        seed=options["seed"],
    )


def _finish(result: RunResult, database: str, protocol: str, as_json: bool) -> None:
    """The final table or JSON, what went wrong, and the exit code."""
    from mvarena.cli.main import INTERRUPTED_EXIT
    from mvarena.cli.tables import default_metrics, print_json, print_summary
    from mvarena.study.outcome import Status
    from mvarena.study.protocol import protocol_named

    report = result.report
    if report.interrupted:
        ended = report.already + report.elsewhere + sum(report.ran.values()) - report.ran.get(Status.INTERRUPTED, 0)
        message = f"Interrupted: {ended} of {len(result.plan.trials)} trials are stored in {database}"
        click.echo(f"{message}; run the same command again to go on.", err=True)
        sys.exit(INTERRUPTED_EXIT)
    if as_json:
        print_json(result.scores)
    else:
        print_summary(result.scores, default_metrics(result.scores, protocol_named(protocol).nmi))
        click.echo(_closing(report.already, report.ran, report.elsewhere, database))
    if set(result.scores["status"]) - {Status.DONE, Status.SKIPPED}:
        sys.exit(1)


def _closing(already: int, ran: dict[Any, int], elsewhere: int, database: str) -> str:
    parts = [f"{count} {status.lower().replace('_', ' ')}" for status, count in sorted(ran.items())]
    text = f"Ran {sum(ran.values())} trials" + (f" ({', '.join(parts)})" if parts else "")
    if already:
        text += f"; {already} were stored already"
    if elsewhere:
        text += f"; {elsewhere} were run by another process"
    return f"{text}. Results: {database}"
