"""Entry points of other distributions, sound and broken."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from pricing import make_mechanism, mechanism_names
from swfx import InputError
from swfx.base.plugins import (
    BrokenPlugin,
    import_family,
    installed_plugins,
    load_entry_points,
)
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.grid import cells, grid
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


PACKAGE = {
    "steps/__init__.py": "from . import rule\n",
    "steps/rule.py": "STEP = 2\n",
    "steps/table.toml": "depth = 3\n",
    "mine-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: mine\nVersion: 1\n",
    "mine-1.dist-info/entry_points.txt": "[utilitysched.orderings]\nsteps = steps.rule\n",
}


@pytest.fixture
def _forgotten() -> Iterator[None]:
    yield
    installed_plugins.cache_clear()


@pytest.mark.usefixtures("_forgotten")
@pytest.mark.parametrize("edited", ["steps/rule.py", "steps/table.toml", None], ids=str)
def test_an_edit_of_an_installed_one_is_another_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, edited: str | None
) -> None:
    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "grid.toml"
    path.write_text('[workload]\nsource = "sample:"\n[schedulers]\nnames = ["easy"]\n')

    def keys() -> tuple[str, str]:
        installed_plugins.cache_clear()
        (cell,) = cells(grid(read_experiment(path)))
        return cell.key, installed_plugins()["mine"]

    before = keys()
    (tmp_path / "steps/__pycache__").mkdir()
    (tmp_path / "steps/__pycache__/rule.pyc").write_bytes(b"compiled")
    if edited:
        (tmp_path / edited).write_text("depth = 4\n")

    after = keys()
    assert [old == new for old, new in zip(before, after, strict=True)] == [edited is None] * 2
