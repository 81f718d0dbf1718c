"""A contestant in one file, or from Python: it is found again, and its code stands in its version."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.sklearn_adapter import input_of, wrapped_clusterer
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.errors import Incompatible, InvalidSetting, PluginError
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.code_version import version_in_file
from mvarena.registry.user_code import is_local, load_local, loads_by_itself, local_spec, spec_of_estimator
from mvarena.testing import blobs

METHOD = '''
"""A method in one file."""
from __future__ import annotations

import numpy as np

from beside import FACTOR
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Positive


class MyMethod(MultiViewClusterer):
    """The views side by side.

    Parameters
    ----------
    weight : of every view.
    """

    weight: Positive = 1.0

    def solve(self, data, n_clusters):
        return Representation(embedding=FACTOR * self.weight * np.hstack([view.matrix for view in data.views]))


class Renamed(MyMethod):
    name = "my-second"
    prepare = ("fill-mean",)
'''


@pytest.fixture
def method(tmp_path: Path) -> Path:
    (tmp_path / "beside.py").write_text("FACTOR = 2.0\n")
    path = tmp_path / "my_method.py"
    path.write_text(METHOD)
    return path


def agree(a: np.ndarray, b: np.ndarray) -> bool:
    return len(set(zip(a, b, strict=True))) == len(set(a)) == len(set(b))


def test_a_class_in_a_file_is_a_contestant(method: Path):
    spec = local_spec(f"{method}:MyMethod")
    assert (spec.name, spec.target, spec.summary) == ("my-method", f"{method}:MyMethod", "The views side by side.")
    assert is_local(spec.target)
    kind = installed_catalog().load(spec)
    data = blobs(45)
    assert agree(kind(weight=3.0, random_state=0).fit_predict(data), data.labels)
    assert kind.spec.name == "my-method"
    with pytest.raises(InvalidSetting, match=r"my-method\.weight must be a number above 0"):
        kind(weight=-1.0).fit(data)


def test_class_attributes_say_what_the_class_name_does_not(method: Path):
    spec = local_spec(f"{method}:Renamed")
    assert (spec.name, spec.prepare) == ("my-second", ("fill-mean",))


def test_the_version_is_that_of_the_code_and_of_what_it_imports_of_its_folder(method: Path):
    def spec() -> AlgorithmSpec:
        return local_spec(f"{method}:MyMethod")

    before = spec()
    method.write_text(METHOD + "# a comment\n")
    assert spec() == before
    method.write_text(METHOD.replace("FACTOR * self", "self"))
    with pytest.raises(PluginError, match="has changed since my-method was planned"):
        load_local(before)
    after = spec()
    (method.parent / "beside.py").write_text("FACTOR = 3.0\n")
    assert len({before.version, after.version, spec().version}) == 3
    assert before.version.startswith("code-")


def test_the_version_of_a_class_in_a_package_counts_relative_imports(method: Path):
    method.write_text(METHOD.replace("from beside", "from .beside"))
    module = f"{method.parent.name}.{method.stem}"
    before = version_in_file(method, module)
    (method.parent / "beside.py").write_text("FACTOR = 3.0\n")
    assert version_in_file(method, module) != before


def test_files_that_are_not_there_or_fail_are_refused(method: Path, tmp_path: Path):
    with pytest.raises(InvalidSetting, match="There is no file"):
        local_spec(str(tmp_path / "nothing.py") + ":MyMethod")
    method.write_text("1 / 0")
    with pytest.raises(PluginError, match=r"my_method.py failed: ZeroDivisionError"):
        local_spec(f"{method}:MyMethod")


def test_an_announced_class_keeps_its_spec():
    kind = installed_catalog().load(installed_catalog().algorithm("mic"))
    spec, params = spec_of_estimator(kind(alpha=0.5, random_state=3, n_init=7))
    assert spec == installed_catalog().algorithm("mic")
    assert params == {"alpha": 0.5}
    assert spec_of_estimator(kind) == (spec, {})


def inner(factor: float, power: int) -> type[MultiViewClusterer]:
    """A class of a function, which refers to another of its functions and to its arguments."""

    def scaled(matrix):
        return factor * matrix

    class Inner(MultiViewClusterer):
        """A power of the first view."""

        exponent: int = power
        capabilities = Capabilities(max_views=3)

        def solve(self, data, n_clusters):
            return Representation(embedding=scaled(data.views[0].matrix) ** self.exponent)

    return Inner


def test_a_class_of_a_function_travels_by_value():
    spec, params = spec_of_estimator(inner(2.0, 1)(exponent=3))
    assert (spec.name, params, spec.capabilities.max_views) == ("inner", {"exponent": 3}, 3)
    assert loads_by_itself(spec)
    data = blobs(45)
    found = load_local(spec)(exponent=3).represent(data).embedding
    np.testing.assert_array_equal(found, (2 * data.views[0].matrix) ** 3)


def test_the_version_of_a_class_by_value_follows_all_that_it_refers_to():
    versions = [spec_of_estimator(inner(*given))[0].version for given in ((1.0, 2), (1.0, 2), (3.0, 2), (1.0, 3))]
    assert versions[0] == versions[1]
    assert len(set(versions)) == 3


def test_a_scikit_learn_clusterer_is_wrapped_and_what_it_has_not_is_not_passed():
    spec, params = spec_of_estimator(KMeans(tol=1e-3, n_init=5))
    assert (spec.name, params) == ("kmeans", {"tol": 1e-3, "estimator_n_init": 5})
    kind = installed_catalog().load(spec)
    data = blobs(45)
    assert agree(kind(**params, random_state=0).fit_predict(data), data.labels)
    assert kind(**params).get_params()["estimator_n_init"] == 5
    with pytest.raises(Incompatible, match="fill-mean"):
        kind().fit(blobs(45, missing=0.3))
    agglomerative, _ = spec_of_estimator(AgglomerativeClustering)
    assert agglomerative.capabilities.deterministic
    assert agree(installed_catalog().load(agglomerative)().fit_predict(data), data.labels)
    spec, params = spec_of_estimator(DBSCAN(eps=12.0))
    assert installed_catalog().load(spec)(**params).fit_predict(data).min() == 0


class TakesViews:
    """A class as authors write it: a list of views."""

    label = "Views!"

    def __init__(self, n_clusters=2, shrink=1.0):
        self.n_clusters = n_clusters
        self.shrink = shrink

    def fit(self, Xs):
        assert isinstance(Xs, list)
        assert all(isinstance(X, np.ndarray) for X in Xs)
        self.labels_ = KMeans(self.n_clusters, n_init=5, random_state=0).fit_predict(np.hstack(Xs) * self.shrink)
        return self


class TakesNan(TakesViews):
    takes = "views"
    missing = "nan"

    def fit_predict(self, data):
        assert any(np.isnan(X).all(axis=1).any() for X in data)
        return [int(any(np.isnan(X[i]).any() for X in data)) for i in range(len(data[0]))]


class TakesMask:
    takes = "views"
    missing = "mask"

    def fit_predict(self, data, n_clusters, mask):
        assert n_clusters == 3
        assert all(not X[~mask[:, v]].any() for v, X in enumerate(data))
        return mask.all(axis=1).astype(float)


class TakesMatrix:
    def fit_predict(self, X, y=None):
        assert X.ndim == 2
        return np.arange(len(X)) % 3


def test_a_class_that_takes_a_list_of_views_gets_one():
    assert input_of(TakesViews) == ("views", "guessed from the parameter Xs of fit")
    assert input_of(TakesNan) == ("views", "")
    assert input_of(TakesMatrix) == ("matrix", "guessed from the parameter X")
    assert input_of(KMeans) == ("matrix", "")
    data = blobs(45)
    spec, params = spec_of_estimator(TakesViews(shrink=2.0))
    assert (spec.label, params) == ("Views!", {"shrink": 2.0})
    assert spec.handed.startswith("a list of views (guessed from the parameter Xs of fit")
    assert not spec.capabilities.missing
    assert agree(installed_catalog().load(spec)(shrink=2.0).fit_predict(data), data.labels)


class FlatWithGaps:
    missing = "nan"

    def fit_predict(self, X):
        return np.isnan(X).any(axis=1)


class FitsAlone(ClusterMixin, BaseEstimator):
    """Its own fit is asked for, and not what scikit-learn puts around it."""

    def fit(self, views, mask):
        self.labels_ = mask.all(axis=1)
        return self


def with_a_mask(views, n_clusters, mask, random_state=None):
    assert random_state is not None
    return mask.all(axis=1) % n_clusters


@pytest.mark.parametrize("code", [TakesNan, TakesMask, FlatWithGaps, FitsAlone, with_a_mask])
def test_missing_samples_are_rows_of_nan_or_a_mask_as_the_code_says(code):
    data = blobs(45, missing=0.3)
    spec, _ = spec_of_estimator(code)
    assert spec.capabilities.missing
    assert spec.capabilities.deterministic == (code is not with_a_mask)
    told = code in (TakesNan, TakesMask, with_a_mask)
    assert ("no number of clusters (it has no parameter n_clusters)" in spec.handed) == (not told)
    assert agree(installed_catalog().load(spec)(random_state=0).fit_predict(data), data.complete_samples)


class GuessedMask:
    def fit_predict(self, Xs, mask):
        return mask.all(axis=1)


def _filled(X):
    return np.where(np.isnan(X), 0, X)


class GuessedByHelper:
    def fit_predict(self, Xs):
        return np.hstack([_filled(X) for X in Xs]).sum(axis=1) > 0


class GuessedByDocstring:
    """Takes rows of NaN as they are."""

    def fit_predict(self, Xs):
        return [any((X[i] != X[i]).all() for X in Xs) for i in range(len(Xs[0]))]


class RefusesNan:
    """Needs views without NaN."""

    def fit_predict(self, Xs):
        assert not np.isnan(Xs[0]).any()
        if np.isnan(np.hstack(Xs)).any():
            raise ValueError("NaN")
        return [0] * len(Xs[0])


class DeclinesNan(GuessedByDocstring):
    missing = None


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (GuessedMask, "a mask of the samples that views miss (guessed from the parameter mask of fit_predict"),
        (GuessedByHelper, "missing samples as rows of NaN (guessed from isnan in its code"),
        (GuessedByDocstring, "missing samples as rows of NaN (guessed from NaN in its docstring"),
        (RefusesNan, "complete data (missing samples are filled; missing = 'nan' or 'mask' gives it the gaps)"),
        (DeclinesNan, None),
    ],
)
def test_a_class_that_handles_gaps_gets_them_and_the_guess_is_said(kind, said):
    spec, _ = spec_of_estimator(kind)
    assert said in spec.handed if said else "complete" not in spec.handed
    assert spec.capabilities.missing == ("guessed from" in (said or ""))
    data = blobs(45, missing=0.3) if spec.capabilities.missing else blobs(45)
    assert len(installed_catalog().load(spec)().fit_predict(data)) == 45


def side_by_side(views, n_clusters, shrink=1.0):
    """The views side by side."""
    return KMeans(n_clusters, n_init=5, random_state=0).fit_predict(np.hstack(views) * shrink)


def test_a_function_is_a_method():
    spec, params = spec_of_estimator(side_by_side)
    assert (spec.name, spec.summary, params) == ("side-by-side", "The views side by side.", {})
    kind = installed_catalog().load(spec)
    data = blobs(45)
    assert agree(kind(shrink=2.0).fit_predict(data), data.labels)
    assert kind().get_params()["shrink"] == 1.0


def test_a_function_of_a_function_travels_by_value_with_what_was_guessed_of_it(monkeypatch: pytest.MonkeyPatch):
    def inner(views, n_clusters, shrink=1.0):
        return np.nansum(np.hstack(views) * shrink, axis=1) > n_clusters

    spec, _ = spec_of_estimator(inner)
    assert spec.target.startswith("by-value:")
    assert spec.capabilities.missing
    changed, _ = spec_of_estimator(lambda views, n_clusters: np.zeros(len(views[0])) * n_clusters)
    assert changed.name == "lambda"
    assert changed.version != spec.version
    wrapped_clusterer.cache_clear()
    monkeypatch.setattr("inspect.getsource", lambda _: 1 / 0)  # in another process there is none
    assert load_local(spec).capabilities.missing


FUNCTIONS = """
import numpy as np
from sklearn.cluster import KMeans

