"""`mvarena`: the group of commands, and how an error becomes one sentence and an exit code."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from io import StringIO
from typing import Any

import click

from mvarena import __version__
from mvarena.cli.completion import COMPLETE_VARIABLE, complete_many
from mvarena.cli.lazy import LazyGroup, put_off_imports
from mvarena.cli.options import note_typed
from mvarena.cli.output import say
from mvarena.errors import MvarenaError
from mvarena.text import visible, without_passwords

# heading of the help -> name -> where the command is, and what it does in a few words
_SECTIONS = {
    "Run": {
        "run": ("mvarena.cli.run:run", "Run methods on data sets, or a study file"),
        "cluster": ("mvarena.cli.cluster:cluster", "Cluster data without classes: from a file to labels"),
        "arena": ("mvarena.cli.arena:arena", "Enter a method into the arena; its releases and board"),
        "reproduce": ("mvarena.cli.reproduce:reproduce", "Reproduce tables and figures of papers"),
    },
    "Look at results": {
        "report": ("mvarena.cli.report:report", "Write tables, figures or a site"),
        "compare": ("mvarena.cli.compare:compare", "Compare two methods, versions or databases"),
        "pick": ("mvarena.cli.pick:pick", "Choose among stored results without labels"),
        "score": ("mvarena.cli.score:score", "Compute metrics of stored labels"),
        "export": ("mvarena.cli.export:export", "Write stored scores to a file"),
        "cite": ("mvarena.cli.cite:cite", "Print BibTeX of methods, data and tools"),
    },
    "Manage results and data": {
        "results": ("mvarena.cli.results.commands:results", "List, show, delete, merge and check results"),
        "data": ("mvarena.cli.data:data", "List, fetch, import and inspect data sets"),
    },
    "Learn and extend": {
        "list": ("mvarena.cli.listing:listing", "List methods, data sets, metrics and so on"),
        "show": ("mvarena.cli.show:show", "Show a method, data set, metric or protocol"),
        "plugin": ("mvarena.cli.plugin:plugin", "List plugins, check one, or begin a new one"),
        "doctor": ("mvarena.cli.doctor:doctor", "Check the environment, data and plugins"),
    },
}
_COMMANDS = {name: where for commands in _SECTIONS.values() for name, (where, _) in commands.items()}
REFUSED_EXIT = 2  # click's own for wrong use
INTERRUPTED_EXIT = 130
_COLLECTION = (400_000, 20, 100)


class _Commands(LazyGroup):
    """The commands of mvarena, and those of plugins, which are imported only when none of ours matches."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        self._load_plugin_commands()
        return super().list_commands(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections = {
            heading: [(name, text) for name, (_, text) in commands.items()] for heading, commands in _SECTIONS.items()
        }
        sections["Commands of plugins"] = self.summaries(
            ctx, [n for n in self.list_commands(ctx) if n not in _COMMANDS]
        )
        for heading, summaries in sections.items():
            if summaries:
                with formatter.section(heading):
                    formatter.write_dl(summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.targets:
            self._load_plugin_commands()
        if cmd_name == "run" and "numpy" not in sys.modules:
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # workers are then forked from this process
        return super().get_command(ctx, cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        note_typed(ctx, args)
        return super().parse_args(ctx, args)

    def _load_plugin_commands(self) -> None:
        from mvarena.registry.plugins import call_hooks, installed_plugins

        if not getattr(self, "_plugins_asked", False):
            self._plugins_asked = True
            for sentence in call_hooks(installed_plugins().manager, "mvarena_commands", cli=self):
                say(f"Warning: {visible(sentence)}", err=True)


@click.group(cls=_Commands, targets=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mvarena")
def cli() -> None:
    """Compare multi-view clustering methods under the same conditions.

    \b
    Examples:
      mvarena run --algo apmc --data digits
      mvarena run --algo apmc sc-concat --data "digits[fou,fac]" --rates 0.1:0.9:0.2
      mvarena run quick
      mvarena report --out my-report
    """


def main(args: list[str] | None = None) -> Any:
    """Run the command line; an error that mvarena raises on purpose is printed as one sentence.

    Exit codes: 0; 1 where some trial failed, a check found something, or the reader of the output (head) has gone; 2
    where a command cannot be carried out.
    """
    put_off_imports()
    _collect_seldom()
    try:
        if COMPLETE_VARIABLE in os.environ:
            complete_many()
        return cli.main(args=args, standalone_mode=False)
    except click.ClickException as error:
        shown = StringIO()
        error.show(shown)
        say(without_passwords(shown.getvalue()), err=True, nl=False)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        say("Interrupted.", err=True)
        sys.exit(INTERRUPTED_EXIT)
    except MvarenaError as error:
        from mvarena.cli.study_options import flag_of

        text, flag = without_passwords(str(error)), flag_of(error.field)
        say(f"Error: {text.removesuffix('.')}{flag}." if flag else f"Error: {text}", err=True)
        sys.exit(REFUSED_EXIT)


def _collect_seldom() -> None:
    """Look for garbage after every 400,000 objects, and not when the process ends.

    A short command makes fewer, all of which it keeps: after every 700 that is an eighth of its time. Looking through
    what it has imported once more at its end, which frees nothing, is another.
    """
    if gc.get_threshold()[0]:  # 0: somebody has turned it off
        gc.set_threshold(*_COLLECTION)
    atexit.register(gc.freeze)
