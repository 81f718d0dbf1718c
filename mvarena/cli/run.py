"""`mvarena run`: algorithms on data sets, into a results database, ending with a table."""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.main import INTERRUPTED_EXIT
from mvarena.cli.options import ManyValues, SectionOption, as_typed
from mvarena.cli.output import echo_json, json_option, print_summary, say
from mvarena.cli.preview import baselines, show_preview
from mvarena.cli.study_options import SEVERAL, blocks_from, how_from, save_typed, study_options
from mvarena.contracts.outcome import RERUNS, STALE, Status, rerun_of
from mvarena.text import listed, plural, without_passwords

if TYPE_CHECKING:
    from mvarena.cli.progress import RunProgress
    from mvarena.running import Preview, RunResult
    from mvarena.study.building import Block

_EXAMPLES = """\b
Examples:
  mvarena run --algo apmc sc-concat --data "digits[fou,fac]" --rates 0.1:0.9:0.2
  mvarena run --algo my_method.py:MyMethod concat --data a.csv,b.csv --labels y.csv
  mvarena run --algo "kernel:*" --data ready --jobs 4 --timeout 10m --dry-run
  mvarena run study.toml --db results.db
"""


@click.command(cls=ManyValues, many=(*SEVERAL, "--rerun"), epilog=_EXAMPLES)
@study_options
@click.option(
    "--rerun",
    multiple=True,
    type=click.Choice(RERUNS),
    metavar="WHAT...",
    cls=SectionOption,
    section="Results",
    brief=f"Run stored trials again: {RERUNS[0]}, {RERUNS[1]}, ..., {RERUNS[-1]}",
    help=f"Run stored trials again: {', '.join(RERUNS[:-1])} (run with code other than the installed one), or "
    f"{RERUNS[-1]} of these. Trials that timed out are run again anyway if --timeout is now longer.",
)
@click.option("--save", type=click.Path(path_type=Path), metavar="FILE", help="Write the command as a study file.")
@click.option("--dry-run", is_flag=True, help="Show trials, time and memory; run nothing.")
@click.option("-q", "--quiet", is_flag=True, help="Print only failures and the final table.")
@click.option("-v", "--verbose", is_flag=True, help="Print all defaults in use, and each trial.")
@json_option
def run(as_json: bool, dry_run: bool, quiet: bool, verbose: bool, save: Path | None, **options: Any) -> None:
    """Run a STUDY, or methods on data sets, and store every outcome.

    STUDY is a file (study.toml) or the name of a shipped one (mvarena list studies); its keys are the long options,
    which override it. Complete data lose samples by missing-even at rate 0.3 unless --corrupt or --rates say otherwise.
    """
    if dry_run:
        show_preview(options, save, as_json=as_json, verbose=verbose)
        return
    from mvarena.system.sklearn_import import import_sklearn

    import_sklearn()  # pandas follows while workers start
    from mvarena.analysis.default_metrics import possible_metrics
    from mvarena.cli.progress import QUIET, USUAL, VERBOSE, RunProgress
    from mvarena.running import run_blocks

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # kill ends a run as Ctrl-C does: nothing is lost
    blocks, text = blocks_from(options)
    how = how_from(options, text)
    with RunProgress(QUIET if quiet else VERBOSE if verbose else USUAL) as progress:

        def planned(ahead: Preview) -> None:
            if save is not None:
                save_typed(save, options)
            progress.planned(ahead, without_passwords(how.db))

        result = run_blocks(
            blocks,
            how,
            rerun=options["rerun"],
            asked=as_typed(options.get("study")),
            on_plan=planned,
            on_progress=progress.advanced,
            on_scoring=progress.scoring,
            shown=None if as_json else how.metrics or possible_metrics(_nmi(blocks)),
        )
    _finish(result, progress, how.db, _nmi(blocks), how.metrics, as_json)


