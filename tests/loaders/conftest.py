"""A server of files, and cards of mvarena's own in a temporary folder."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from file_server import Server
from toy_cards import card_text

from mvarena.loaders import cards, files, specs


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def write_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A function that writes the card of a data set of mvarena's own, 'toy', and returns its folder.

    The cache is in `tmp_path / "cache"`. Its parameters are those of `card_text`, and `name`.
    """
    root = tmp_path / "project"
    monkeypatch.setattr(specs, "cards_root", lambda: root)
    monkeypatch.setattr(files, "cards_root", lambda: root)
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MVARENA_DATA", raising=False)

    def write(*content: object, name: str = "toy", **further: object) -> Path:
        (root / name).mkdir(parents=True, exist_ok=True)
        (root / name / "card.toml").write_text(card_text(*content, **further))  # type: ignore[arg-type]
        cards.read_card.cache_clear()
        return root / name

    return write
