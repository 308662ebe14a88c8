"""The market in command of a real Slurm: what it decides is what happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plugins.slurm.tests.private.cluster import PrivateCluster
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_centre.accounts import Account, Book, Money, Terms, create
from utilitysched_slurm import commands, refusals
from utilitysched_slurm.accounting import AccountedRun, read_runs
from utilitysched_slurm.commands import Action
from utilitysched_slurm.driver import Driver, DriverTerms
from utilitysched_slurm.holds import HoldRule
from utilitysched_slurm.lock import PREFIX, ClusterLock, LockedError
from utilitysched_slurm.money import Treasury
from utilitysched_slurm.reading import read_jobs
from utilitysched_slurm.watch import rehearse
from utilitysched_slurm.worth import worth_by

pytestmark = pytest.mark.slurm

CORES = 4

ASKS = 6.0
"""s within which slurmctld asks slurmdbd for the index of a new job."""

UNANSWERED = b"\xff" * 7 + b"\xfe"
"""Index of a job in slurmctld's state while slurmdbd has yet to give it one."""


@pytest.fixture(scope="module")
def cluster(slurm: None) -> Iterator[PrivateCluster]:
    nodes = {f"n{number}": "CPUs=2 RealMemory=1000" for number in (1, 2)}
    partition = "PartitionName=main Nodes=n[1-2] Default=YES MaxTime=60 State=UP"
    accounts = ("add account physics", "add user root account=physics")
    with PrivateCluster(nodes, (partition,), (), accounts) as started:
        yield started


def driver(folder: Path, scheduler: str) -> Driver:
    rehearse(make_scheduler(scheduler))
    terms = DriverTerms(grace=1.0)
    return Driver(folder, commands, make_scheduler(scheduler), worth_by("none", 0), terms)


def bid(cluster: PrivateCluster, value: int, *options: str, script: str = "sleep 1") -> str:
    """Submit a job that takes all processors, worth so much for an hour."""
    given = (f"-n{CORES}", "-t5", f"--comment=0:{value},1h:0", *options)
    return str(cluster.submit(*given, script=script))


def in_command(cluster: PrivateCluster, driver: Driver, over: Callable[[], bool]) -> None:
    def cycled() -> bool:
        driver.cycle()
        return over()

    cluster.wait(cycled, "for the market")


def starts(cluster: PrivateCluster) -> list[str]:
    """Jobs by when Slurm says they started."""
    asked = ("--noheader", "--states=all", "--format=%S|%i")
    return [line.split("|")[1] for line in sorted(cluster.run("squeue", *asked).splitlines())]


def test_jobs_start_by_what_they_are_worth(ours: PrivateCluster, tmp_path: Path) -> None:
    with driver(tmp_path, "value-density") as market:
        first = bid(ours, 1, script=f"until [ -e {tmp_path}/go ]; do sleep .2; done")
        in_command(ours, market, lambda: ours.states()[first] == "RUNNING")
        poor, rich, middle = (bid(ours, value) for value in (10, 30, 20))
        jobs = [first, poor, rich, middle]
        in_command(ours, market, lambda: set(jobs) <= market.store.active.keys())
        (tmp_path / "go").touch()
        in_command(ours, market, lambda: {ours.states()[job] for job in jobs} == {"COMPLETED"})
        in_command(ours, market, lambda: not market.store.active)

    assert [job for job in starts(ours) if job in jobs] == [first, rich, middle, poor]


def test_a_preempted_job_writes_its_checkpoint_and_goes_on_from_it(
    ours: PrivateCluster, tmp_path: Path
) -> None:
    done = tmp_path / "checkpoint"
    script = f"""
steps=$(cat {done} 2>/dev/null || echo 0)
echo $steps >> {tmp_path}/began_with
trap 'echo $steps > {done}' USR1
while [ $steps -lt 6 -o ! -e {tmp_path}/go ]; do sleep 1 & wait $!; steps=$((steps + 1)); done"""
    with driver(tmp_path, "ga:preempt=true") as market:
        in_command(ours, market, lambda: True)
        curve = '{"utility": [[0, 1], [36000, 0]], "checkpoint": 1}'
        long = str(ours.submit(f"-n{CORES}", "-t60", f"--comment={curve}", script=script))
        submitted = time.time()
        in_command(ours, market, lambda: ours.states()[long] == "RUNNING")
        urgent = str(ours.submit(f"-n{CORES}", "-t1", "--comment=0:400,20s:300,1min:0"))
        in_command(ours, market, lambda: ours.states()[urgent] == "COMPLETED")
        saved = done.read_text()
        (tmp_path / "go").touch()
        in_command(ours, market, lambda: ours.states()[long] == "COMPLETED")
        in_command(ours, market, lambda: long not in market.store.active)
        known = market.store.last(long)
        listing = market.journal.listing.read_text().splitlines()

    assert (tmp_path / "began_with").read_text() == f"0\n{saved}"
    assert known is not None
    assert abs(known.submit - submitted) < 60
    states = [line.split("|")[5] for line in listing if line.startswith(f"{long}|")]
    assert states == ["REQUEUED", "COMPLETED"]