def _nmi(blocks: Sequence[Block]) -> str:
    """The NMI that is shown: the protocol's, where the studies share one."""
    from mvarena.study.protocols import protocol_named

    nmis = {protocol_named(block.study.protocol).nmi for block in blocks}
    return nmis.pop() if len(nmis) == 1 else "nmi"


def _finish(
    result: RunResult,
    progress: RunProgress,
    database: str,
    nmi: str,
    metrics: tuple[str, ...],
    as_json: bool,
) -> None:
    """The final table or JSON, what went wrong, and the exit code."""
    from mvarena.report.data import ReportData, facts_beside
    from mvarena.store.readonly import open_to_read

    trials = result.plan.trials
    if not trials:  # of a small study in many parts
        if as_json:
            echo_json([])
        else:
            say(f"There is nothing to run. Results: {without_passwords(database)}")
        return
    ran, total = progress.ran, len(trials)
    stored = progress.kept.keys() - ran.keys()
    if result.tally.interrupted:
        ended = sum(status is not Status.INTERRUPTED for status in ran.values()) + len(stored)
        message = f"Interrupted: {ended} of {total} trials are stored in {without_passwords(database)}"
        say(f"{message}; run the same command again to continue.", err=True)
        sys.exit(INTERRUPTED_EXIT)
    if as_json:
        echo_json(result.scores)
    else:
        with open_to_read(database) as db:
            facts = facts_beside(db, result.scores)
        results = ReportData.of_scores(result.scores, metrics=metrics, nmi=nmi, **facts)
        print_summary(results)
        say(_closing(len(stored), Counter(ran.values()), total - len(stored) - len(ran), database))
    keys = zip(result.scores["key"], map(Status, result.scores["status"]), strict=True)
    apart = baselines()
    of_methods = [trial for trial in trials if trial.algorithm not in apart] or trials
    known = {**progress.kept, **dict(keys), **ran}  # of trials that labels pick from, scores have one alone
    became = Counter(known[trial.key] for trial in of_methods if trial.key in known)
    for sentence in _what_to_do(result.tally.stale, became):
        say(sentence, err=as_json)
    if Status.DONE not in became or set(became) - {Status.DONE, Status.SKIPPED}:
        sys.exit(1)


def _what_to_do(stale: Mapping[str, int], became: Mapping[Status, int]) -> Iterator[str]:
    """Notes on trials that failed or were run by other code, with the option to use."""
    if set(became) == {Status.SKIPPED}:
        skipped = plural(became[Status.SKIPPED], "trial")
        yield f"Nothing was computed: {skipped} skipped; the table gives the reasons."
    again = [status for status in became if status is not Status.SKIPPED and rerun_of(status)]
    if again:
        counts = listed(f"{became[status]} {status.lower().replace('_', ' ')}" for status in again)
        kinds = " ".join(dict.fromkeys(map(rerun_of, again)))
        them = "it" if sum(became[status] for status in again) == 1 else "them"
        yield f"Of {plural(sum(became.values()), 'trial')} {counts}; --rerun {kinds} runs {them} again."
    for algorithm, count in stale.items():
        verb, them = ("was", "it") if count == 1 else ("were", "them")
        yield (
            f"{plural(count, 'stored trial')} {verb} run with other code of {algorithm}; --rerun {STALE} runs {them} "
            "again."
        )


def _were(count: int) -> str:
    return f"{count} {'was' if count == 1 else 'were'}"


def _closing(already: int, ran: Mapping[Status, int], elsewhere: int, database: str) -> str:
    parts = [f"{count} {status.lower().replace('_', ' ')}" for status, count in sorted(ran.items())]
    text = f"Ran {plural(sum(ran.values()), 'trial')}" + (f" ({', '.join(parts)})" if parts else "")
    if already:
        text += f"; {_were(already)} stored already"
    if elsewhere:
        text += f"; {_were(elsewhere)} stored first by another run"
    return f"{text}. Results: {without_passwords(database)}"
