"""Recordings of Slurm 25.05.8, which are not part of the repository."""

from __future__ import annotations

from pathlib import Path

from tests.outside import outside

NEWER = Path(__file__).parents[3] / "shared" / "slurm-listings" / "newer"


def newer_listings() -> Path:
    """The folder of the recordings; tests that need it are skipped without it, never on CI."""
    return outside(NEWER, "recordings of Slurm 25.05.8")