def test_a_driver_that_ends_leaves_nothing_held(ours: PrivateCluster, tmp_path: Path) -> None:
    with driver(tmp_path, "value-density") as market:
        jobs = [bid(ours, value, "--begin=now+1") for value in (1, 2, 3)]
        in_command(ours, market, lambda: set(jobs) <= market.store.active.keys())
        market.release_all()

    ours.wait(lambda: {ours.states()[job] for job in jobs} == {"COMPLETED"}, "for plain Slurm")


def test_accounts_pay_for_every_run_and_get_back_what_never_ran(
    ours: PrivateCluster, tmp_path: Path
) -> None:
    create(tmp_path / "books.db", Terms(Money("SU", 6), payer="account", credit_limit=0))
    rule = HoldRule("single-price:rate=3600")  # the most: nobody asks how long others ran
    terms, worth = DriverTerms(grace=1.0), worth_by("none", 0)
    with (
        Book(tmp_path / "books.db") as book,
        Treasury(tmp_path, book, rule, commands, "lab") as purse,
        Driver(tmp_path, commands, make_scheduler("value-density"), worth, terms, purse) as market,
    ):
        book.endow(Account("account", "physics"), 4000)
        # Slurm counts whole seconds: who started in the market's first one may have come before it
        time.sleep(1)
        script = f"until [ -e {tmp_path}/go ]; do sleep .2; done; sleep 1"
        stopped = bid(ours, 90, "-Aphysics", script=script)
        in_command(ours, market, lambda: ours.states()[stopped] == "RUNNING")
        commands.apply([Action("requeue", stopped)])
        (tmp_path / "go").touch()
        tasks = ("-Aphysics", "-n1", "-t5", "--array=1-3%1", "--comment=0:5,1h:0")
        array = str(ours.submit(*tasks))
        dear = bid(ours, 1, "-Aphysics", "-t60")  # 14,400 to be held
        in_command(ours, market, lambda: dear in market.store.active)
        told = ours.run("scontrol", "show", "job", dear)
        assert "account:physics cannot pay: 14,400.00 SU are to be held" in told
        in_command(ours, market, lambda: ours.states().get(f"{array}_1") == "COMPLETED")
        ours.run("scancel", array, dear)
        in_command(ours, market, lambda: not market.store.active and not list(purse.open))

        def accounted() -> dict[str, list[AccountedRun]]:
            return read_runs(commands.accounted([stopped, array, dear]))

        # the database may hear of an end after the controller
        in_command(ours, market, lambda: accounted()[stopped][-1].last)
        # Slurm may have started the dear one before anybody held it: then it is charged, too
        runs = accounted()
        assert [run.state for run in runs[stopped]] == ["REQUEUED", "COMPLETED"]
        paid = {}
        for key, each in runs.items():
            ran = [run for run in each if run.ran]
            for number, run in enumerate(ran):
                name = f"slurm:lab:{key}@{each[0].submit:.0f}#{number}"
                paid[name] = (run.end - run.start) * (CORES if key in {stopped, dear} else 1)
        stands = book.standing([*paid])
        charged = {name: stands[name].charged / 1e6 if name in stands else 0.0 for name in paid}
        assert charged == paid
        [balance] = book.balances()
        assert (balance.available / 1e6, balance.held) == (4000 - sum(paid.values()), 0)


