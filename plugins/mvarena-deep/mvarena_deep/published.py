"""Numbers that papers print, and those of other settings than the study's: the file published.toml beside a study."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

Score = tuple[float, float]  # ACC and NMI in percent


@dataclass(frozen=True)
class Setting:
    """scores : method -> its mean over masks, by the published command with these options."""

    changed: str
    options: str
    scores: dict[str, Score]


@dataclass(frozen=True)
class Published:
    """printed : method -> (source, score) on the data set at the rate. finding : of the settings, in words."""

    dataset: str
    rate: float
    masks: int
    command: str
    finding: str
    printed: dict[str, tuple[str, Score]]
    settings: tuple[Setting, ...]


def read_published(path: Path) -> Published | None:
    """What the file holds; None where there is no such file."""
    if not path.exists():
        return None
    file = tomllib.loads(path.read_text(encoding="utf-8"))
    printed = {entry["algorithm"]: (entry["source"], tuple(entry["score"])) for entry in file["printed"]}
    settings = tuple(
        Setting(entry["changed"], entry["options"], {name: tuple(entry[name]) for name in printed})
        for entry in file["setting"]
    )
    return Published(
        dataset=file["dataset"],
        rate=float(file["rate"]),
        masks=int(file["masks"]),
        command=file["command"],
        finding=file["finding"].strip(),
        printed=printed,
        settings=settings,
    )


def rows_of(published: Published, own: Sequence[str]) -> list[list[str]]:
    """Rows of a setting, the score of each method, and the options of its command. own : the study's scores."""
    printed = published.printed.values()
    rows = [
        [
            f"printed ({'; '.join(dict.fromkeys(source for source, _ in printed))})",
            *(_words(s) for _, s in printed),
            "",
        ],
        ["this study", *own, ""],
    ]
    return rows + [
        [setting.changed, *(_words(setting.scores[name]) for name in published.printed), _code(setting.options)]
        for setting in published.settings
    ]


def _words(score: Score) -> str:
    return " / ".join(f"{value:.1f}" for value in score)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""
