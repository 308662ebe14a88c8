"""Data beside the repository, which are no part of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def outside(path: Path, what: str) -> Path:
    """Return the path of data; tests that need them are skipped without them, never on CI."""
    if not path.exists():
        reason = f"no {what} at {path}: they are not part of the repository"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return path
