"""A process that records trials into a database: `share` the work with others, or `die` in the midst of a record.

python recording_process.py share ADDRESS OWNER FIRST COUNT
python recording_process.py die ADDRESS COUNT
"""

from __future__ import annotations

import os
import signal
import sys

from sqlalchemy import event
from store_examples import example_outcome, example_trial

from mvarena.store.database import open_database
from mvarena.store.trials import finished
from mvarena.store.write_outcomes import record


def share(address: str, owner: str, first: int, count: int) -> None:
    """Record each of `count` trials that nobody else has, from the `first` on; print which were stored.

    After its first it waits for a line of input, so that all who share are at it before anyone goes on.
    """
    with open_database(address) as db:
        for number, trial in enumerate(example_trial((first + i) % count) for i in range(count)):
            if not finished(db, [trial.key]) and record(db, trial, example_outcome(source_hash=owner)):
                print(trial.repeat, flush=True)
            if number == 0:
                sys.stdin.readline()


def die(address: str, count: int) -> None:
    """Record `count` trials, and get killed when all of the next but the commit is done."""
    with open_database(address) as db:
        for repeat in range(count):
            record(db, example_trial(repeat), example_outcome())
        event.listen(db.engine, "commit", lambda _: os.kill(os.getpid(), signal.SIGKILL))
        record(db, example_trial(count), example_outcome())


if __name__ == "__main__":
    if sys.argv[1] == "share":
        share(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    else:
        die(sys.argv[2], int(sys.argv[3]))
