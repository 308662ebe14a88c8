"""What the tests of swfx share."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

REFERENCE = Path(__file__).parents[3] / "shared" / "reference" / "lublin-feitelson-stats.json"


@pytest.fixture(scope="session")
def reference_data() -> dict[str, Any]:
    """Statistics of the authors' program; tests that need them never skip on CI."""
    if not REFERENCE.is_file():
        reason = f"no reference statistics at {REFERENCE}: they are not part of the repository"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    statistics: dict[str, Any] = json.loads(REFERENCE.read_text("utf-8"))
    return statistics
