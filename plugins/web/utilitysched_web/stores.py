"""Files of SQLite in which a server keeps what people leave there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


@contextmanager
def opened(path: Path, schema: str) -> Iterator[sqlite3.Connection]:
    """Open a file, made by the schema if need be; what the block writes is kept if it succeeds."""
    with closing(sqlite3.connect(path)) as found, found:
        found.executescript(schema)
        yield found
