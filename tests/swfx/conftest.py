"""What the tests of swfx share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.outside import outside

REFERENCE = Path(__file__).parents[3] / "shared" / "reference"


@pytest.fixture(scope="session")
def reference_data() -> dict[str, Any]:
    """Statistics of the Lublin-Feitelson model, made by its authors' program."""
    return _statistics("lublin-feitelson-stats.json")


@pytest.fixture(scope="session")
def estimate_statistics() -> dict[str, Any]:
    """Statistics of the Tsafrir-Etsion-Feitelson model, made by its authors' program."""
    return _statistics("tsafrir-estimates-stats.json")


def _statistics(name: str) -> dict[str, Any]:
    """Read a file of reference statistics; tests that need one never skip on CI."""
    path = outside(REFERENCE / name, "reference statistics")
    statistics: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return statistics
