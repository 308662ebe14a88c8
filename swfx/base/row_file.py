"""Files of rows that a program changes one by one: tables in SQLite, with their version."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar, get_args, get_type_hints

from swfx.base.errors import InputError

Row = TypeVar("Row")

_TYPES = {str: "TEXT", int: "INTEGER", float: "REAL"}


class RowFile:
    """An SQLite file with one table for each type of row; what was written is on the disk.

    Parameters
    ----------
    path : Path
        The file, made if there is none.
    version : int
        Version of the row types; a file of another version is refused.
    tables : mapping of type to sequence of str
        Row types: NamedTuples or dataclasses of texts, integers, floats, and these or None. For
        each the indexes, as names of fields: the first identifies a row, the others make finding
        rows quick.

    Raises
    ------
    InputError
        The file cannot be written, is no database, or has another version.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> class Fruit(NamedTuple):
    ...     name: str
    ...     weight: float
    >>> with RowFile(Path(":memory:"), 1, {Fruit: ["name"]}) as file:
    ...     file.put([Fruit("apple", 0.2), Fruit("melon", 3.0), Fruit("apple", 0.3)])
    ...     file.find(Fruit, name="apple")
    [Fruit(name='apple', weight=0.3)]
    """

    def __init__(self, path: Path, version: int, tables: Mapping[type, Sequence[str]]) -> None:
        self._path, self._version = path, version
        self._fields = {kind: get_type_hints(kind) for kind in tables}
        try:
            with ExitStack() as opened:
                connection = closing(sqlite3.connect(path, isolation_level=None))
                self.connection = opened.enter_context(connection)
                self.connection.execute("PRAGMA journal_mode = WAL")
                self.connection.execute("PRAGMA synchronous = FULL")
                self._make(tables)
                opened.pop_all()  # a file that is refused is closed, others by `close`
        except sqlite3.Error as error:
            raise InputError(str(error), source=str(path), remedy="name another place") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write all that the block writes, or nothing of it; no other process writes meanwhile."""
        if self.connection.in_transaction:
            yield
            return
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def put(self, rows: Iterable[Any]) -> None:
        """Write rows, each in place of the row with the same identity: all of them, or none."""
        with self.writing():
            for row in rows:
                names = self._fields[type(row)]
                query = f"REPLACE INTO {_name(type(row))} VALUES ({', '.join('?' * len(names))})"
                self.connection.execute(query, [getattr(row, name) for name in names])

    def find(
        self, kind: type[Row], *, last_by: str = "", most: int = -1, **values: object
    ) -> list[Row]:
        """Return the rows of a type with these values.

        Parameters
        ----------
        kind : type
            Row type.
        last_by : str
            Field by which the rows are sorted, largest first; empty: any order.
        most : int
            Number of rows at most; -1: all.
        **values
            Fields and their values.
        """
        order = f" ORDER BY {last_by} DESC" if last_by else ""
        query = f"SELECT * FROM {_name(kind)}{self._where(kind, values)}{order} LIMIT ?"
        with closing(self.connection.execute(query, (*values.values(), most))) as rows:
            return [kind(*row) for row in rows]

    def count(self, kind: type) -> int:
        """Return the number of rows of a type."""
        query = f"SELECT count(*) FROM {_name(kind)}"
        return int(self.connection.execute(query).fetchone()[0])

    def drop(self, kind: type, **values: object) -> int:
        """Remove the rows of a type with these values, and return their number."""
        query = f"DELETE FROM {_name(kind)}{self._where(kind, values)}"
        with self.writing():
            return self.connection.execute(query, tuple(values.values())).rowcount

    def _make(self, tables: Mapping[type, Sequence[str]]) -> None:
        """Make the tables of a new file; refuse one that holds others."""
        if self._stored_version() == self._version:
            return
        with self.writing():
            stored = self._stored_version()  # another process may have made them meanwhile
            if stored == self._version:
                return
            if self.connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
                raise InputError(
                    f"has rows of version {stored}, and this program those of {self._version}",
                    source=str(self._path),
                    remedy="name another place, or use the program that wrote it",
                )
            for kind, (key, *others) in tables.items():
                self._make_table(kind, key, others)
            self.connection.execute(f"PRAGMA user_version = {self._version:d}")

    def _stored_version(self) -> int:
        return int(self.connection.execute("PRAGMA user_version").fetchone()[0])

    def _make_table(self, kind: type, key: str, others: Iterable[str]) -> None:
        name = _name(kind)
        columns = [f"{field} {_column(hint)}" for field, hint in self._fields[kind].items()]
        columns.append(f"PRIMARY KEY ({', '.join(key.split())})")
        self.connection.execute(f"CREATE TABLE {name} ({', '.join(columns)}) STRICT")
        for place, fields in enumerate(others):
            index = f"CREATE INDEX index_{kind.__name__}_{place} ON {name}"
            self.connection.execute(f"{index} ({', '.join(fields.split())})")

    def _where(self, kind: type, values: Mapping[str, object]) -> str:
        """Return the condition that fields have these values; None is a value like others."""
        unknown = values.keys() - self._fields[kind].keys()
        assert not unknown, f"{kind.__name__} has no {', '.join(unknown)}"
        return f" WHERE {' AND '.join(f'{field} IS ?' for field in values)}" if values else ""


def _name(kind: type) -> str:
    """Return the table of a row type."""
    return f'"{kind.__name__}"'


def _column(hint: Any) -> str:
    """Return the SQL type of a field."""
    types = get_args(hint) or (hint,)
    [base] = (each for each in types if each is not type(None))
    return _TYPES[base] if type(None) in types else f"{_TYPES[base]} NOT NULL"
