"""Files of rows: written whole or not at all, found by fields, refused in another version."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from swfx.base.errors import InputError
from swfx.base.row_file import RowFile


class Fruit(NamedTuple):
    name: str
    weight: float
    count: int = 1
    eaten: float | None = None


@dataclass(frozen=True)
class Basket:
    name: str
    owner: str


TABLES = {Fruit: ["name", "weight"], Basket: ["name owner"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "fruit.db"


def test_rows_are_found_by_fields_in_order_and_again_later(path: Path) -> None:
    with RowFile(path, 1, TABLES) as file:
        file.put([Fruit("apple", 0.2), Fruit("melon", 3.0), Fruit("grape", 0.01, 40)])
        file.put([Fruit("melon", 2.5, eaten=9.0), Basket("small", "ann"), Basket("small", "bob")])

    with RowFile(path, 1, TABLES) as file:
        assert file.find(Fruit, last_by="weight", most=2) == [
            Fruit("melon", 2.5, eaten=9.0),
            Fruit("apple", 0.2),
        ]
        assert {each.name for each in file.find(Fruit, eaten=None)} == {"apple", "grape"}
        assert file.find(Basket, owner="bob") == [Basket("small", "bob")]
        assert file.drop(Fruit, eaten=None) == 2
        assert (file.count(Fruit), file.count(Basket)) == (1, 2)


def eat(file: RowFile, weight: object) -> None:
    with file.writing():
        file.drop(Fruit, name="apple")
        file.put([Fruit("melon", 3.0), Fruit("grape", weight)])  # type: ignore[arg-type]


def test_a_block_is_written_whole_or_not_at_all(path: Path) -> None:
    with RowFile(path, 1, TABLES) as file:
        file.put([Fruit("apple", 0.2)])
        with pytest.raises(sqlite3.IntegrityError):
            eat(file, "heavy")
        assert file.find(Fruit) == [Fruit("apple", 0.2)]

        eat(file, 0.01)
        assert {each.name for each in file.find(Fruit)} == {"melon", "grape"}


def test_a_file_of_another_version_or_kind_is_refused(path: Path, tmp_path: Path) -> None:
    RowFile(path, 1, TABLES).close()
    with pytest.raises(InputError, match="has rows of version 1, and this program those of 2"):
        RowFile(path, 2, TABLES)
    assert path not in [each.resolve() for each in Path("/proc/self/fd").iterdir()]  # it is closed

    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE mine (text TEXT)")
    with pytest.raises(InputError, match="has rows of version 0"):
        RowFile(other, 1, TABLES)

    text = tmp_path / "text.db"
    text.write_text("no database at all, but long enough to be taken for one" * 20)
    with pytest.raises(InputError, match=r"text.db: file is not a database"):
        RowFile(text, 1, TABLES)
    with pytest.raises(InputError, match="unable to open"):
        RowFile(tmp_path / "nowhere" / "a.db", 1, TABLES)
