"""Seconds and memory in words."""

from __future__ import annotations


def shown_duration(seconds: float) -> str:
    """'12 s', '3 min 20 s', '2 h 5 min', '3 d 4 h': two parts at most; below 10 s with one digit after the point."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    for unit, size, smaller, part in (("d", 86400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1)):
        if whole >= size:
            rest = (whole % size) // part
            return f"{whole // size} {unit}" + (f" {rest} {smaller}" if rest else "")
    return f"{whole} s"


def shown_memory(megabytes: float) -> str:
    """'300 MiB' or '1.5 GiB'."""
    return f"{megabytes:.0f} MiB" if megabytes < 1000 else f"{megabytes / 1024:.1f} GiB"
