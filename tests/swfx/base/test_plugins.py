"""Entry points of other distributions, sound and broken."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from swfx import InputError
from swfx.base.plugins import import_family, load_entry_points
from utilitysched.schedulers.registry import _import_families

GROUP = "utilitysched.orderings"


def install(monkeypatch: pytest.MonkeyPatch, *points: tuple[str, str]) -> None:
    found = [EntryPoint(name, value, GROUP) for name, value in points]
    monkeypatch.setattr("swfx.base.plugins.entry_points", lambda group: found)  # noqa: ARG005


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
def test_a_broken_one_is_named(monkeypatch: pytest.MonkeyPatch, value: str, reason: str) -> None:
    install(monkeypatch, ("mine", value))

    with pytest.raises(InputError) as error:
        load_entry_points(GROUP)

    assert str(error.value) == (
        f"utilitysched.orderings: plug-in 'mine' ({value}) cannot be loaded: {reason}; "
        "update or uninstall the distribution it came with"
    )


def test_every_family_refuses_a_broken_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from pricing import mechanism_names

    import_family.cache_clear()
    install(monkeypatch, ("mine", "no_such_module"))
    for known in (
        lambda: import_family("utilitysched.schedulers.orderings", GROUP),
        _import_families.__wrapped__,
        mechanism_names,
    ):
        with pytest.raises(InputError, match="plug-in 'mine'"):
            known()
