"""Recordings of Slurm 25.05.8, which are not part of the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

NEWER = Path(__file__).parents[3] / "shared" / "slurm-listings" / "newer"


def newer_listings() -> Path:
    """The folder of the recordings; tests that need it are skipped without it, never on CI."""
    if not NEWER.is_dir():
        reason = f"no recordings of Slurm 25.05.8 at {NEWER}: they are not part of the repository"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return NEWER
