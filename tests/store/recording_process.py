"""A process that records trials into a database: `share` the work with others, or `die` in the midst of a record.

python recording_process.py share ADDRESS OWNER FIRST COUNT
python recording_process.py batches ADDRESS OWNER FIRST COUNT
python recording_process.py die ADDRESS COUNT
"""

from __future__ import annotations

import os
import signal
import sys
import time

from sqlalchemy import event
from store_examples import claim, example_outcome, example_trial

from mvarena.store import claim_some, finished, open_database, record, register


def share(address: str, owner: str, first: int, count: int) -> None:
    """Record every one of `count` trials that nobody else does, from the `first` on; print which.

    After its first it waits for a line of input, so that all who share are at it before anyone goes on.
    """
    waiting = [example_trial((first + i) % count) for i in range(count)]
    recorded = 0
    with open_database(address) as db:
        register(db, waiting)
        while waiting:
            for trial in waiting:
                if claim(db, trial.key, owner) and record(db, trial, example_outcome(source_hash=owner)):
                    print(trial.repeat, flush=True)
                    recorded += 1
                    if recorded == 1:
                        sys.stdin.readline()
            done = finished(db, [trial.key for trial in waiting])
            waiting = [trial for trial in waiting if trial.key not in done]
            time.sleep(0.01)


def batches(address: str, owner: str, first: int, count: int) -> None:
    """The same in batches of ten from the `first` on, as a conductor takes them, once a line of input has come."""
    trials = {(trial := example_trial((first + i) % count)).key: trial for i in range(count)}
    with open_database(address) as db:
        print("ready", flush=True)
        sys.stdin.readline()
        while trials:
            found = claim_some(db, list(trials)[:200], owner, 10)
            for key in found.taken:
                if record(db, trials[key], example_outcome(source_hash=owner)):
                    print(trials[key].repeat)
            for key in found.finished.union(found.taken):
                del trials[key]
            if not found.taken:  # what others have comes later
                time.sleep(0.01)
                trials |= {key: trials.pop(key) for key in list(trials)[:200]}


def die(address: str, count: int) -> None:
    """Record `count` trials, claim the next one, and get killed when all but the commit is done."""
    with open_database(address) as db:
        for repeat in range(count):
            record(db, example_trial(repeat), example_outcome())
        register(db, [example_trial(count)])
        claim(db, example_trial(count).key, "the dead")
        event.listen(db.engine, "commit", lambda _: os.kill(os.getpid(), signal.SIGKILL))
        record(db, example_trial(count), example_outcome())


if __name__ == "__main__":
    if sys.argv[1] in ("share", "batches"):
        work = share if sys.argv[1] == "share" else batches
        work(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    else:
        die(sys.argv[2], int(sys.argv[3]))
