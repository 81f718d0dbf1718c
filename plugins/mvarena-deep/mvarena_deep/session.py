"""Settings of torch during a fit: device, threads, deterministic operations, and random numbers from a seed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from mvarena.errors import InvalidSetting
from threadpoolctl import threadpool_info


@contextmanager
def torch_session(device: str) -> Iterator[torch.device]:
    """Set torch's threads and deterministic operations for the block, and set them back afterwards.

    device : "cpu" or "cuda". Raises InvalidSetting where torch finds no CUDA device.
    """
    if device == "cuda" and not torch.cuda.is_available():
        raise InvalidSetting(
            "device is 'cuda' and torch finds no CUDA device here; use device='cpu', or install a build of torch for "
            "this machine's GPU.",
            field="device",
            value=device,
        )
    if device == "cuda":
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it cuBLAS refuses to be deterministic
    threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(threads_of_trial())
    torch.use_deterministic_algorithms(True)
    try:
        yield torch.device(device)
    finally:
        torch.use_deterministic_algorithms(strict)
        torch.set_num_threads(threads)


def threads_of_trial() -> int:
    """Number of threads that NumPy's linear algebra may use, which the arena sets for each trial."""
    return max((int(pool["num_threads"]) for pool in threadpool_info() if pool["user_api"] == "blas"), default=1)


def generator_of(seed: int) -> torch.Generator:
    """Generator of torch's on the CPU: the same numbers whatever the device that uses them."""
    return torch.Generator().manual_seed(seed)
