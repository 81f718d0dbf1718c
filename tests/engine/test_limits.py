"""What cannot be a limit is refused, and the memory that control groups allow is read as the system says it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.engine.limits import LEAST_MEMORY, Limits
from mvarena.errors import InvalidSetting
from mvarena.system.memory import control_group_limit


@pytest.mark.parametrize(
    ("field", "value"),
    [("timeout_s", 0.0), ("timeout_s", float("nan")), ("cpu_s", -1.0), ("memory", LEAST_MEMORY - 1), ("threads", 0)],
)
def test_what_cannot_be_a_limit_is_refused(field, value):
    with pytest.raises(InvalidSetting) as caught:
        Limits(**{field: value})
    assert caught.value.field == field


class Machine:
    """The files of a machine's control groups, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.proc, self.groups = folder / "proc", folder / "with blank"
        self.proc.mkdir()
        self.mounts: list[str] = []

    def mount(self, kind: str, options: str, root: str = "/") -> Path:
        place = self.groups / kind
        place.mkdir(parents=True)
        shown = str(place).replace(" ", "\\040")
        self.mounts.append(f"30 20 0:26 {root} {shown} rw,nosuid - {kind} none rw,{options}")
        (self.proc / "mountinfo").write_text("\n".join(["20 1 8:1 / / rw - ext4 /dev/sda rw", *self.mounts]) + "\n")
        return place

    def belongs(self, *lines: str) -> None:
        (self.proc / "cgroup").write_text("\n".join(lines) + "\n")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def limit(place: Path, group: str, name: str, value: object) -> None:
    (place / group).mkdir(parents=True, exist_ok=True)
    (place / group / name).write_text(f"{value}\n")


def test_the_least_limit_along_the_path_binds(machine):
    place = machine.mount("cgroup2", "nsdelegate")
    machine.belongs("0::/user/session/run")
    limit(place, "user", "memory.max", 3 * 2**30)
    limit(place, "user/session", "memory.max", "max")
    limit(place, "user/session/run", "memory.max", 5 * 2**30)
    limit(place, "user/another", "memory.max", 2**20)
    assert control_group_limit(machine.proc) == 3 * 2**30


def test_version_1_counts_with_its_own_number_for_no_limit(machine):
    place = machine.mount("cgroup", "memory")
    machine.mount("cgroup2", "nsdelegate")
    machine.belongs("5:cpu:/elsewhere", "4:memory:/a/b", "0::/")
    limit(place, "a", "memory.limit_in_bytes", 2**63 - 4096)
    limit(place, "a/b", "memory.limit_in_bytes", 2**63 - 4096)
    assert control_group_limit(machine.proc) is None
    limit(place, "a", "memory.limit_in_bytes", 7 * 2**30)
    assert control_group_limit(machine.proc) == 7 * 2**30


def test_inside_a_container_a_part_of_the_hierarchy_is_the_root(machine):
    place = machine.mount("cgroup2", "nsdelegate", root="/docker/0123")
    machine.belongs("0::/docker/0123/inner")
    limit(place, ".", "memory.max", 2 * 2**30)
    limit(place, "inner", "memory.max", 4 * 2**30)
    assert control_group_limit(machine.proc) == 2 * 2**30


def test_where_there_are_no_groups_there_is_no_limit(tmp_path):
    assert control_group_limit(tmp_path / "nothing") is None


@given(st.text(), st.text())
def test_whatever_these_files_hold_nothing_is_raised(tmp_path_factory, groups, mounts):
    folder = tmp_path_factory.mktemp("proc")
    (folder / "cgroup").write_text(groups, "utf-8", "surrogatepass")
    (folder / "mountinfo").write_text(mounts, "utf-8", "surrogatepass")
    control_group_limit(folder)


def test_a_worker_may_allocate_no_more_than_its_group_allows(monkeypatch):
    monkeypatch.setattr("mvarena.engine.limits.control_group_limit", lambda: 3 * 2**30)
    assert Limits().memory_of_a_process == 3 * 2**30
    assert Limits(memory=2 * 2**30).memory_of_a_process == 2 * 2**30
    assert Limits(memory=8 * 2**30).memory_of_a_process == 3 * 2**30
