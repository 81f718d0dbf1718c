"""More than anybody wants: output and memory."""

from __future__ import annotations

import mmap
import os
import sys
import time
from typing import Any

import numpy as np

from mvarena_toys.deeds import deed, note


@deed("DONE")
def prints_20_megabytes(_: Any) -> None:
    print("\x1b]0;title\x07\x1b[2J\x00\ud800")
    line = "x" * 999 + "\n"
    for _number in range(2 * 10**4):
        sys.stdout.write(line)
    print("the end of it")
    os.write(2, os.urandom(10**6))


@deed("OUT_OF_MEMORY", "memory")
def allocates_bit_by_bit(_: Any) -> Any:
    kept = [np.ones(2**25)]
    while True:
        kept.append(np.empty(2**23))


@deed("OUT_OF_MEMORY", "more than the", long=True)
def shares_what_it_allocates(_: Any) -> Any:
    kept = []
    while True:  # shared pages are no data of the process's own
        pages = mmap.mmap(-1, 2**26)
        pages.write(bytes(2**26))
        kept.append(pages)
        time.sleep(0.02)


@deed("OUT_OF_MEMORY", "more than the")
def has_children_that_allocate(_: Any) -> Any:
    for _number in range(3):
        child = os.fork()
        if child == 0:
            kept = bytearray(300 * 2**20)
            kept[::4096] = b"1" * len(kept[::4096])
            time.sleep(600)
        note(child)
    time.sleep(600)
