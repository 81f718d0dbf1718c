"""Names to components: look a spec up, with "did you mean", and import its target when it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from mvarena.contracts.data_source import DataSource, SourceCard, as_data_source
from mvarena.contracts.specs import (
    AlgorithmSpec,
    Component,
    CorruptionSpec,
    DatasetSpec,
    MetricSpec,
    PickerSpec,
    Spec,
    TransformSpec,
)
from mvarena.errors import unknown_name
from mvarena.registry.code_digest import code_digest
from mvarena.registry.plugins import FailedPlugin, Plugin, installed_plugins, named_errors
from mvarena.registry.user_code import as_contestant, load_local, loads_by_itself

if TYPE_CHECKING:
    from mvarena.data import MultiViewData

S = TypeVar("S", bound=Spec)
COMPONENTS: tuple[Component, ...] = ("algorithm", "dataset", "corruption", "transform", "metric", "picker", "reader")


class Catalog:
    """The components of a set of plugins."""

    def __init__(self, plugins: Iterable[Plugin], failed: Iterable[FailedPlugin] = ()) -> None:
        self._failed = tuple(failed)
        self._loaded: dict[tuple[str, str], Any] = {}
        self._entries = {(spec.component, spec.name): (spec, plugin) for plugin in plugins for spec in plugin.specs}

    def names(self, component: Component) -> list[str]:
        """All names of that kind of component, sorted."""
        return sorted(name for kind, name in self._entries if kind == component)

    def specs(self, component: Component) -> list[Spec]:
        """All specs of that kind, sorted by name."""
        return [self._entries[component, name][0] for name in self.names(component)]

    def plugin_of(self, spec: Spec) -> Plugin:
        """The plugin that provides `spec`."""
        return self._one(spec.component, spec.name)[1]

    def algorithm(self, name: str) -> AlgorithmSpec:
        return self._get("algorithm", name, AlgorithmSpec)

    def dataset(self, name: str) -> DatasetSpec:
        return self._get("dataset", name, DatasetSpec)

    def corruption(self, name: str) -> CorruptionSpec:
        return self._get("corruption", name, CorruptionSpec)

    def transform(self, name: str) -> TransformSpec:
        return self._get("transform", name, TransformSpec)

    def metric(self, name: str) -> MetricSpec:
        return self._get("metric", name, MetricSpec)

    def picker(self, name: str) -> PickerSpec:
        return self._get("picker", name, PickerSpec)

    def load(self, spec: Spec) -> Any:
        """The object behind `spec.target`, whether or not a plugin of this catalog announces it.

        Raises PluginError, naming the distribution, if it cannot be imported.
        """
        if isinstance(spec, AlgorithmSpec) and loads_by_itself(spec):
            return load_local(spec)
        key = spec.component, spec.target
        if key not in self._loaded:
            with named_errors(f"{self._described(spec)}: the import of {spec.target}"):
                result = _imported(spec)
            self._loaded[key] = as_contestant(result) if spec.component == "algorithm" else result
            if spec.component == "algorithm":
                code_digest(self._loaded[key])  # of the code as it is imported, whatever becomes of the file meanwhile
        return self._loaded[key]

    def calling(self, spec: Spec) -> AbstractContextManager[None]:
        """Name the component of `spec` in what its code raises meanwhile: `mvarena.registry.plugins.named_errors`."""
        return named_errors(self._described(spec))

    def function(self, spec: Spec) -> Callable[..., Any]:
        """The function behind `spec`; what it raises names the component and its plugin."""
        loaded: Callable[..., Any] = self.load(spec)

        def called(*values: Any, **params: Any) -> Any:
            with self.calling(spec):
                return loaded(*values, **params)

        return called

    def decisions(self, spec: AlgorithmSpec | TransformSpec, data: MultiViewData) -> dict[str, str]:
        """Decision of a component whose options follow the data, by its `decides` -> the names of its views: 'a, b'."""
        with self.calling(spec):
            decided: dict[str, str] = _imported(replace(spec, target=spec.decides))(data)
        views: dict[str, list[str]] = {}
        for view, decision in decided.items():
            views.setdefault(decision, []).append(view)
        return {decision: ", ".join(names) for decision, names in views.items()}

    def data_source(self, spec: DatasetSpec) -> DataSource:
        """The data source behind `spec`. Raises PluginError for a target that cannot be imported or is none."""
        target = self.load(spec)
        with self.calling(spec):
            return as_data_source(spec, target)

    def card_of(self, spec: DatasetSpec) -> SourceCard:
        """Facts on a data set that need no loading."""
        source = self.data_source(spec)
        with self.calling(spec):
            return source.describe()

    def _described(self, spec: Spec) -> str:
        """'The metric 'x' of the plugin y 1.0'; without the plugin for what no plugin of this catalog announces."""
        _, plugin = self._entries.get((spec.component, spec.name), (None, None))
        kind = "data set" if spec.component == "dataset" else spec.component
        provider = f" of the plugin {plugin.distribution} {plugin.version}" if plugin else ""
        return f"The {kind} '{spec.name}'{provider}"

    def _get(self, component: Component, name: str, expected: type[S]) -> S:
        spec, _ = self._one(component, name)
        assert isinstance(spec, expected)
        return spec

    def _one(self, component: Component, name: str) -> tuple[Spec, Plugin]:
        if (component, name) not in self._entries:
            hint = f"See 'mvarena list {component}s'.{self.failed_to_load}"
            raise unknown_name(component, name, self.names(component), hint)
        return self._entries[component, name]

    @property
    def failed_to_load(self) -> str:
        """A remark on the plugins that failed to load, for a name that is not known; '' where there are none."""
        names = ", ".join(sorted({plugin.distribution for plugin in self._failed}))
        return f" (A plugin of {names} failed to load: see 'mvarena plugin list'.)" if names else ""


def _imported(spec: Spec) -> Any:
    module, _, attribute = spec.target.partition(":")
    return getattr(import_module(module), attribute)


@cache
def installed_catalog() -> Catalog:
    """The components of this environment's plugins."""
    plugins = installed_plugins()
    return Catalog(plugins.loaded, plugins.failed)
