"""The arena from Python: load a data set, prepare data, run a study and get its results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from mvarena.contracts import protocol as protocols
from mvarena.contracts.source import Source
from mvarena.contracts.specs import AlgorithmSpec, DatasetSpec
from mvarena.contracts.trial import Trial
from mvarena.data import MultiViewData
from mvarena.engine.stages import corrupted
from mvarena.errors import InvalidSetting
from mvarena.files import temporary_folder
from mvarena.objects import is_views
from mvarena.progress_bar import ProgressBar
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.registry.user_code import is_local, local_spec, spec_of_estimator
from mvarena.running import run_blocks
from mvarena.store.connections import IN_MEMORY
from mvarena.store.runs import BY_PYTHON, Asked, kept_study
from mvarena.study.building import Block, outcome_file, run_options
from mvarena.study.components import contestants_named, step_variants, typed_params
from mvarena.study.families import family_of, left_out_notes
from mvarena.study.file import study_at
from mvarena.study.keys import key_of_field
from mvarena.study.model import DEFAULT_FILL, Contestant, Study, plain
from mvarena.study.preparation import preparation_for
from mvarena.study.settings import Layer, Layers, checked, laid_over
from mvarena.study.sources import load_source, source_of_data, sources_from_text
from mvarena.study.values import parse_rate

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray
    from scipy import sparse

    from mvarena.results import Results

_LONGEST_NAME = 80


class Fits(Protocol):
    """An estimator: it has `fit` and sets `labels_`."""

    def fit(self, *data: Any, **more: Any) -> Any: ...


class FitsPredicts(Protocol):
    """An estimator whose `fit_predict` returns labels."""

    def fit_predict(self, *data: Any, **more: Any) -> Any: ...


Algorithm: TypeAlias = str | type[Any] | Fits | FitsPredicts
"""A name or pattern, 'my_method.py:MyMethod', 'algorithm.toml', a class, or an estimator."""
Algorithms: TypeAlias = Algorithm | Sequence[Algorithm]
Matrix: TypeAlias = "NDArray[Any] | sparse.sparray | sparse.spmatrix | pd.DataFrame"
Dataset: TypeAlias = "str | PathLike[str] | MultiViewData | Source | Sequence[Matrix] | Mapping[str, Matrix]"
"""A name, pattern or path, data in memory, or one n x d matrix per view, in a list or by the views' names."""
Datasets: TypeAlias = "Dataset | Sequence[Dataset] | Mapping[str, Dataset]"
Names: TypeAlias = str | Sequence[str]
Rates: TypeAlias = "float | str | Sequence[float | str] | NDArray[Any]"
Numbers: TypeAlias = int | str | Sequence[int]
Value: TypeAlias = bool | int | float | str | Sequence[Any] | None
Params: TypeAlias = "Mapping[str, Mapping[str, Value | NDArray[Any]]]"


def load_dataset(name: str | PathLike[str], *, seed: int = 0) -> MultiViewData:
    """The data set of that name, such as "digits" or "3sources[bbc,guardian]", or in the file at that path.

    `seed` matters only for data that are drawn at random. Raises UnknownName, or DataUnavailable with what to do.

    Examples
    --------
    >>> import mvarena
    >>> [view.n_features for view in mvarena.load_dataset("digits[fou,fac]").views]
    [76, 216]
    """
    return load_source(fspath(name) if isinstance(name, PathLike) else name, installed_catalog(), seed)


def prepare(
    data: MultiViewData | Sequence[Matrix], *transforms: str, for_: Algorithm | None = None, fill: str = DEFAULT_FILL
) -> MultiViewData:
    """`data` as an algorithm is to see them: `prepare(data, "auto", for_="daimc")` is what `run` gives daimc.

    Parameters
    ----------
    data : a MultiViewData, or what `MultiViewData.from_arrays` takes: a list or dictionary with one matrix per view.
    transforms : applied in order, as in prepare(views, "fill-mean", "unit-rows"). "auto" is the scaling by what each
        view holds; "paper" alone, the published preparation of the algorithm.
    for_ : an algorithm, by name, class or estimator, whose adaptation follows: filling, kernels and so on, where it
        needs them. None: none follows.
    fill : what stands in for missing samples where the algorithm needs complete data: mean, zero or knn.

    Raises UnknownName for what there is none of, and Incompatible for data that a transform cannot take.

    Examples
    --------
    >>> import numpy as np
    >>> import mvarena
    >>> views = [[[0.0], [4.0], [8.0]], [[1.0], [np.nan], [3.0]]]  # the second view misses the second sample
    >>> mvarena.prepare(views, "minmax", for_="concat", fill="mean").views[1].matrix.ravel().tolist()
    [0.0, 0.5, 1.0]
    """
    catalog = installed_catalog()
    prepared = data if isinstance(data, MultiViewData) else MultiViewData.from_arrays(data)
    for name in preparation_for(_spec_of(for_), prepared, transforms, fill, catalog):
        prepared = catalog.load(catalog.transform(name))(prepared)
    return prepared


