"""What every test shares: where compiled code is kept, how hypothesis runs, where traces are."""

from __future__ import annotations

import gc
import os
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.outside import outside
from tests.scale import many
from tests.warm import share, work_alone

ROOT = Path(__file__).parents[1]
TRACES = ROOT.parent / "shared" / "traces"
LISTINGS = ROOT.parent / "shared" / "slurm-listings"


# Outside the packages, where code compiled of other states of the sources is removed. It is set
# before anything here imports numba.
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".numba_cache"))

# Hundreds of processes are started here, and assertions rewritten in each: what Python makes of
# sources is kept, also where the environment (that of a container, say) asks for the contrary.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# processes that run tests find it by their environment
share()

# pytest-xdist says how wide a terminal is where there is none
os.environ.pop("COLUMNS", None)

# the first call of a kernel compiles it, which no per-example deadline survives; how long it takes
# to draw examples says how busy the machine is, and nothing of what is tested
settings.register_profile(
    "utilitysched",
    deadline=None,
    max_examples=many(100),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("utilitysched")


TOGETHER = {
    "/browser/": "browser",
    "tests/utilitysched/experiments/": "clusters",
    "tests/utilitysched/workers/": "clusters",
    "tests/examples/test_examples.py": "pages",
    "tests/test_docs.py": "pages",
    "tests/test_architecture.py": "sources",
    "tests/test_compiled_sources.py": "sources",
    "tests/test_words.py": "sources",
}
"""Where tests stand that share what is dear to start, or count the processes of this machine."""


def group_of(test: str) -> str:
    """Return the name of the tests that one process runs together with this one, by its name."""
    file = test.partition("::")[0]
    if "postgresql" in test:
        return "postgresql"
    return next((group for folder, group in TOGETHER.items() if folder in file), file)


class InGroups(LoadScopeScheduling):
    """Tests of a group go to one process, group after group."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> InGroups:
    """Go by names: under pytest 9.2 the marks for groups of pytest-xdist 3.8 do nothing."""
    return InGroups(config, log)


def pytest_configure() -> None:
    """Take notice of interrupts: who starts tests in the background has them ignored.

    What is loaded to collect thousands of tests stays: until then no garbage is looked for.
    """
    gc.disable()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with suppress(ImportError):
        from sqlalchemy import Engine, event

        event.listen(Engine, "connect", write_without_waiting)


def write_without_waiting(connection: object, _: object) -> None:
    """Have SQLite not wait for the disk: no test cuts the power, and none kills this process."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous = OFF")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    """Leave what was loaded to collect the tests out of every garbage collection."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def works_alone() -> None:
    work_alone()


@pytest.fixture(scope="session")
def traces() -> Path:
    """The folder of real traces; tests that need it are skipped without it, never on CI."""
    return outside(TRACES, "real traces")


@pytest.fixture(scope="session")
def listings() -> Path:
    """The folder of real listings of Slurm; tests are skipped without it, never on CI."""
    return outside(LISTINGS, "listings")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """Addresses of databases on a server of our own, {} for the name; never skipped on CI."""
    from tests.postgresql import programs, server

    found = programs()
    if found is None:
        reason = "no PostgreSQL server is installed"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with server(found) as address:
        yield address
