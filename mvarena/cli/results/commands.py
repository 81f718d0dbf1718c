"""`mvarena results`: what a results database holds, and what is to be done with it."""

from __future__ import annotations

import click

from mvarena.cli.lazy import LazyGroup

_COMMANDS = {
    "list": "mvarena.cli.results.listing:list_results",
    "show": "mvarena.cli.results.show:show_trial",
    "runs": "mvarena.cli.results.listing:list_runs",
    "delete": "mvarena.cli.results.edit:delete",
    "merge": "mvarena.cli.results.edit:merge_results",
    "vacuum": "mvarena.cli.results.edit:vacuum_results",
    "check": "mvarena.cli.results.edit:check_results",
    "submit": "mvarena.cli.results.submissions:submit",
    "verify": "mvarena.cli.results.submissions:verify",
}
_EXAMPLES = """\b
Examples:
  mvarena results list --db results.db
  mvarena results list --trials --algo apmc --data "digits*" --rate 0.3
  mvarena results show 158d1ed3
  mvarena results show 158d1ed3 --labels --out labels.csv
  mvarena results runs
  mvarena results list --failures
  mvarena results delete --algo "mkkm-*" --status timeout
  mvarena results merge other.db --db results.db
"""


@click.group(cls=LazyGroup, targets=_COMMANDS, epilog=_EXAMPLES)
def results() -> None:
    """List, show, delete, merge, check and submit what a results database holds.

    Trials are selected by the filters of report, export, score and pick: --algo, --family, --data, --param, --rate,
    --corrupt, --scale, --protocol and --status, with * and ? in names.
    """
