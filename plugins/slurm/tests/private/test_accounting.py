"""Awkward jobs on a cluster of now: all that the core holds of the recorded listings holds here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plugins.slurm.tests.private.jobs import awkward_cluster, run_awkward_jobs
from plugins.slurm.tests.private.recording import record
from tests.conftest import ROOT

pytestmark = pytest.mark.slurm

TESTS = ("-q", "-p", "no:cacheprovider", "tests/slurm/test_accounting.py")


def test_what_is_imported_and_billed_is_what_sreport_says(slurm: None, tmp_path: Path) -> None:
    with awkward_cluster() as cluster:
        run_awkward_jobs(cluster)
        record(cluster, tmp_path)
    assert not cluster.folder.exists()

    tested = subprocess.run(
        [sys.executable, "-m", "pytest", *TESTS],
        cwd=ROOT,
        env=os.environ | {"SLURM_LISTINGS": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert tested.returncode == 0, tested.stdout