def test_tasks_of_an_array_are_told_together_and_refused_one_by_one(ours: PrivateCluster) -> None:
    array = ours.submit("-n1", "-t5", "--hold", "--array=0-9")
    told = [f"{array}_{task}" for task in (1, 2, 3, 7)]
    missing = [f"{array}_{task}" for task in (11, 12, 14)]
    actions = [Action(verb, key, value) for key in [*told, *missing]
               for verb, value in (("hold", ""), ("describe", "mine"))]  # fmt: skip

    refused = commands.apply(actions)

    assert sorted(refused) == sorted(missing)
    found = {job.key: job for job in read_jobs(commands.queue()) if job.array == array}
    assert len(found) == 10
    assert [key for key, job in found.items() if job.admin_comment == "mine"] == told
    assert [key for key, job in found.items() if job.reason == "JobHeldAdmin"] == told
    assert commands.apply([Action("release", key, "7") for key in told]) == {}
    ours.wait(lambda: not {ours.states()[key] for key in told} & {"PENDING"}, "for the tasks")
    ours.run("scancel", str(array))


def test_slurm_says_whether_accounting_has_heard_of_everything(ours: PrivateCluster) -> None:
    ours.wait(commands.is_current, "for slurmdbd to know all")
    ours.kill("slurmdbd")
    job = bid(ours, 1)
    ours.wait(lambda: ours.states()[job] == "COMPLETED", "for the job")
    assert not commands.is_current()
    ours.restart("slurmdbd")
    ours.wait(commands.is_current, "for slurmdbd to catch up")
    assert [run.state for run in read_runs(commands.accounted([job]))[job]] == ["COMPLETED"]


def test_who_slurm_lets_nobody_change_is_named_with_what_helps(
    ours: PrivateCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if ours.run("scontrol", "--version").split()[-1] >= "24":
        pytest.skip("slurmctld of 24.11 waits for no index of slurmdbd")
    monkeypatch.setattr(refusals, "REFUSING", 1.0)
    lines, state = list[str](), ours.folder / "state" / "job_state"
    terms = DriverTerms(echo=lines.append)
    with Driver(tmp_path, commands, make_scheduler("easy"), worth_by("none", 0), terms) as market:
        with ours.paused("slurmdbd"):
            job = bid(ours, 1, "--begin=now+1hour")
            time.sleep(ASKS)
            new = [str(ours.submit("--hold"))]  # so that the state is written
            ours.wait(
                lambda: state.exists() and UNANSWERED in state.read_bytes(),
                "for slurmctld to ask slurmdbd",
            )
            ours.kill("slurmctld")
        ours.restart("slurmctld")
        ours.wait(ours.answers, "for slurmctld")
        in_command(ours, market, lambda: bool(lines))
        assert lines[0].startswith(f"job {job}: Slurm has refused all changes for 1 s: Job update ")
        [remedy] = refusals.REMEDIES.values()
        assert lines[0].endswith(f"; {remedy}")

        ours.kill("slurmdbd")
        new.append(str(ours.submit("--hold")))
        reason = ("squeue", "--noheader", "--format=%r", f"--jobs={job}")
        in_command(ours, market, lambda: ours.run(*reason).strip() == "JobHeldAdmin")
        ours.restart("slurmdbd")
        ours.run("scancel", job, *new)
        in_command(ours, market, lambda: not market.store.active)
    assert len(lines) == 1


def test_one_market_at_a_time_commands_and_its_lock_keeps_no_job(
    ours: PrivateCluster, tmp_path: Path
) -> None:
    first, second = (ClusterLock(tmp_path / name) for name in ("a b", "c"))
    with first:
        with pytest.raises(LockedError, match="commands this cluster since 20"):
            second.take()
        job = str(ours.submit(f"-n{CORES}", "-t60"))
        ours.wait(lambda: ours.states()[job] == "COMPLETED", "for a job of all processors")
        state = ours.folder / "state" / "resv_state"
        name = first.name.encode()
        ours.wait(lambda: state.exists() and name in state.read_bytes(), "for its being saved")
        ours.kill("slurmctld")
        ours.restart("slurmctld")
        ours.wait(ours.answers, "for slurmctld")
        first.keep()
        with pytest.raises(LockedError):
            second.take()
        assert [each.name for each in commands.reservations(PREFIX)] == [first.name]
    with second:
        assert [each.name for each in commands.reservations(PREFIX)] == [second.name]
    assert commands.reservations(PREFIX) == []
