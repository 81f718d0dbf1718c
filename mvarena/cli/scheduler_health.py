"""What `mvarena doctor` says of a Dask scheduler: whether it answers, with which workers, and what these have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mvarena.cli.examination import Finding


def scheduler_health(address: str | None) -> Iterator[Finding]:
    """The findings on the scheduler at `address`, on whose workers nothing is left; None: there is none to look at."""
    from mvarena.cli.examination import Finding
    from mvarena.engine.dask_workers import nodes_of
    from mvarena.errors import MvarenaError

    if address is None:
        return
    try:
        nodes = nodes_of(address)
    except MvarenaError as error:
        yield Finding("scheduler", str(error), "problem")
        return
    threads = sum(node.threads for node in nodes)
    if not nodes:
        yield Finding("scheduler", f"{address} answers, and has no worker: trials would wait for one", "problem")
        return
    yield Finding("scheduler", f"{address} answers: {len(nodes)} workers, {threads} trials at once")
    for node in nodes:
        if node.fault:
            yield Finding("scheduler", f"worker {node.address} {node.fault}", "problem")
