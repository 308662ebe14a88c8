"""Tests on a private Slurm cluster are skipped where Slurm is not installed, never on CI."""

from __future__ import annotations

import os

import pytest

from plugins.slurm.tests.private.cluster import PACKAGES, PrivateCluster, missing_programs


@pytest.fixture(scope="session")
def slurm() -> None:
    """Whatever needs a cluster needs this, too."""
    if missing := missing_programs():
        reason = f"{', '.join(missing)} not found: apt-get install {PACKAGES}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture
def ours(cluster: PrivateCluster, monkeypatch: pytest.MonkeyPatch) -> PrivateCluster:
    """Give the cluster that our own commands ask, too."""
    for name, text in cluster.environment().items():
        monkeypatch.setenv(name, text)
    return cluster