def corrupt(
    data: MultiViewData | Sequence[Matrix],
    corruption: str,
    rate: float | str,
    *,
    seed: int = 0,
    repeat: int = 0,
    **params: Any,
) -> MultiViewData:
    """`data` after one corruption: `corrupt(data, "missing-even", 0.3)` has the mask that a run gives to every method.

    Parameters
    ----------
    data : a MultiViewData, or what `MultiViewData.from_arrays` takes: a list or dictionary with one matrix per view.
    corruption : its name. rate : as the corruption defines it (`mvarena show missing-even`), or text
        such as "10dB".
    seed, repeat : of the study; with the same numbers they give what `run` gives, except for data that are drawn anew
        in each repeat.
    params : of the corruption, as n_groups=3.

    Raises UnknownName, and InvalidSetting for rates and parameters that are not possible.

    Examples
    --------
    >>> import mvarena
    >>> data = mvarena.corrupt(mvarena.load_dataset("digits[fou,fac]"), "missing-even", 0.3)
    >>> data.mask.mean(axis=0).round(2).tolist()  # of each view, the share of the samples that it observes
    [0.85, 0.85]
    """
    catalog = installed_catalog()
    given = data if isinstance(data, MultiViewData) else MultiViewData.from_arrays(data)
    spec = catalog.corruption(corruption)
    requested = {name: (value,) for name, value in params.items()}
    (step,) = step_variants(spec, spec.version, parse_rate(str(rate)), requested, catalog)
    trial = Trial(
        algorithm="",
        algorithm_version="",
        params={},
        source=Source(dataset=given.name or "data"),
        content=given.fingerprint,
        corruptions=(step,),
        prepare=(),
        protocol=protocols.Protocol(name="", summary=""),
        seed=seed,
        repeat=repeat,
    )
    return corrupted(trial, given, catalog)


