"""CPU seconds (user + system) that the command line needs before it answers: `python benchmarks/start_up.py`.

Each command runs as a fresh process; the best of several runs is given beside the median, because the best is what
the command itself costs and the rest is the machine. The bare interpreter is measured in the same loop.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "mvarena --version": ["-m", "mvarena.cli.main", "--version"],
    "mvarena --help": ["-m", "mvarena.cli.main", "--help"],
    "mvarena list algorithms": ["-m", "mvarena.cli.main", "list", "algorithms"],
    "mvarena run --help": ["-m", "mvarena.cli.main", "run", "--help"],
    "import mvarena": ["-c", "import mvarena"],
}


def cpu_seconds(arguments: list[str]) -> float:
    """User + system seconds of one fresh process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=9, help="runs of each command (default 9)")
    runs = parser.parse_args().runs
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs + 1):
        for name, arguments in COMMANDS.items():
            seconds[name].append(cpu_seconds(arguments))
    print("| command | best CPU s | median CPU s |\n|---|---|---|")
    for name, values in seconds.items():
        warm = values[1:]
        print(f"| {name} | {min(warm):.3f} | {statistics.median(warm):.3f} |")


if __name__ == "__main__":
    main()