class _Helper:
    fit = None

def helper(X):
    return X

def mine(views, n_clusters, weight=1.0):
    return np.arange(len(views[0])) % n_clusters

mine.name = "my-own"
"""


def test_a_file_may_hold_functions_and_imports(tmp_path: Path):
    path = tmp_path / "functions.py"
    path.write_text(FUNCTIONS)
    spec = local_spec(str(path))
    assert (spec.name, spec.target) == ("my-own", f"{path}:mine")
    data = blobs(45)
    copied = pickle.loads(pickle.dumps(load_local(spec)(weight=2.0)))
    assert copied.weight == 2.0
    assert copied.fit_predict(data).max() == data.n_clusters - 1
    imported = local_spec(f"{path}:KMeans")
    assert imported.name == "kmeans"
    assert agree(load_local(imported)(random_state=0).fit_predict(data), data.labels)
    path.write_text(FUNCTIONS.replace("% n_clusters", "% 2"))
    assert local_spec(str(path)).version != spec.version


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ("np.zeros(len(X) - 1)", "returned 44 labels for 45 samples"),
        ("np.zeros((len(X), 2))", r"returned an array of shape \(45, 2\) for 45 samples"),
        ("np.linspace(0, 1, len(X))", "returned labels that are not whole numbers, such as 0.0227273"),
    ],
)
def test_what_is_no_labelling_is_said(tmp_path: Path, returned: str, said: str):
    path = tmp_path / "wrong.py"
    path.write_text(f"import numpy as np\n\nclass Wrong:\n    def fit_predict(self, X):\n        return {returned}\n")
    with pytest.raises(PluginError, match=f"Wrong {said}"):
        load_local(local_spec(str(path)))().fit_predict(blobs(45))


def test_parameters_that_no_study_can_hold_are_refused():
    with pytest.raises(InvalidSetting, match=r"KMeans.init is a ndarray; a contestant's parameters must be numbers"):
        spec_of_estimator(KMeans(init=np.eye(3)))


def test_a_class_of_a_plain_script_is_found_again_in_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)  # a script imports what lies beside it
    (tmp_path / "beside.py").write_text("FACTOR = 2.0\n")
    script = tmp_path / "script.py"
    sent = "from mvarena.registry.user_code import spec_of_estimator\n"
    sent += "spec, params = spec_of_estimator(MyMethod(weight=3.0))"
    script.write_text(f"{METHOD}\n{sent}\nprint(spec.target, spec.version, params)")
    made = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, cwd="/")
    target, version, params = made.stdout.strip().split(maxsplit=2)
    assert params == "{'weight': 3.0}"
    kind = load_local(AlgorithmSpec(name="my-method", target=target, summary="", version=version))
    try:
        data = blobs(45)
        assert agree(kind(weight=3.0, random_state=0).fit_predict(data), data.labels)
        with pytest.raises(InvalidSetting, match=r"my-method\.weight must be a number above 0"):
            kind(weight=-1.0).fit(data)
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("beside", None)


class TakesAnything:
    def __init__(self, n_clusters=2, weights=None, sizes=(1, 2), layers=[3, 4]):  # noqa: B006
        self.weights, self.sizes, self.layers = weights, sizes, layers

    def fit_predict(self, views):
        assert (self.weights, self.sizes, self.layers) == ([5], (6,), [7])
        return np.arange(len(views[0])) % 2


def test_lists_reach_a_class_as_its_defaults_are_written():
    spec, _ = spec_of_estimator(TakesAnything)
    kind = installed_catalog().load(spec)
    assert len(kind(weights=[5], sizes=[6], layers=(7,)).fit_predict(blobs(10))) == 10


def test_a_module_beside_a_file_is_read_anew_and_is_that_of_its_folder(tmp_path):
    """The second file has a helper of the same name; then the first one's is edited."""
    method = "from helper_beside import LABEL\ndef f(views, n_clusters):\n    return [LABEL] * len(views[0])\n"
    for folder, label in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "m.py").write_text(method)
        (tmp_path / folder / "helper_beside.py").write_text(f"LABEL = {label}\n")
    found = [_label_of(tmp_path / folder / "m.py") for folder in ("a", "b")]
    (tmp_path / "a" / "helper_beside.py").write_text("LABEL = 30\n")
    assert [*found, _label_of(tmp_path / "a" / "m.py")] == [1, 2, 30]


def _label_of(path):
    kind = installed_catalog().load(local_spec(str(path)))
    return kind.wraps.function([[0.0]], 1)[0]
