"""Workers get no secrets of the environment, and what trials print of them is hidden."""

from __future__ import annotations

import pytest

from mvarena.contracts.outcome import MEMORY_AT_START, Status
from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine
from mvarena.registry.catalog import installed_catalog
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.system.environment import without_secrets


@pytest.mark.parametrize("passed", [(), ("TOY_API_TOKEN",)])
def test_a_trial_gets_no_secret_unless_it_is_passed(monkeypatch: pytest.MonkeyPatch, passed: tuple[str, ...]) -> None:
    for name, value in {"TOY_API_TOKEN": "a-token-of-mine", "PGPASSWORD": "sesame", "TOY_PLAIN": "plain"}.items():
        monkeypatch.setenv(name, value)
    study = Study(
        algorithms=("toy-hostile",),
        datasets=("toy-blobs",),
        repeats=1,
        restarts=2,
        corruptions=("none",),
        params={"toy-hostile": {"deed": ("tells-secrets",)}},
    )
    (trial,) = plan_study(study, installed_catalog()).trials
    with LocalEngine(limits=Limits(pass_env=passed)) as engine:
        engine.submit(trial)
        while not (ended := engine.finished(10.0)):
            pass
    outcome = ended[0][1]
    assert outcome.status is Status.DONE
    assert 20 < outcome.achieved[MEMORY_AT_START] <= outcome.peak_rss_mb
    first, second = outcome.stdout_tail.splitlines()
    assert first == ("a-token-of-mine None plain" if passed else "None None plain")
    assert second == f"it was {'a-token-of-mine' if passed else '***'}, for postgresql://me@host/results"


def test_names_that_speak_of_secrets_are_left_out() -> None:
    given = {"PATH": "/bin", "PGHOST": "h", "AWS_SECRET_ACCESS_KEY": "x", "MONKEY": "m", "HF_TOKEN": "t", "HOME": "/"}
    kept, secrets = without_secrets(given, ("HF_TOKEN",))
    assert kept == {"PATH": "/bin", "HF_TOKEN": "t", "HOME": "/"}
    assert secrets == {"PGHOST": "h", "AWS_SECRET_ACCESS_KEY": "x", "MONKEY": "m"}
