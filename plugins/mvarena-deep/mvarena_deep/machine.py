"""What results depend on besides mvarena: torch, its build, and the GPU. Nothing here imports torch."""

from __future__ import annotations

import re
import subprocess
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

_QUERY = ["nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
_TIMEOUT_S = 10
_CUDA = re.compile(r"^cuda\b[^=\n]*=\s*'([^']+)'", re.MULTILINE)  # as torch/version.py has it


def facts() -> dict[str, str]:
    """torch : its version. cuda : the version that it was built with, or "none". gpu : what nvidia-smi lists."""
    try:
        release = version("torch")
    except PackageNotFoundError:
        return {"torch": "not installed"}
    return {"torch": release, "cuda": cuda_of_build(), "gpu": gpus()}


def cuda_of_build() -> str:
    """'12.8' for a build of torch that has CUDA, else 'none'."""
    found = find_spec("torch")
    if found is None or not found.submodule_search_locations:
        return "none"
    file = Path(found.submodule_search_locations[0], "version.py")
    match = _CUDA.search(file.read_text(encoding="utf-8")) if file.is_file() else None
    return match[1] if match else "none"


def gpus() -> str:
    """'NVIDIA H100, 81559 MiB, 570.86' for each GPU, separated by semicolons; 'none' where no driver answers."""
    try:
        done = subprocess.run(
            _QUERY, capture_output=True, text=True, timeout=_TIMEOUT_S, stdin=subprocess.DEVNULL, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return "none"
    return "; ".join(line.strip() for line in done.stdout.splitlines() if line.strip()) or "none"
