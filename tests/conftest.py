"""What every test shares: where compiled code is kept, how hypothesis runs, where traces are."""

from __future__ import annotations

import gc
import hashlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path

import pytest
from hypothesis import settings

from tests.scale import many

ROOT = Path(__file__).parents[1]
TRACES = ROOT.parent / "shared" / "traces"


def compiled_sources() -> list[Path]:
    """Files with compiled functions, and with the types that these take."""
    # run as a file: its package imports numba
    freshness = run_path(str(ROOT / "utilitysched" / "kernels" / "freshness.py"))
    patterns = ["swfx/kernels/*.py", *(f"utilitysched/{p}" for p in freshness["COMPILED"])]
    return sorted(path for pattern in patterns for path in ROOT.glob(pattern))


def _source_digest() -> str:
    digest = hashlib.sha256()
    for path in compiled_sources():
        digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


# numba does not notice an edit of a kernel that another file's kernel calls, so each state of the
# compiled sources has a cache of its own. It is set before anything here imports numba.
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".numba_cache" / _source_digest()))

# the first call of a kernel compiles it, which no per-example deadline survives
settings.register_profile("utilitysched", deadline=None, max_examples=many(100))
settings.load_profile("utilitysched")


def pytest_configure() -> None:
    """Take notice of interrupts: who starts tests in the background has them ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Leave what was loaded to collect thousands of tests out of every garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def traces() -> Path:
    """The folder of real traces; tests that need it are skipped without it, never on CI."""
    if not TRACES.is_dir():
        reason = f"no real traces at {TRACES}: they are not part of the repository"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return TRACES


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
