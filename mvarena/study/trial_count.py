"""Trials as users count them: one of a method that is picked by labels over its views counts once, not once a view."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Trial
from mvarena.text import plural


class Counted:
    """Counts trials as they end; a trial of several parts ends with the last of them.

    trials : each once. total : how many there are. parts : how many fits they are made of.
    Of trials of one part nothing is held but their number.
    """

    def __init__(self, trials: Sequence[Trial]) -> None:
        self._of = {trial.key: whole(trial) for trial in trials if trial.picks_by_labels is not None}
        self._open = Counter(self._of.values())
        self.parts = len(trials)
        self.total = self.parts - len(self._of) + len(self._open)
        self.ended = 0

    def end(self, keys: Iterable[str]) -> None:
        """These have ended; each key is given once."""
        for key in keys:
            value = self._of.get(key)
            if value is not None:
                self._open[value] -= 1
            self.ended += value is None or self._open[value] == 0


def statuses(trials: Iterable[Trial], became: Mapping[str, Status]) -> dict[str, Status]:
    """Trial, as users count them -> what became of it, of those that have a part in `became` (key -> status).

    Where its parts did not end alike it is that of the first part that is not done.
    """
    result: dict[str, Status] = {}
    for trial in trials:
        if (status := became.get(trial.key)) and result.setdefault(item := whole(trial), status) is Status.DONE:
            result[item] = status
    return result


def whole(trial: Trial) -> str:
    """Identity that all parts of one trial share: everything but the parameter over which labels pick."""
    if trial.picks_by_labels is None:
        return trial.key
    identity = trial.identity()
    params = {name: value for name, value in identity["params"].items() if name != trial.picks_by_labels}
    return json.dumps(identity | {"params": params}, sort_keys=True)


def count_in_words(trials: Sequence[Trial]) -> str:
    """'10 trials', or '10 trials (25 fits: bsv-kmeans one for each view)'."""
    counted = Counted(trials)
    text = plural(counted.total, "trial")
    if counted.parts == counted.total:
        return text
    over = {trial.algorithm: trial.picks_by_labels for trial in trials if trial.picks_by_labels}
    settings = ", ".join(f"{name} one for each {parameter}" for name, parameter in over.items())
    return f"{text} ({counted.parts} fits: {settings})"
