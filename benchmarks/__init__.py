"""Benchmarks: declared cases, each measured in a process of its own, and one table at the end.

    python -m benchmarks --list
    python -m benchmarks --quick                                  # what `make bench` runs
    python -m benchmarks linear-scale --set n=1000 n=10000 method=mic
    python -m benchmarks.speed                                    # the report reports/speed
    python -m benchmarks.page_figures                             # the figures of reports/picking and reports/numbers
    python -m benchmarks peer-own --set data=digits.npz --threads 2 --rounds 3 --json own.json

A case is a function with its grid of parameters (`harness.case`), in one of the modules below. `--set` names values
in place of those of the grid, and any other keyword of the function.
"""

CASE_MODULES = (
    "framework", "sharing", "peer_benchopt", "scale", "peers", "contestants", "reports", "site",
)  # fmt: skip
