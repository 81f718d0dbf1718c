"""Names to components: look a spec up, with "did you mean", and import its target when it is used."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

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
from mvarena.errors import PluginError, unknown_name
from mvarena.registry.plugins import (
    FailedPlugin,
    Plugin,
    imported_quietly,
    installed_plugins,
    is_own,
    look_at,
    tried_apart,
)
from mvarena.registry.user_code import as_contestant, load_local, loads_by_itself
from mvarena.text import told_error

S = TypeVar("S", bound=Spec)
COMPONENTS: tuple[Component, ...] = ("algorithm", "dataset", "corruption", "transform", "metric", "picker", "reader")


class Catalog:
    """The components of a set of plugins."""

    def __init__(self, plugins: Iterable[Plugin], failed: Iterable[FailedPlugin] = ()) -> None:
        self._failed = tuple(failed)
        self._tried: set[str] = set()
        self._entries: dict[tuple[str, str], list[tuple[Spec, Plugin]]] = defaultdict(list)
        for plugin in plugins:
            for spec in plugin.specs:
                self._entries[spec.component, spec.name].append((spec, plugin))

    def names(self, component: Component) -> list[str]:
        """All names of that kind of component, sorted."""
        return sorted(name for kind, name in self._entries if kind == component)

    def specs(self, component: Component) -> list[Spec]:
        """All specs of that kind, sorted by name."""
        return [self._entries[component, name][0][0] for name in self.names(component)]

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

    def conflicts(self) -> list[str]:
        """One sentence for each name that two plugins provide."""
        return [self._conflict(*key) for key, item in sorted(self._entries.items()) if len(item) > 1]

    def load(self, spec: Spec) -> Any:
        """The object behind `spec.target`, whether or not a plugin of this catalog announces it.

        Raises PluginError, naming the distribution, if it cannot be imported.
        """
        if isinstance(spec, AlgorithmSpec) and loads_by_itself(spec):
            return load_local(spec)
        try:
            self._try(spec)
            with imported_quietly():
                result = _imported(spec)
        except Exception as error:
            origin = [
                f" of {p.distribution} {p.version}" for _, p in self._entries.get((spec.component, spec.name), ())
            ]
            raise PluginError(
                f"{spec.component} '{spec.name}'{''.join(origin)} cannot be imported from {spec.target}: "
                + told_error(error)
            ) from error
        return as_contestant(result) if spec.component == "algorithm" else result

    def _try(self, spec: Spec) -> None:
        """Have a fork import the target of `spec` and read its annotations first, once, where it is a plugin's."""
        if spec.target in self._tried or is_own(spec.target):
            return
        tried_apart("it", lambda: look_at(_imported(spec)))
        self._tried.add(spec.target)

    def _get(self, component: Component, name: str, expected: type[S]) -> S:
        spec, _ = self._one(component, name)
        assert isinstance(spec, expected)
        return spec

    def _one(self, component: Component, name: str) -> tuple[Spec, Plugin]:
        value = self._entries.get((component, name))
        if not value:
            raise unknown_name(component, name, self.names(component), self._hint(component))
        if len(value) > 1:
            raise PluginError(self._conflict(component, name))
        return value[0]

    def _hint(self, component: Component) -> str:
        hint = f"See 'mvarena list {component}s'."
        if self._failed:
            names = ", ".join(sorted({plugin.distribution for plugin in self._failed}))
            hint += f" (A plugin of {names} failed to load: see 'mvarena plugins'.)"
        return hint

    def _conflict(self, component: str, name: str) -> str:
        owners = " and ".join(sorted(f"{p.distribution} {p.version}" for _, p in self._entries[component, name]))
        return f"{component} '{name}' is provided by {owners}; uninstall one of them."


def _imported(spec: Spec) -> Any:
    module, _, attribute = spec.target.partition(":")
    return getattr(import_module(module), attribute)


@cache
def installed_catalog() -> Catalog:
    """The components of this environment's plugins."""
    plugins = installed_plugins()
    return Catalog(plugins.loaded, plugins.failed)
