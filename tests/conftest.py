"""What every test shares: where compiled code is kept, how hypothesis runs, where traces are."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.scale import many

ROOT = Path(__file__).parents[1]
PACKAGES = ("swfx", "checkpoint", "pricing", "utilitysched")
NEVER_COMPILED = {
    "cli",
    "description",
    "experiments",
    "generators",
    "mechanisms",
    "metrics",
    "report",
    "runs",
    "series",
    "statistics",
}
TRACES = ROOT.parent / "shared" / "traces"


def _source_digest() -> str:
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if not NEVER_COMPILED.intersection(path.parts):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


# numba does not notice an edit of a kernel that another file's kernel calls, so each state of the
# compiled sources has a cache of its own. It is set before anything here imports numba.
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".numba_cache" / _source_digest()))

# the first call of a kernel compiles it, which no per-example deadline survives
settings.register_profile("utilitysched", deadline=None, max_examples=many(100))
settings.load_profile("utilitysched")


@pytest.fixture(scope="session")
def traces() -> Path:
    """The folder of real traces; tests that need it are skipped without it, never on CI."""
    if not TRACES.is_dir():
        reason = f"no real traces at {TRACES}: they are not part of the repository"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return TRACES
