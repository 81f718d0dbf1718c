"""`mvarena plugins`: what is installed, and what failed to load."""

from __future__ import annotations

import click

from mvarena.cli.output import say
from mvarena.text import plural


@click.command(epilog="Example: mvarena plugins --traceback")
@click.option("--traceback", "tracebacks", is_flag=True, help="Print the whole traceback of each failed plugin.")
def plugins(tracebacks: bool) -> None:
    """Show the installed plugins, what each provides, and which failed to load."""
    from mvarena.registry.catalog import COMPONENTS, installed_catalog
    from mvarena.registry.plugins import installed_plugins

    result = installed_plugins()
    for plugin in result.loaded:
        counts = [(sum(spec.component == kind for spec in plugin.specs), kind) for kind in COMPONENTS]
        provides = ", ".join(plural(count, kind) for count, kind in counts if count)
        say(f"{plugin.distribution} {plugin.version}: {plugin.name}: {provides or 'hooks only'}")
    for failed in result.failed:
        say(f"{failed.distribution} {failed.version}: {failed.name}: FAILED: {failed.reason}")
        if tracebacks:
            say(failed.traceback)
    for sentence in installed_catalog().conflicts():
        say(f"CONFLICT: {sentence}")
    if result.failed and not tracebacks:
        click.echo("Add --traceback to see where each failed.")
