"""Plug-ins of one file: run once, replaced by what is edited, errors with their line."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from swfx import InputError
from swfx.base import plugin_file
from swfx.base.plugin_file import PluginFile, blamed, load_plugins, loaded_plugins, read_plugins
from swfx.families.transforms import TRANSFORMS

TRANSFORMATION = '''\
from dataclasses import dataclass
from swfx.families.transforms import TRANSFORMS, Transformation, Transformed

@TRANSFORMS.register("half")
@dataclass(frozen=True)
class Half(Transformation):
    """Every other job."""
    keeps_jobs = False
    def apply(self, workload, seed):
        return Transformed(workload[::STEP])
'''


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no plug-in behind."""
    monkeypatch.setattr(plugin_file, "_LOADED", {})
    monkeypatch.setattr(TRANSFORMS, "_known", dict(TRANSFORMS.members()))


def plugin(source: str, path: str = "mine.py") -> PluginFile:
    return PluginFile(path, source.encode())


def test_a_file_enters_what_it_holds(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(TRANSFORMATION)

    read_plugins([file])

    assert "half" in TRANSFORMS.names()
    assert TRANSFORMS.summary("half") == "Every other job."
    assert plugin_file.plugin_digests() == (hashlib.sha256(file.read_bytes()).hexdigest(),)


def test_it_is_run_once() -> None:
    mine = plugin("RUNS = []\n" + TRANSFORMATION)
    load_plugins([mine])
    before = TRANSFORMS.members()["half"]

    load_plugins([mine])

    assert TRANSFORMS.members()["half"] is before


def test_an_edited_one_takes_the_place_of_the_former() -> None:
    load_plugins([plugin(TRANSFORMATION)])
    renamed = plugin(TRANSFORMATION.replace("Half", "Other"))

    load_plugins([renamed])

    assert TRANSFORMS.members()["half"].__name__ == "Other"
    assert loaded_plugins() == (renamed,)


def test_two_do_not_share_a_name() -> None:
    first, second = plugin(TRANSFORMATION), plugin("\n\n" + TRANSFORMATION, "yours.py")

    with pytest.raises(InputError, match=r"yours\.py:6: the transformation 'half' is in mine\.py"):
        load_plugins([first, second])

    assert loaded_plugins() == (first,)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import numpy\n\nnumpy.zero(3)\n", "mine.py:3: AttributeError: module 'numpy' has no"),
        ("def f(:\n", "mine.py:1: SyntaxError: invalid syntax"),
        ("from no_such_thing import x\n", "mine.py:1: ModuleNotFoundError: No module named"),
        ("def f():\n    1 / 0\n\nf()\n", "mine.py:2: ZeroDivisionError: division by zero"),
    ],
)
def test_an_error_has_its_line(source: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        load_plugins([plugin(source)])

    assert str(error.value).startswith(said)
    assert loaded_plugins() == ()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: no such file"):
        read_plugins([tmp_path / "mine.py"])


def test_later_errors_are_blamed_on_the_line_that_raised_them() -> None:
    load_plugins([plugin("def share(jobs):\n    return 1 / len(jobs)\n")])
    (mine,) = loaded_plugins()
    share = plugin_file.sys.modules[mine.module].share

    with pytest.raises(ZeroDivisionError) as error:
        share([])

    told = blamed(error.value)
    assert str(told) == "mine.py:2: ZeroDivisionError: division by zero"
    assert blamed(ZeroDivisionError("elsewhere")) is None
