"""Clusters of real processes."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.utilitysched.workers.dask_processes import DaskProcesses
from utilitysched.workers.remote import installation


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[DaskProcesses]:
    """Start a scheduler without workers; these read the sources when they start, as do we."""
    installation.cache_clear()
    folder = tmp_path / "dask"
    folder.mkdir()
    with DaskProcesses(folder) as processes:
        yield processes
    with warnings.catch_warnings():
        # clients of what was killed leave sockets, which a later test would be blamed for
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture
def one_death(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the scheduler blame a task for the first worker that dies, not for the fourth."""
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
