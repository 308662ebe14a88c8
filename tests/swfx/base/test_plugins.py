"""Entry points of other distributions, sound and broken."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from pricing import make_mechanism, mechanism_names
from swfx import InputError
from swfx.base.plugins import BrokenPlugin, import_family, load_entry_points
from utilitysched.schedulers.registry import (
    _import_families,
    make_scheduler,
    scheduler_names,
)

GROUP = "utilitysched.orderings"


def install(monkeypatch: pytest.MonkeyPatch, *points: tuple[str, str]) -> None:
    monkeypatch.setattr(
        "swfx.base.plugins.entry_points",
        lambda group: [EntryPoint(name, value, group) for name, value in points],
    )


def test_sound_ones_are_loaded_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(EntryPoint, "load", lambda point: loaded.append(point.name))
    install(monkeypatch, ("second", "math:cos"), ("first", "math:sin"))

    load_entry_points(GROUP)

    assert loaded == ["first", "second"]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("math:no_such_name", "AttributeError: module 'math' has no attribute 'no_such_name'"),
    ],
)
def test_a_broken_one_is_named_and_left_out(
    monkeypatch: pytest.MonkeyPatch, value: str, reason: str
) -> None:
    install(monkeypatch, ("mine", value), ("sound", "math:sin"))
    loaded: list[str] = []
    load = EntryPoint.load
    monkeypatch.setattr(EntryPoint, "load", lambda point: loaded.append(point.name) or load(point))

    with pytest.warns(BrokenPlugin) as told:
        load_entry_points(GROUP)

    (warning,) = told
    assert str(warning.message) == (
        f"utilitysched.orderings: plug-in 'mine' ({value}) cannot be loaded: {reason}; "
        "update or uninstall the distribution it came with"
    )
    assert loaded == ["mine", "sound"]


def test_every_family_leaves_a_broken_one_out_until_it_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("swfx.base.plugins._BROKEN", {})
    install(monkeypatch, ("mine", "no_such_module"))
    for known in (import_family, _import_families):
        known.cache_clear()
    with pytest.warns(BrokenPlugin):
        assert "saf" in scheduler_names()
    with pytest.warns(BrokenPlugin):
        assert "first-price" in mechanism_names()

    for make in (make_scheduler, make_mechanism):
        with pytest.raises(InputError, match=r"plug-in 'mine' \(no_such_module\) cannot be loaded"):
            make("mine:patience=3")
        with pytest.raises(InputError, match=r"unknown .* 'yours'"):
            make("yours")
