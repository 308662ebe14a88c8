"""The folder of a server's files, which are for its owner only."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from swfx import InputError
from utilitysched_web.opening import open_site

LOOSE = ("quotes.db", "quotes.db-wal", "audit.jsonl", "void-tokens.json")


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}


def test_a_folder_of_before_is_closed_to_others(tmp_path: Path) -> None:
    state, elsewhere = tmp_path / "state", tmp_path / "elsewhere"
    run = state / "run" / "recorded"
    run.mkdir(parents=True)
    elsewhere.write_text("")
    elsewhere.chmod(0o644)
    (state / "linked.db").symlink_to(elsewhere)
    for path in (*(state / name for name in LOOSE), run / "jobs.csv"):
        path.write_text("")
        path.chmod(0o666)
    state.chmod(0o755)

    with pytest.raises(InputError):
        open_site("none.swf", state, "", lambda _: None)

    found = modes(state)
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert {found[name] for name in (*LOOSE, "jobs.csv")} == {0o600}
    assert {found[name] for name in ("run", "recorded")} == {0o700}
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644
