"""A trial: one algorithm, one data set, one corruption, one repeat. Plain data with a key.

The key is the sha256 of the canonical JSON of all that can change the result: changing nothing that matters
never runs again, changing something that matters always does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mvarena.study.protocol import Protocol
from mvarena.study.seeds import seed_for

KEY_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Step:
    """A named component with its declared version, as applied: a corruption (with its rate) or a transform."""

    name: str
    version: str
    rate: float | None = None

    def __str__(self) -> str:
        return self.name if self.rate is None else f"{self.name}:{self.rate:g}"


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One point of a study.

    algorithm, algorithm_version, params : the contestant, with every parameter that shapes its result.
    dataset : the name as typed, such as digits[fou,fac]; content : the fingerprint of its numbers, or for data
        drawn at random the generator's name and version.
    corruptions, prepare : what is applied, in order.
    repeat : 0, 1, ...: which mask (and draw). seed : the study's seed.
    picks_by_labels : the parameter over which the literature picks by ground truth; shown, never keyed.
    """

    algorithm: str
    algorithm_version: str
    params: Mapping[str, Any]
    dataset: str
    content: str
    corruptions: tuple[Step, ...]
    prepare: tuple[Step, ...]
    protocol: Protocol
    seed: int
    repeat: int
    picks_by_labels: str | None = None

    def identity(self) -> dict[str, Any]:
        """All that can change the result; the key is its hash."""
        return {
            "key_schema": KEY_SCHEMA,
            "algorithm": [self.algorithm, self.algorithm_version],
            "params": dict(self.params),
            "content": self.content,
            "corruptions": [[step.name, step.version, step.rate] for step in self.corruptions],
            "prepare": [[step.name, step.version] for step in self.prepare],
            "protocol": self.protocol.settings(),
            "seed": [self.seed, self.repeat],
        }

    @classmethod
    def from_identity(cls, identity: Mapping[str, Any], dataset: str) -> Trial:
        """The trial whose `identity()` this is, on the data set of that name; a protocol by its settings alone."""
        algorithm, version = identity["algorithm"]
        seed, repeat = identity["seed"]
        return cls(
            algorithm=algorithm,
            algorithm_version=version,
            params=identity["params"],
            dataset=dataset,
            content=identity["content"],
            corruptions=tuple(Step(*step) for step in identity["corruptions"]),
            prepare=tuple(Step(*step) for step in identity["prepare"]),
            protocol=Protocol(name="stored", summary="", **identity["protocol"]),
            seed=seed,
            repeat=repeat,
        )

    @cached_property
    def key(self) -> str:
        """64 hex digits."""
        canonical = json.dumps(self.identity(), sort_keys=True, separators=(",", ":"), allow_nan=True)
        return hashlib.sha256(canonical.encode()).hexdigest()

    @property
    def corruption(self) -> str:
        """The corruptions as one word: 'missing-even', 'missing-even+gaussian:10', or 'none'."""
        if not self.corruptions:
            return "none"
        return "+".join([self.corruptions[0].name, *(str(step) for step in self.corruptions[1:])])

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
        return seed_for(self.seed, "corruption", self.content, index, step.name, step.rate or 0.0, self.repeat)

    @property
    def algorithm_seed(self) -> int:
        """The algorithm's random_state."""
        return seed_for(self.seed, "algorithm", self._point(), self.algorithm, self.repeat)

    def restart_seeds(self) -> list[int]:
        """One k-means seed per restart; the first ones do not depend on how many there are."""
        point = self._point()
        return [seed_for(self.seed, "restart", point, self.repeat, i) for i in range(self.protocol.restarts)]

    def _point(self) -> str:
        return json.dumps([self.content, [str(step) for step in self.corruptions]])
