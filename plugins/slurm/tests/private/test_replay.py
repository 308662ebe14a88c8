"""A log on a real Slurm, under its own policy and under the market, beside its simulation."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugins.slurm.benchmarks.replay import LOG, STEPS, part, picture, played, predicted, table
from plugins.slurm.tests.private.replay import OWN
from swfx import Workload, open_workload
from utilitysched.engine.recorded import occupation
from utilitysched.report.figures.canvas import save

pytestmark = pytest.mark.slurm

JOBS, SPEED = 24, 3600.0
"""Of the log, and s of it in a second."""


@pytest.fixture(scope="module")
def log(slurm: None) -> Workload:
    return part(open_workload(LOG).workload, STEPS)[:JOBS]


@pytest.mark.parametrize("policy", [OWN, "ga"])
def test_a_log_runs_on_slurm_as_it_is_decided(log: Workload, policy: str, tmp_path: Path) -> None:
    found = played(log, policy, SPEED)

    start, end = found.played.start, found.played.end
    assert (start >= log.submit).all()
    assert (end - start >= log.effective_run - 0.001 * SPEED).all()  # sleeps are in whole ms
    assert occupation(start, end, log.size, log.machine_size or 0).beyond == 0
    if policy != OWN:
        assert found.played.asked == found.played.alike > 0
        # on a machine in use Slurm may start a job later than the market waits for that
        assert found.played.releases >= found.played.followed > 0
    pairs = {policy: found}
    assert [row[0] for row in table(log, pairs).rows] == [policy]
    save(lambda: picture(log, pairs), tmp_path / "replay.png")


def test_limits_are_whole_minutes_for_slurm_alone(log: Workload) -> None:
    own, market = (predicted(log, name, 100 * SPEED) for name in (OWN, "conservative"))

    assert own != market
    assert predicted(log, OWN, 1 / 60) == market
