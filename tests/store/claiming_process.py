"""A process that claims a trial, says whether it got it, and waits: python claiming_process.py ADDRESS KEY LEASE_S."""

from __future__ import annotations

import sys

from mvarena.store import claims, open_database


def main(address: str, key: str, lease_s: str) -> None:
    claims.process_space = lambda: "another machine"  # so that nobody asks whether its process lives
    with open_database(address) as db:
        found = claims.claim_some(db, [key], "the process", 1, float(lease_s))
        print("claimed" if found.taken else "nothing", flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main(*sys.argv[1:])
