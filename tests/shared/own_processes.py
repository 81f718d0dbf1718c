"""Workers of a command and their forks, found by the name that they take."""

from __future__ import annotations

from pathlib import Path

_ENDING = 4  # PF_EXITING, among the flags of proc(5)


def workers_of(command: int) -> set[int]:
    """The workers that this process has started, and their forks, also after its end.

    Processes that have ended count no more, though the system may not have taken them away, or nobody have asked for
    their exit code yet.
    """
    return {one for one in map(int, _numbers()) if _name(one).startswith(f"mva{command}.") and lives(one)}


def lives(process: int) -> bool:
    """Whether it is more than an entry that nobody has asked for yet, or one that the system takes away."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] != "Z" and not int(fields[6]) & _ENDING


def _numbers() -> list[str]:
    return [path.name for path in Path("/proc").glob("[0-9]*")]


def _name(process: int) -> str:
    """Of a process; empty where it has gone."""
    try:
        return Path(f"/proc/{process}/comm").read_text()
    except OSError:
        return ""
