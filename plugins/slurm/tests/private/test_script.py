"""The submission script in force, as a real slurmctld answers for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from plugins.slurm.tests.private.cluster import SCRIPTS, PrivateCluster, script_for
from swfx import InputError
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm import commands
from utilitysched_slurm.driver import Driver, DriverTerms
from utilitysched_slurm.lock import ClusterLock, LockedError
from utilitysched_slurm.script import probe, require_heartbeat
from utilitysched_slurm.worth import worth_by

pytestmark = pytest.mark.slurm

OURS = SCRIPTS[0].read_text()
LOADS = OURS.replace("slurm_job_submit, slurm_job_modify =", "local submitted, modified =")
OWN = """
function slurm_job_submit(job, partitions, user)
   if job.account == "nobody" then
      slurm.log_user("ask for an account")
      return slurm.ERROR
   end
   {submit}
end

function slurm_job_modify(job, record, partitions, user)
   if user == 0 then
      return slurm.SUCCESS
   end
   {modify}
end

return slurm.SUCCESS
"""
PASSES = "return slurm.SUCCESS"
SUBMIT = "return utilitysched_submit(job, partitions, user)"
MODIFY = "return utilitysched_modify(job, record, partitions, user)"


def own(submit: str, modify: str) -> str:
    """A centre's script, which has a rule of its own."""
    return LOADS.replace(PASSES, "") + OWN.format(submit=submit, modify=modify)


@pytest.fixture(scope="module")
def heart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("heart") / "heartbeat"


@pytest.fixture(scope="module")
def cluster(slurm: None, heart: Path) -> Iterator[PrivateCluster]:
    partitions = (
        "PartitionName=main Nodes=n1 Default=YES MaxTime=60 State=UP",
        "PartitionName=gpu Nodes=n2 MaxTime=60 State=UP",
    )
    accounts = ("add account physics", "add user root account=physics")
    nodes = dict.fromkeys(("n1", "n2"), "CPUs=2 RealMemory=1000")
    settings, scripts = (*partitions, "JobSubmitPlugins=lua"), script_for(heart, heart.parent)
    with PrivateCluster(nodes, settings, (), accounts, scripts) as started:
        yield started


@pytest.mark.parametrize(
    ("text", "modify"),
    [(OURS, True), (own(SUBMIT, MODIFY), True), (own(SUBMIT, PASSES), False)],
    ids=["ours", "own", "half"],
)
def test_a_script_that_calls_the_market_answers(
    ours: PrivateCluster, text: str, modify: bool
) -> None:
    ours.have_script(text)
    script = probe().script
    assert script is not None
    assert (script.modify, script.operators) == (modify, [0])
    assert ours.states() == {}


@pytest.mark.parametrize(
    "text", [own(PASSES, MODIFY), own("return nonsense.x", MODIFY)], ids=["without", "broken"]
)
def test_a_script_that_does_not_is_found_out(ours: PrivateCluster, text: str) -> None:
    ours.have_script(text)
    assert probe() == (None, True, "")


def test_what_others_refuse_before_is_said(
    ours: PrivateCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours.have_script(own(SUBMIT, MODIFY))
    monkeypatch.setenv("SBATCH_ACCOUNT", "nobody")
    assert probe() == (None, False, "ask for an account")


def test_a_market_that_is_not_seen_does_not_begin(ours: PrivateCluster, heart: Path) -> None:
    ours.have_script(OURS)
    for beat in ("", f"{time.time() - 61:.0f}"):
        heart.write_text(beat)
        with pytest.raises(InputError, match="sees no sign of life of a market of all partitions"):
            require_heartbeat("", heart)
    heart.write_text(f"{time.time():.0f}")
    require_heartbeat("", heart)
    with pytest.raises(InputError, match="sees no sign of life"):
        require_heartbeat("", heart.with_name("another"))
    with pytest.raises(InputError, match='partition = "main", heartbeat ='):
        require_heartbeat("main", heart)


@pytest.fixture
def side_by_side(ours: PrivateCluster, heart: Path) -> Iterator[dict[str, Path]]:
    """Give the heartbeats of two markets, which have just given signs of life."""
    places = {name: heart.with_name(name) for name in ("main", "gpu")}
    markets = ", ".join(
        f'{{ partition = "{name}", heartbeat = "{place}" }}' for name, place in places.items()
    )
    ours.have_script(OURS.replace(PASSES, f"utilitysched.markets = {{ {markets} }}\n{PASSES}"))
    for place in places.values():
        place.write_text(f"{time.time():.0f}")
    yield places
    ours.run("scancel", "--state=PENDING")


def is_held(cluster: PrivateCluster, job: int) -> bool:
    return "Priority=0 " in cluster.run("scontrol", "show", "job", str(job))


def test_a_job_is_held_by_the_market_of_its_partition(
    ours: PrivateCluster, side_by_side: dict[str, Path]
) -> None:
    for name, place in side_by_side.items():
        require_heartbeat(name, place)

    with pytest.raises(AssertionError, match="name one; a market each have main, gpu"):
        ours.submit("-n1", "--partition=main,gpu")
    assert is_held(ours, ours.submit("-n1", "--partition=main"))
    side_by_side["main"].unlink()
    assert is_held(ours, ours.submit("-n1", "--partition=gpu"))
    assert not is_held(ours, ours.submit("-n1"))


def test_markets_side_by_side_leave_each_others_jobs_alone(
    ours: PrivateCluster, side_by_side: dict[str, Path], tmp_path: Path
) -> None:
    jobs = {name: ours.submit("-n4", f"--partition={name}") for name in side_by_side}
    with ExitStack() as opened:
        for name in side_by_side:
            opened.enter_context(ClusterLock(tmp_path / name, partition=name))
        for name in ("gpu", ""):
            with pytest.raises(LockedError):
                ClusterLock(tmp_path / "other", partition=name).take()
        markets = {
            name: opened.enter_context(
                Driver(
                    tmp_path / name,
                    commands,
                    make_scheduler("easy"),
                    worth_by("none", 0),
                    DriverTerms(name),
                )
            )
            for name in side_by_side
        }
        for market in markets.values():
            market.cycle()
        for name, market in markets.items():
            assert market.store.active.keys() == {str(jobs[name])}
        markets["main"].release_all()
        markets["gpu"].cycle()

    assert not is_held(ours, jobs["main"])
    assert is_held(ours, jobs["gpu"])
