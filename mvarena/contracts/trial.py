"""A trial: one algorithm, one data set, one corruption, one repeat. Plain data with a key.

The key is the sha256 of the canonical JSON of all that can change the result: changing nothing that matters
never runs again, changing something that matters always does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mvarena.contracts.protocol import Protocol
from mvarena.contracts.seeds import seed_for
from mvarena.contracts.source import Source
from mvarena.contracts.specs import AlgorithmSpec

KEY_SCHEMA = 1
_EXACT_SEEDS = 2  # of trials with a rate that six digits do not say: their seeds take in all of its digits


@dataclass(frozen=True, slots=True)
class Step:
    """A named component with its declared version, as applied: a corruption (with its rate) or a transform.

    params : its parameters, of those only that differ from the defaults; kept sorted by name.
    """

    name: str
    version: str
    rate: float | None = None
    params: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", dict(sorted(self.params.items())))

    @property
    def label(self) -> str:
        """Its name with its parameters, as in 'missing-blocks[n_groups=2]'."""
        text = ",".join(f"{name}={value}" for name, value in self.params.items())
        return f"{self.name}[{text}]" if text else self.name

    def __str__(self) -> str:
        return self.label if self.rate is None else f"{self.label}:{self.rate:g}"

    @property
    def is_round(self) -> bool:
        """True if six digits say its rate exactly."""
        return self.rate is None or float(f"{self.rate:g}") == self.rate

    @property
    def scope(self) -> str:
        """Text of the condition in a seed's scope: its display text where that is exact, else with all digits of the
        rate."""
        rate = "" if self.rate is None else f":{self.rate:g}" if self.is_round else f":{float(self.rate)!r}"
        return f"{self.name}{rate}{_canonical(self.params) if self.params else ''}"

    def identity(self) -> list[Any]:
        """Name, version and rate, and the parameters where there are any."""
        return [self.name, self.version, self.rate, *([dict(self.params)] if self.params else [])]


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One point of a study.

    algorithm, algorithm_version, params : the contestant, with every parameter that shapes its result.
    source : where its data come from; content : the fingerprint of their numbers, or for data drawn at random the
        generator's name and version. Only the content is keyed.
    corruptions, prepare : what is applied, in order.
    repeat : 0, 1, ...: which mask (and draw). seed : the study's seed.
    picks_by_labels : the parameter over which the literature picks by ground truth; shown, never keyed.
    keep_restarts : whether the labels of every restart are kept, not those of the one that counts alone. Never keyed.
    spec : of a contestant that no plugin provides (a user's own file); None: the plugin's of that name. Never keyed:
        such a contestant's version says what its code is.
    """

    algorithm: str
    algorithm_version: str
    params: Mapping[str, Any]
    source: Source
    content: str
    corruptions: tuple[Step, ...]
    prepare: tuple[Step, ...]
    protocol: Protocol
    seed: int
    repeat: int
    picks_by_labels: str | None = None
    keep_restarts: bool = False
    spec: AlgorithmSpec | None = None

    def identity(self) -> dict[str, Any]:
        """All that can change the result; the key is its hash."""
        values: dict[str, Any] = {
            "key_schema": KEY_SCHEMA,
            "algorithm": [self.algorithm, self.algorithm_version],
            "params": dict(self.params),
            "content": self.content,
            "corruptions": [step.identity() for step in self.corruptions],
            "prepare": [_without_rate(step.identity()) for step in self.prepare],
            "protocol": self.protocol.settings(),
            "seed": [self.seed, self.repeat],
        }
        return values if all(step.is_round for step in self.corruptions) else values | {"seeds": _EXACT_SEEDS}

    @classmethod
    def from_identity(cls, identity: Mapping[str, Any], source: Source) -> Trial:
        """The trial whose `identity()` this is, on data from `source`; a protocol by its settings alone."""
        algorithm, version = identity["algorithm"]
        seed, repeat = identity["seed"]
        return cls(
            algorithm=algorithm,
            algorithm_version=version,
            params=identity["params"],
            source=source,
            content=identity["content"],
            corruptions=tuple(Step(*step) for step in identity["corruptions"]),
            prepare=tuple(Step(name, version, None, *params) for name, version, *params in identity["prepare"]),
            protocol=Protocol(name="stored", summary="", **identity["protocol"]),
            seed=seed,
            repeat=repeat,
        )

    @property
    def dataset(self) -> str:
        """Display name of the data, such as digits[fou,fac]."""
        return self.source.name

    @property
    def identity_json(self) -> str:
        """The canonical JSON of the identity. Made anew each time: a plan may hold a million trials."""
        return _canonical(self.identity())

    @cached_property
    def key(self) -> str:
        """64 hex digits."""
        return hashlib.sha256(self.identity_json.encode()).hexdigest()

    @property
    def corruption(self) -> str:
        """The corruptions as one word: 'missing-even', 'missing-even+gaussian:10', or 'none'."""
        if not self.corruptions:
            return "none"
        return "+".join([self.corruptions[0].label, *(str(step) for step in self.corruptions[1:])])

    @property
    def rate(self) -> float:
        """The first corruption's rate; 0 where there is none."""
        return float(self.corruptions[0].rate or 0.0) if self.corruptions else 0.0

    @property
    def data_seed(self) -> int:
        """For data drawn at random: the same draw for every algorithm, corruption and rate of a repeat."""
        return seed_for(self.seed, "data", self.content, self.repeat)

    def corruption_seed(self, index: int) -> int:
        """The seed of the index-th corruption: the same for every algorithm and preparation."""
        step = self.corruptions[index]
        params = [_canonical(step.params)] if step.params else []
        point = (self.content, index, step.name, step.rate or 0.0, self.repeat)
        return seed_for(self.seed, "corruption", *point, *params)

    @property
    def algorithm_seed(self) -> int:
        """The algorithm's random_state."""
        return seed_for(self.seed, "algorithm", self._point(), self.algorithm, self.repeat)

    def restart_seeds(self) -> list[int]:
        """One k-means seed per restart; the first ones do not depend on how many there are."""
        point = self._point()
        return [seed_for(self.seed, "restart", point, self.repeat, i) for i in range(self.protocol.restarts)]

    def _point(self) -> str:
        return json.dumps([self.content, [step.scope for step in self.corruptions]])


_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=True).encode


def _without_rate(listed: list[Any]) -> list[Any]:
    return [*listed[:2], *listed[3:]]
