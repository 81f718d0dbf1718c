"""The worker process: receives trials, executes them, sends outcomes back, until the pipe closes.

Started as `python -m mvarena.engine.worker FD`, so the caller's `__main__` is never imported again and a plain
script may call `mvarena.run`. Its standard error goes to a file that the parent reads after a crash.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
import time
from multiprocessing.connection import Connection

_ORPHAN_POLL_S = 1.0


def _exit_when_orphaned(parent: int) -> None:
    """A parent that was killed cannot stop its workers: each watches for it."""
    while os.getppid() == parent:
        time.sleep(_ORPHAN_POLL_S)
    os._exit(1)


def serve(pipe: Connection) -> None:
    """Execute what comes through `pipe` until it closes."""
    from mvarena.engine.execute import execute

    pipe.send("ready")
    while True:
        try:
            trial = pipe.recv()
        except EOFError:
            return
        pipe.send(execute(trial))


def main() -> None:
    """Entry point of the child."""
    faulthandler.enable()
    threading.Thread(target=_exit_when_orphaned, args=(os.getppid(),), daemon=True).start()
    serve(Connection(int(sys.argv[1])))


if __name__ == "__main__":
    main()
