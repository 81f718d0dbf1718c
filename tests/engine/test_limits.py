"""What cannot be a limit is refused, and the memory that control groups allow is read as the system says it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.engine.limits import LEAST_MEMORY, Limits
from mvarena.errors import InvalidSetting
from mvarena.system.memory import control_group_limit


@pytest.mark.parametrize(("field", "value"), [("memory", LEAST_MEMORY - 1), ("threads", 0)])
def test_what_cannot_be_a_limit_is_refused(field, value):
    with pytest.raises(InvalidSetting) as caught:
        Limits(**{field: value})
    assert caught.value.field == field


def limited(folder: Path, lines: str, limits: dict[str, object]) -> int | None:
    """The limit of a process of these groups, where the files under the folder of groups hold these limits."""
    (folder / "cgroup").write_text(lines)
    for name, value in limits.items():
        (folder / "groups" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "groups" / name).write_text(f"{value}\n")
    return control_group_limit(folder, folder / "groups")


def test_the_least_limit_along_the_path_binds(tmp_path):
    limits = {
        "user/memory.max": 3 * 2**30,
        "user/session/memory.max": "max",
        "user/session/run/memory.max": 5 * 2**30,
        "user/another/memory.max": 2**20,
    }
    assert limited(tmp_path, "0::/user/session/run\n", limits) == 3 * 2**30


def test_version_1_counts_with_its_own_number_for_no_limit(tmp_path):
    groups, name = "5:cpu:/elsewhere\n4:memory:/a/b\n0::/\n", "memory/a/memory.limit_in_bytes"
    assert limited(tmp_path, groups, {name: 2**63 - 4096, "memory/a/b/memory.limit_in_bytes": 2**63 - 4096}) is None
    assert limited(tmp_path, groups, {name: 7 * 2**30}) == 7 * 2**30


def test_inside_a_container_a_part_of_the_hierarchy_is_the_root(tmp_path):
    assert limited(tmp_path, "0::/docker/0123/inner\n", {"memory.max": 2 * 2**30}) == 2 * 2**30


def test_where_there_are_no_groups_there_is_no_limit(tmp_path):
    assert control_group_limit(tmp_path / "nothing") is None


@given(st.text())
def test_whatever_the_file_of_groups_holds_nothing_is_raised(tmp_path_factory, groups):
    folder = tmp_path_factory.mktemp("proc")
    (folder / "cgroup").write_text(groups, "utf-8", "surrogatepass")
    control_group_limit(folder, folder)


def test_a_worker_may_allocate_no_more_than_its_group_allows(monkeypatch):
    monkeypatch.setattr("mvarena.engine.limits.control_group_limit", lambda: 3 * 2**30)
    assert Limits().memory_of_a_process == 3 * 2**30
    assert Limits(memory=2 * 2**30).memory_of_a_process == 2 * 2**30
    assert Limits(memory=8 * 2**30).memory_of_a_process == 3 * 2**30
