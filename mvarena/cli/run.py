"""`mvarena run`: algorithms on data sets, into a results database, ending with a table."""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import ManyValues, database_option, json_option, names_option, split_names
from mvarena.cli.study_options import SEVERAL, study_from, study_options
from mvarena.engine.rerun import RERUNS

if TYPE_CHECKING:
    from mvarena.arena import RunResult
    from mvarena.contracts.outcome import Status

_EXAMPLES = """\b
Examples:
  mvarena run --algo apmc --data digits
  mvarena run --algo apmc sc-concat --data "digits[fou,fac]" --rates 0.1:0.9:0.2
  mvarena run --algo concat --data my/data.mat
  mvarena run --algo concat --data a.csv,b.csv --labels y.csv
  mvarena run --algo apmc --data 3sources --param apmc.n_neighbors=7,10 --prepare unit-rows
  mvarena run --algo my_method.py:MyMethod concat --data digits
  mvarena run --algo all --data digits --scheduler tcp://head-node:8786 --timeout 1h
"""


@click.command(cls=ManyValues, many=(*SEVERAL, "--rerun", "--metric"), epilog=_EXAMPLES)
@study_options
@click.option("--orientation", type=click.Choice(["rows", "columns"]), help="What the samples are in your own files.")
@click.option("--labels", metavar="FILE", help="A .csv file with the labels of your own .csv files.")
@click.option(
    "--jobs",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="Worker processes, which share the cores; OMP_NUM_THREADS bounds the threads of each.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="What runs the trials: worker processes of this machine, or Dask with as many workers here.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Run on the workers of a Dask scheduler, as tcp://host:8786.")
@click.option("--timeout", metavar="TIME", help="How long a trial may take, as 90s, 10m or 2h; by default no limit.")
@click.option(
    "--rerun",
    multiple=True,
    type=click.Choice(RERUNS),
    metavar="WHAT...",
    help=f"Run again what is stored as {', '.join(RERUNS[:-1])} (done by other code than is here), or {RERUNS[-1]} of "
    "these; a time-out is, where --timeout allows more now.",
)
@names_option(
    "--metric", "metrics", "Metrics to show; internal ones, as silhouette-views, are computed when asked for."
)
@database_option("Where results are kept; what it holds already is not run again.")
@json_option
def run(as_json: bool, **options: Any) -> None:
    """Run ALGORITHMS on DATA SETS and store every outcome.

    Complete data lose samples by missing-even at rate 0.3 unless --corrupt or --rates say otherwise; data that
    miss samples by nature are taken as they are. Interrupted runs go on where they stopped.
    """
    from mvarena.arena import run_study
    from mvarena.cli.progress import ProgressBar
    from mvarena.study.values import parse_duration

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # kill ends a run as Ctrl-C does: nothing is lost
    timeout_s = parse_duration(options["timeout"]) if options["timeout"] else None
    metrics = split_names(options["metrics"])
    study = study_from(options)
    with ProgressBar() as bar:
        result = run_study(
            study,
            db=options["database"],
            jobs=options["jobs"],
            timeout_s=timeout_s,
            engine=options["engine"],
            scheduler=options["scheduler"],
            rerun=options["rerun"],
            metrics=metrics,
            on_plan=bar.planned,
            on_progress=bar.advanced,
        )
    _finish(result, options["database"], options["protocol"], metrics, as_json)


def _finish(result: RunResult, database: str, protocol: str, metrics: tuple[str, ...], as_json: bool) -> None:
    """The final table or JSON, what went wrong, and the exit code."""
    from mvarena.cli.main import INTERRUPTED_EXIT
    from mvarena.cli.tables import default_metrics, print_json, print_summary, results_of
    from mvarena.contracts.outcome import Status
    from mvarena.study.protocols import protocol_named

    tally = result.tally
    if tally.interrupted:
        ended = tally.already + tally.elsewhere + sum(tally.ran.values()) - tally.ran.get(Status.INTERRUPTED, 0)
        message = f"Interrupted: {ended} of {len(result.plan.trials)} trials are stored in {database}"
        click.echo(f"{message}; run the same command again to go on.", err=True)
        sys.exit(INTERRUPTED_EXIT)
    if as_json:
        print_json(result.scores)
    else:
        shown = metrics or default_metrics(result.scores, protocol_named(protocol).nmi)
        print_summary(results_of(result.scores, shown))
        click.echo(_closing(tally.already, tally.ran, tally.elsewhere, database))
    became = dict(zip(result.scores["key"], result.scores["status"], strict=True))
    for sentence in _what_to_do(tally.stale, Counter(map(Status, became.values()))):
        click.echo(sentence, err=as_json)
    statuses = set(became.values())
    if Status.DONE not in statuses or statuses - {Status.DONE, Status.SKIPPED}:
        sys.exit(1)


def _what_to_do(stale: Mapping[str, int], became: Mapping[Status, int]) -> Iterator[str]:
    """What a user must know of trials that did not end well, or were run by other code, and the option to use."""
    from mvarena.contracts.outcome import Status
    from mvarena.engine.rerun import STALE, rerun_of
    from mvarena.report.wording import listed

    if set(became) == {Status.SKIPPED}:
        yield f"Nothing was computed: {_trials(became[Status.SKIPPED])} skipped, for the reasons that the table gives."
    again = [status for status in became if status is not Status.SKIPPED and rerun_of(status)]
    if again:
        counts = listed(f"{became[status]} {status.lower().replace('_', ' ')}" for status in again)
        kinds = " ".join(dict.fromkeys(map(rerun_of, again)))
        yield f"Of the {_trials(sum(became.values()))} {counts}; --rerun {kinds} runs them again."
    for algorithm, count in stale.items():
        verb, them = ("was", "it") if count == 1 else ("were", "them")
        yield (
            f"{count} stored {'trial' if count == 1 else 'trials'} {verb} run by other code of {algorithm}; "
            f"--rerun {STALE} runs {them} again."
        )


def _trials(count: int) -> str:
    return "1 trial" if count == 1 else f"{count} trials"


def _closing(already: int, ran: dict[Any, int], elsewhere: int, database: str) -> str:
    parts = [f"{count} {status.lower().replace('_', ' ')}" for status, count in sorted(ran.items())]
    text = f"Ran {sum(ran.values())} trials" + (f" ({', '.join(parts)})" if parts else "")
    if already:
        text += f"; {already} were stored already"
    if elsewhere:
        text += f"; {elsewhere} were run by another process"
    return f"{text}. Results: {database}"
