"""Two small runs, read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reports import make_runs, read_all
from utilitysched.report.html.shown import Shown
from utilitysched.runs import RunResults


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_runs(tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="session")
def runs(directory: Path) -> list[RunResults]:
    return read_all(directory)


@pytest.fixture
def shown(runs: list[RunResults]) -> Shown:
    return Shown.of(runs)
