"""Workers of a command and their forks, found by the name that they take."""

from __future__ import annotations

from pathlib import Path


def workers_of(command: int) -> set[int]:
    """The workers that this process has started, and their forks, also after its end.

    Processes that have ended count no more, though nobody may have asked for their exit code yet.
    """
    return {one for one in map(int, _numbers()) if _name(one).startswith(f"mva{command}.") and lives(one)}


def lives(process: int) -> bool:
    """Whether it is more than an entry that nobody has asked for yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _numbers() -> list[str]:
    return [path.name for path in Path("/proc").glob("[0-9]*")]


def _name(process: int) -> str:
    """Of a process; empty where it has gone."""
    try:
        return Path(f"/proc/{process}/comm").read_text()
    except OSError:
        return ""
