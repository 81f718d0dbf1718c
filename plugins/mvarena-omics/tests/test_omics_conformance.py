"""What mvarena asks of every algorithm."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from mvarena.errors import MvarenaError
from mvarena.testing import parametrize_with_checks
from mvarena.testing.examples import blobs

from mvarena_omics.mofa import MOFA
from mvarena_omics.specs import ALGORITHMS

HAS_MOFA = find_spec("mofapy2") is not None


@parametrize_with_checks([spec for spec in ALGORITHMS if HAS_MOFA or spec.name != "mofa"])
def test_conformance(check):
    check()


@pytest.mark.skipif(HAS_MOFA, reason="mofapy2 is installed: the conformance tests are of it, too")
def test_mofa_without_its_program_says_what_to_install():
    with pytest.raises(MvarenaError, match=r"pip install 'mvarena-omics\[mofa\]'"):
        MOFA(n_clusters=3).fit(blobs(60))