def run(
    algorithms: Algorithms | PathLike[str],
    datasets: Datasets | None = None,
    *,
    corruptions: Names | None = None,
    rates: Rates | None = None,
    repeats: int | None = None,
    restarts: int | None = None,
    params: Params | Names | None = None,
    grid: str | None = None,
    scale: Names | None = None,
    fill: Names | None = None,
    prepare: Names | Mapping[str, Names] | None = None,
    n_clusters: Numbers | None = None,
    outcomes: str | PathLike[str] | None = None,
    time: str | None = None,
    event: str | None = None,
    protocol: str | None = None,
    controls: bool | None = None,
    seed: int | None = None,
    metrics: Names | None = None,
    jobs: int | str | None = None,
    timeout: float | str | None = None,
    cpu_time: float | str | None = None,
    memory: int | str | None = None,
    skip_after_limit: bool | None = None,
    keep_restarts: bool | None = None,
    threads: int | None = None,
    scheduler: str | None = None,
    db: str | Path | None = None,
    progress: bool | None = None,
) -> Results:
    """Run algorithms on data sets, or a study file, and return the results: printed as the terminal prints them.

    What is None is as the study file says, or as `mvarena run` has it by default; what is given overrides a study file.

    Parameters
    ----------
    algorithms : one or several names, patterns, estimators or their classes (plain scikit-learn clusterers among them),
        or functions `f(views, n_clusters)`.
        Without `datasets`, a study: the path of a file, or the name of one that comes with mvarena.
    datasets : one or several names or paths, `MultiViewData`, or lists or dictionaries with one matrix per view
        (`MultiViewData.from_arrays`); or a dictionary of these, from the name that tables and figures show.
    corruptions, rates : conditions that are compared, as "missing-even" or "missing-even:0.3+gaussian:10dB"; their
        rates, as [0.1, 0.3] or "0.1:0.9:0.2".
    repeats, restarts : of each point, each with its own mask; of k-means in each trial.
    params : {component: {parameter: value}}; a list, tuple or array of values makes a grid.
    grid : "paper" runs each algorithm on the range of parameters that its paper searches.
    scale, fill, prepare : scalings and fillings that are compared; or all steps of preparation, as words or
        {algorithm: words}.
    n_clusters : in place of the number of classes; needed for data without classes. Several make a grid, as [3, 5] or
        "2:10".
    outcomes : a .csv file with outcomes of the samples; time, event : its columns of survival (as `--outcomes`).
    protocol : its name. controls : whether the controls take part; by default not, but for a study file.
    seed : changes every random choice.
    metrics : computed besides those that every trial is scored by.
    jobs : worker processes; by default "auto", as many as there are cores and memory for.
    timeout, cpu_time : seconds per trial, or text such as "10m". memory : bytes per trial, or text such as "8GiB".
    skip_after_limit : whether a method that reaches a limit on the data as they are is skipped on them afterwards.
    keep_restarts : whether the labels of every restart are stored, not of the one that counts alone.
    threads : of linear algebra in each trial; the results of a few methods depend on it.
    scheduler : the address of a Dask scheduler, whose workers run the trials.
    db : where results are kept and looked up; None (or ":memory:") keeps them for this call only, unless a
        study file names one.
    progress : whether a bar is shown; None: in notebooks.

    Raises MvarenaError for what is wrong with the request; a trial that fails is a row of `scores` with its status.

    Examples
    --------
    >>> import mvarena
    >>> results = mvarena.run(["apmc", "concat"], "digits[fou,fac]", rates=[0, 0.3], repeats=1, jobs=1)
    >>> results.scores.groupby(["algorithm", "rate"])["status"].first().tolist()
    ['DONE', 'DONE', 'DONE', 'DONE']
    >>> tables = results.table()
    """
    conditions = {
        "corruptions": corruptions, "rates": rates, "repeats": repeats, "restarts": restarts, "params": params,
        "grid": grid, "scale": scale, "fill": fill, "prepare": prepare, "n_clusters": n_clusters, "protocol": protocol,
        "controls": controls, "seed": seed,
    }  # fmt: skip
    options = {
        "metrics": metrics, "jobs": jobs, "timeout_s": timeout, "cpu_s": cpu_time, "memory": memory,
        "skip_after_limit": skip_after_limit, "keep_restarts": keep_restarts, "threads": threads,
        "scheduler": scheduler, "db": None if db is None else str(db),
    }  # fmt: skip
    datasets = list(datasets) if isinstance(datasets, Iterator) else datasets
    algorithms = list(algorithms) if isinstance(algorithms, Iterator) else algorithms
    followed = {"outcomes": None if outcomes is None else str(outcomes), "time": time, "event": event}
    if datasets is None:
        blocks, text, requested = _of_file(algorithms, options | conditions | followed)
    else:
        own, sources = outcome_file(laid_over([_layer(followed)])), _sources(datasets)
        sources = sources if own is None else tuple(replace(source, outcomes=own) for source in sources)
        notes = _left_out(datasets)
        study, catalog = (
            Study.of(algorithms=_contestants(algorithms), datasets=sources, **conditions),
            installed_catalog(),
        )
        study = replace(study, params=typed_params(study.params, contestants_named(study.algorithms, catalog), catalog))
        blocks, text, requested = [Block(study, notes=notes)], laid_over([_layer(options)]), BY_PYTHON
    how, kept = run_options(text), text.settings.get("db", IN_MEMORY) != IN_MEMORY
    with temporary_folder() as folder, ProgressBar(progress) as bar:
        how = how if kept else replace(how, db=f"{folder}/results.db")
        result = run_blocks(
            blocks, how, asked=requested, on_plan=bar.planned, on_progress=bar.advanced, on_scoring=bar.scoring
        )
    if result.tally.interrupted:
        raise KeyboardInterrupt
    from mvarena.results import Results  # imports pandas

    return Results(result.scores, db=how.db if kept else None)


def _of_file(study: Any, given: Mapping[str, Any]) -> tuple[list[Block], Layers, Asked]:
    """The studies of a file with what is given besides laid over them, what is said of running them, and the file."""
    if not isinstance(study, (str, PathLike)):
        raise InvalidSetting("name the data, as in run(algorithms, 'digits').", field="datasets")
    file, upper = study_at(study), _layer(given)
    requested = replace(BY_PYTHON, study=kept_study(file.document))
    return file.blocks(installed_catalog(), upper), laid_over([file.defaults, upper]), requested


