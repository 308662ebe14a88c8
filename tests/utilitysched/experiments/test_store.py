"""Stores: what is there is whole, and nobody runs what another runs."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from swfx import InputError
from tests.utilitysched.experiments.small import small_cell
from utilitysched.experiments import store as store_module
from utilitysched.experiments.cell import CellResult, run_cell
from utilitysched.experiments.store import Store

CELL = small_cell()


def filled(path: Path) -> Path:
    """Put a cell into a store and return its file."""
    with Store(path) as store:
        assert store.claim(CELL)
        store.put(CELL, run_cell(CELL))
        return store.file(CELL)


def claim_and_die(path: Path) -> None:
    Store(path).claim(CELL)
    os._exit(1)


def claim_and_live(path: Path, claimed: object, over: object) -> None:
    with Store(path) as store:
        store.claim(CELL)
        claimed.set()  # type: ignore[attr-defined]
        over.wait()  # type: ignore[attr-defined]


def test_what_is_put_is_got(tmp_path: Path) -> None:
    filled(tmp_path / "store")

    again = Store(tmp_path / "store")
    assert again.get(CELL) == run_cell(CELL)
    assert again.missing([CELL, small_cell("fcfs")]) == [small_cell("fcfs")]


def test_reading_makes_nothing(tmp_path: Path) -> None:
    assert Store(tmp_path / "store").missing([CELL]) == [CELL]
    assert not (tmp_path / "store").exists()


def test_an_error_is_not_kept(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        assert store.claim(CELL)
        store.put(CELL, CellResult({}, error="no"))

        assert store.get(CELL) is None
        assert store.claim(CELL)


@pytest.mark.parametrize("place", range(0, 1000, 97))
def test_a_flipped_bit_is_noticed(place: int, tmp_path: Path) -> None:
    file = filled(tmp_path / "store")
    content = bytearray(file.read_bytes())
    content[place % len(content)] ^= 1
    file.write_bytes(content)
    said: list[str] = []
    with Store(tmp_path / "store", said.append) as store:
        assert store.missing([CELL]) == [CELL]
        assert store.claim(CELL)
        store.put(CELL, run_cell(CELL))
        assert store.get(CELL) == run_cell(CELL)

    assert said == [f"{file} is damaged, and counts as not run"]


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b"null", b'{"sha256": ""}', b"\xff"],
)
def test_other_content_is_noticed(content: bytes, tmp_path: Path) -> None:
    filled(tmp_path / "store").write_bytes(content)

    assert Store(tmp_path / "store").get(CELL) is None


def test_a_file_under_the_name_of_another_cell_is_noticed(tmp_path: Path) -> None:
    file = filled(tmp_path / "store")
    store = Store(tmp_path / "store")
    other = store.file(small_cell("fcfs"))
    other.parent.mkdir(exist_ok=True)
    other.write_bytes(file.read_bytes())

    assert store.get(small_cell("fcfs")) is None


def test_a_claimed_cell_is_not_claimed_again(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        assert store.claim(CELL)
        assert not store.claim(CELL)

        store.release(CELL)
        assert store.claim(CELL)


def test_a_finished_cell_is_not_claimed(tmp_path: Path) -> None:
    filled(tmp_path / "store")

    with Store(tmp_path / "store") as store:
        assert not store.claim(CELL)


def test_claims_of_a_store_that_was_left_are_free(tmp_path: Path) -> None:
    first = Store(tmp_path / "store")
    first.claim(CELL)
    first.close()

    with Store(tmp_path / "store") as store:
        assert store.claim(CELL)


def test_the_claim_of_a_dead_process_is_taken_over_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=claim_and_die, args=(tmp_path / "store",))
    process.start()
    process.join()

    with Store(tmp_path / "store") as store:
        assert store.claim(CELL)


def test_the_claim_of_a_living_process_is_not(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    claimed, over = context.Event(), context.Event()
    process = context.Process(target=claim_and_live, args=(tmp_path / "store", claimed, over))
    process.start()
    assert claimed.wait(600)

    with Store(tmp_path / "store") as store:
        assert not store.claim(CELL)
        over.set()
        process.join()
        assert store.claim(CELL)


@pytest.mark.parametrize("error", store_module.WITHOUT_LOCKS)
def test_without_locks_every_process_runs_what_is_missing(
    error: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(store_module.fcntl, "lockf", refused)
    with Store(tmp_path / "store") as first, Store(tmp_path / "store") as second:
        assert first.claim(CELL)
        assert second.claim(CELL)


def test_what_a_killed_writer_left_goes(tmp_path: Path) -> None:
    file = Store(tmp_path / "store").file(CELL)
    file.parent.mkdir(parents=True)
    (file.parent / f".{file.name}.123.tmp").write_text("half")

    filled(tmp_path / "store")

    assert list(file.parent.iterdir()) == [file]


def test_a_store_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(InputError, match="cannot be written: not a directory"):
        Store(tmp_path / "file").claim(CELL)
