from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest

from swfx import InputError
from utilitysched.runs import json_text, write_json
from utilitysched.runs.files import unwritable


def test_numpy_values_become_plain_ones() -> None:
    value = {"a": np.int64(3), "b": np.array([1.5, np.nan]), 2: (True, None), "p": Path("x")}

    assert json.loads(json_text(value)) == {
        "a": 3,
        "b": [1.5, None],
        "2": [True, None],
        "p": "x",
    }


def test_what_json_has_no_word_for_is_null() -> None:
    assert json_text([float("inf"), float("-inf"), float("nan")], indent=None) == (
        "[null, null, null]"
    )


def test_order_is_kept_and_text_is_text(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"z": 1, "a": "p~ ×"})

    assert (tmp_path / "a.json").read_text(encoding="utf-8") == '{\n  "z": 1,\n  "a": "p~ ×"\n}\n'
    assert list(tmp_path.iterdir()) == [tmp_path / "a.json"]


def test_a_failure_while_writing_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    write_json(path, "old")

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError, match="no space left on device"):
        write_json(path, "new")
    assert path.read_text() == '"old"\n'
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_told_as_one() -> None:
    error = unwritable(Path("runs"), OSError(errno.ENOSPC, "No space left on device"))

    assert str(error) == "runs: cannot be written: no space left on device; make room there"
