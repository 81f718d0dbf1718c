"""scikit-learn is imported without pandas, and knows its frames all the same."""

from __future__ import annotations

import subprocess
import sys

import pandas as pd
import pytest

from mvarena.system.sklearn_import import import_sklearn

FRAMES = """
import sys
from mvarena.system.sklearn_import import import_sklearn

import_sklearn("sklearn.cluster")
print("pandas" in sys.modules)
from sklearn.cluster import KMeans
KMeans(2, n_init=1).fit([[0.0], [1.0], [5.0]])
print("pandas" in sys.modules)

import pandas as pd
from sklearn.preprocessing import StandardScaler
frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": pd.array([1, 2, None], dtype="Int64").astype("Float64")})
scaled = StandardScaler().set_output(transform="pandas").fit_transform(frame)
print(type(scaled) is pd.DataFrame, *scaled.columns, scaled.isna().sum().tolist())
print(*KMeans(2, n_init=1).fit(frame.dropna()).feature_names_in_)
"""


@pytest.mark.slow
def test_scikit_learn_takes_frames_of_a_pandas_that_is_imported_later():
    done = subprocess.run([sys.executable, "-c", FRAMES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["False", "False", "True a b [0, 1]", "a b"]


def test_a_pandas_that_is_there_stays():
    import_sklearn("sklearn.base")
    assert sys.modules["pandas"] is pd


def test_an_import_that_fails_hides_nothing(monkeypatch):
    monkeypatch.delitem(sys.modules, "pandas")
    with pytest.raises(ModuleNotFoundError, match=r"sklearn\.nothing"):
        import_sklearn("sklearn.nothing")
    assert "pandas" not in sys.modules
