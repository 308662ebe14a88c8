"""Saving figures."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from swfx import InputError
from utilitysched.report.figures import canvas


def test_without_matplotlib_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "find_spec", {}.get)

    with pytest.raises(InputError, match=r"not installed; install utilitysched\[plot\]"):
        canvas.require_matplotlib()


def test_with_matplotlib_there_is_nothing_to_say() -> None:
    assert importlib.util.find_spec("matplotlib")
    canvas.require_matplotlib()


@pytest.mark.parametrize("name", ["fig.pgn", "fig", "fig.PDF"])
def test_an_unknown_format_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"figures are not saved as .*known: pdf, png, svg"):
        canvas.save(lambda: pytest.fail("not drawn"), tmp_path / name)