def _layer(given: Mapping[str, Any]) -> Layer:
    """Fields of a study and of running it, as a study file would say them."""
    return Layer(checked({key_of_field(name): plain(value) for name, value in given.items() if value is not None}, ""))


def _contestants(algorithms: Any) -> tuple[str | Contestant, ...]:
    given = algorithms if isinstance(algorithms, (list, tuple)) else [algorithms]
    return tuple(_contestant(item) for item in given)


def _contestant(algorithm: Any) -> str | Contestant:
    if isinstance(algorithm, str):
        return Contestant(local_spec(algorithm)) if is_local(algorithm) else algorithm
    return Contestant(*spec_of_estimator(algorithm))


def _spec_of(algorithm: Any) -> AlgorithmSpec | None:
    """The spec of what `run` takes as an algorithm; None of None."""
    if algorithm is None:
        return None
    contestant = _contestant(algorithm)
    return contestant.spec if isinstance(contestant, Contestant) else installed_catalog().algorithm(contestant)


def _sources(datasets: Any) -> tuple[Source, ...]:
    catalog = installed_catalog()
    if isinstance(datasets, Mapping) and not is_views(datasets):
        for name in datasets:
            _check_name(name, catalog)
        return tuple(_one_source(item).called(name) for name, item in datasets.items())
    texts = [fspath(item) if isinstance(item, PathLike) else item for item in _listed(datasets)]
    named = [item if isinstance(item, (str, Source)) else source_of_data(item) for item in texts]
    return sources_from_text(named, catalog)


def _check_name(name: str, catalog: Catalog) -> None:
    """Raise InvalidSetting for what cannot be a short name: empty, long, a path, or the name of a data set."""
    plain = name.strip()
    if not plain or len(plain) > _LONGEST_NAME or not plain.isprintable() or set(plain) & set("/\\[]?*"):
        raise InvalidSetting(
            f"'{name}' is not a short name; take one without / \\ [ ] ? *, of at most {_LONGEST_NAME} letters.",
            field="names",
            value=name,
        )
    if plain in catalog.names("dataset"):
        raise InvalidSetting(f"there is a data set called '{plain}'; choose another name.", field="names", value=name)


def _listed(datasets: Any) -> Sequence[Any]:
    return datasets if isinstance(datasets, (list, tuple)) and not is_views(datasets) else [datasets]


def _left_out(datasets: Any) -> tuple[str, ...]:
    """Notes on data sets that a pattern among `datasets` means and that are not at hand."""
    return left_out_notes((item for item in _listed(datasets) if isinstance(item, str)), installed_catalog())


def _one_source(dataset: Any) -> Source:
    sources = _sources([dataset])
    if len(sources) != 1:
        raise InvalidSetting(f"'{dataset}' names {len(sources)} data sets; give each its own name.", field="datasets")
    return sources[0]


# What is installed, as tables: `mvarena.list_algorithms()` and `mvarena.list_datasets()`.


def list_algorithms() -> pd.DataFrame:
    """Every installed algorithm, by name: family, summary, version, status, cost, source, and who provides it.

    Examples
    --------
    >>> import mvarena
    >>> mvarena.list_algorithms().loc["apmc", "family"]
    'graph'
    """
    catalog = installed_catalog()
    rows = [
        {
            "name": spec.name,
            "family": family_of(spec),
            "summary": spec.summary,
            "version": spec.version,
            "status": spec.status,
            "cost": spec.cost,
            "source": spec.source,
            "provided_by": catalog.plugin_of(spec).distribution,
        }
        for spec in catalog.specs("algorithm")
        if isinstance(spec, AlgorithmSpec)
    ]
    return _table(rows)


def list_datasets() -> pd.DataFrame:
    """Every announced data set, by name: samples, clusters, views, whether it is at hand, terms; nothing is loaded.

    state : ready, downloadable, or manual (someone must put files in place).

    Examples
    --------
    >>> import mvarena
    >>> int(mvarena.list_datasets().loc["digits", "samples"])
    2000
    """
    catalog = installed_catalog()
    rows = []
    for spec in catalog.specs("dataset"):
        if isinstance(spec, DatasetSpec):
            card = catalog.card_of(spec)
            row: dict[str, Any] = {"name": spec.name, "samples": card.samples, "clusters": card.clusters}
            row |= {"views": ", ".join(view.name for view in card.views), "state": card.state, "bytes": card.bytes}
            rows.append(row | {"terms": card.terms, "summary": spec.summary})
    return _table(rows).astype({"samples": "Int64", "clusters": "Int64"})


def _table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows).set_index("name")
