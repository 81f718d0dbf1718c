"""What the plugin says of torch and of GPUs, without importing torch."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace

import pytest
import torch

from mvarena_deep import machine


def test_the_installed_torch_is_named():
    assert machine.facts()["torch"].split("+")[0] == torch.__version__.split("+")[0]
    assert machine.cuda_of_build() == (torch.version.cuda or "none")


@pytest.mark.parametrize(
    ("text", "cuda"),
    [("cuda: Optional[str] = '12.8'\n", "12.8"), ("cuda = '11.7'\nhip = None\n", "11.7"), ("", "none")],
)
def test_the_build_is_read_from_its_file(tmp_path, monkeypatch, text, cuda):
    (tmp_path / "version.py").write_text(text)
    found = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(machine, "find_spec", lambda _: found)
    assert machine.cuda_of_build() == cuda


def test_gpus_are_what_the_driver_lists(monkeypatch):
    def answer(*_, **__):
        return SimpleNamespace(stdout="NVIDIA H100, 81559 MiB, 570.86\nNVIDIA L4, 23034 MiB, 570.86\n")

    monkeypatch.setattr(machine.subprocess, "run", answer)
    assert machine.gpus() == "NVIDIA H100, 81559 MiB, 570.86; NVIDIA L4, 23034 MiB, 570.86"


@pytest.mark.parametrize("error", [FileNotFoundError(), subprocess.CalledProcessError(9, "nvidia-smi")])
def test_without_a_driver_there_is_none(monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(machine.subprocess, "run", fail)
    assert machine.gpus() == "none"
