"""What refusals say: what is needed, what was given, and what to do."""

from __future__ import annotations

import numpy as np
import pytest
from built_in import ours

from mvarena.algorithms import APMC, IMG, MKKMZF, PVC, RMSC, Concat, LRSSCPairwise, MultiNMF
from mvarena.contracts import algorithm
from mvarena.errors import Incompatible
from mvarena.testing.examples import blobs

APART = np.column_stack([np.arange(60) < 20, np.arange(60) >= 20])

SENTENCES = {
    "kind": (MKKMZF, blobs(), "it needs kernel views and these are features views; prepare them with a transform"),
    "too few views": (APMC, blobs(dims=(5,)), "it needs at least 2 views and there is only 1"),
    "too many views": (PVC, blobs(dims=(5, 8, 6)), r"at most 2 views and there are 3; select .* 'blobs\[v0,v1\]'"),
    "missing samples": (Concat, blobs(missing=0.3), "some samples miss a view; prepare them with fill-mean"),
    "nothing in common": (IMG, blobs().with_mask(APART), "samples seen in every view and there are 0"),
    "negative values": (MultiNMF, blobs(), "view 'v0' holds negative values; prepare the data with minmax"),
}


@pytest.mark.parametrize(("method", "data", "sentence"), SENTENCES.values(), ids=SENTENCES)
def test_a_refusal_says_what_to_do(method, data, sentence):
    with pytest.raises(Incompatible, match=sentence):
        method().represent(data)


def test_methods_for_complete_data_fill_the_views_first():
    assert {spec.prepare[0] for spec in ours("algorithm") if not spec.capabilities.missing} == {"fill-mean"}


@pytest.mark.parametrize("method", [MKKMZF, RMSC, LRSSCPairwise])
def test_data_too_large_for_the_memory_are_refused_with_the_amount_before_any_work(method, monkeypatch):
    monkeypatch.setattr(algorithm, "memory_limit", lambda: 1000)
    monkeypatch.setattr(method, "solve", None)
    data = blobs(kind="kernel" if method is MKKMZF else "features")
    with pytest.raises(Incompatible, match=r"with 60 samples it needs about .* GiB .* use fewer samples"):
        method().represent(data)
