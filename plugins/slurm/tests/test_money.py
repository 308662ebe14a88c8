"""Money of a market on Slurm, without Slurm: what is held, charged and given back, and once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from plugins.slurm.tests.clusters import job
from plugins.slurm.tests.fake import BEGAN, FakeSlurm
from swfx import InputError, UtilityFunction
from swfx.accounting.annotations import Annotations
from tests.scale import many
from utilitysched.cli.entry import run as utilitysched
from utilitysched.runs.snapshot import RunningJob, Snapshot
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_centre.accounts import Account, Book, Money, Terms, create
from utilitysched_slurm import money
from utilitysched_slurm.accounting import AccountedRun
from utilitysched_slurm.driver import Driver, DriverTerms
from utilitysched_slurm.dues import REFERENCE, ToldJob
from utilitysched_slurm.holds import Hold, HoldRule
from utilitysched_slurm.market import MarketTerms, PayTerms
from utilitysched_slurm.moment import snapshot_of
from utilitysched_slurm.money import Settlement, Treasury
from utilitysched_slurm.open_runs import CHARGED
from utilitysched_slurm.queue import LiveQueue
from utilitysched_slurm.reading import ProcessorPool, SlurmJob
from utilitysched_slurm.worth import worth_by

T = 1_795_464_000
"""When all of this happens (s)."""

FALLING = Annotations(utility=UtilityFunction([0, 1000], [100, 0]))
PHYSICS = Account("account", "physics")
EMPTY = Snapshot(T, 16)


def date(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%S") if time else "None"


class Listed:
    """Accounting by hand: `end` a run, and it is listed."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.asked, self.current = 0, True

    def end(self, job: SlurmJob, state: str, start: float, end: float, submit: float = 0) -> None:
        who = (job.key, str(job.number), "lab", job.user, job.account, job.partition, job.qos)
        times = map(date, (submit or job.submit, job.eligible, start, end))
        rest = (str(int(end - start if start and end else 0)), "00:00:00", f"{job.limit / 60:.0f}")
        self.lines.append("|".join((*who, state, *times, *rest, str(job.processors), "")))

    def is_current(self) -> bool:
        return self.current

    def accounted(self, keys: Sequence[str]) -> str:
        self.asked += 1
        wanted = {key.partition("_")[0] for key in keys}
        found = (line for line in self.lines if line.partition("|")[0].partition("_")[0] in wanted)
        return "".join(f"{line}\n" for line in found)


AT_THE_END = "first-price:reading=end"
"""What a job costs depends on when it ended, so that charges differ from holds."""


class Office:
    """A ledger of `endowed` SU, what Slurm lists, and a treasury that may be opened anew."""

    def __init__(
        self, folder: Path, ledger: Path, mechanism: str = AT_THE_END, endowed: str = "1000"
    ) -> None:
        self.rule = HoldRule(mechanism, "easy")  # may refuse, when nothing is open yet
        self.folder, self.path = folder, folder / "books.db"
        shutil.copy(ledger, self.path)
        self.book = Book(self.path)
        self.book.endow(PHYSICS, endowed)
        self.listed, self.told = Listed(), list[str]()
        self.treasury = self.opened()

    def opened(self) -> Treasury:
        return Treasury(self.folder, self.book, self.rule, self.listed, "lab", self.told.append)

    def killed(self) -> None:
        """Begin anew with what is on the disk."""
        self.treasury.close()
        self.treasury = self.opened()

    def admit(self, *jobs: SlurmJob, said: Annotations = FALLING) -> dict[str, str]:
        return self.treasury.admit([(each, said) for each in jobs], lambda: EMPTY)

    def has(self) -> tuple[float, float]:
        """What the account can spend, and what is held of it (SU)."""
        [one] = self.book.balances([PHYSICS])
        return one.available / 1e6, one.held / 1e6

    def references(self) -> list[str]:
        """Runs that are listed, in order."""
        rows = (self.folder / money.LISTING).read_text().splitlines()[1:]
        return [row.split("|")[REFERENCE] for row in rows]

    def charged(self) -> dict[str, float]:
        """What was charged, by reference (SU)."""
        found: dict[str, float] = {}
        for line in self.book.history():
            if line.kind == "charge" and line.account == PHYSICS:
                name = str(line.reference)
                found[name] = found.get(name, 0.0) - (line.available + line.held) / 1e6
        return found


Opens = Callable[..., Office]


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ledger") / "books.db"
    create(path, Terms(Money("SU", 6), payer="account", credit_limit=0))
    return path


@pytest.fixture
def offices(tmp_path: Path, ledger: Path) -> Iterator[Opens]:
    opened: list[Office] = []

    def opens(**more: str) -> Office:
        folder = tmp_path / str(len(opened))
        folder.mkdir()
        opened.append(Office(folder, ledger, **more))
        return opened[-1]

    yield opens
    for each in opened:
        each.treasury.close()
        each.book.close_connections()


def waits(number: int, **more: object) -> SlurmJob:
    """A job of two processors for up to ten minutes, submitted at T."""
    return job(number, submit=float(T), eligible=float(T), limit=600.0, **more)


def test_what_is_quoted_is_held_and_what_it_costs_is_charged_once(offices: Opens) -> None:
    office = offices()
    one = waits(1)

    assert office.admit(one) == {}
    assert office.admit(one) == {}
    # it would start at once and run for its 600 s: worth 40 at the end
    assert office.has() == (960.0, 40.0)
    assert office.treasury.held_money() == 40.0
    assert office.treasury.settle(T, [one]) == Settlement()
    assert office.listed.asked == 0

    office.listed.end(one, "COMPLETED", T + 100, T + 300)
    for _ in range(2):
        office.treasury.settle(T, [])
    assert office.has() == (930.0, 0.0)
    assert office.charged() == {f"slurm:lab:1@{T}#0": 70.0}


def test_by_default_a_job_pays_its_curve_at_its_requested_end(offices: Opens) -> None:
    office, one = offices(mechanism="first-price"), waits(1)

    office.admit(one)
    office.listed.end(one, "COMPLETED", T + 100, T + 300)
    office.treasury.settle(T, [])

    # it waited for 100 s and requested 600 s: of 100 SU, a thousandth is lost each second
    assert office.charged() == {f"slurm:lab:1@{T}#0": 30.0}


def test_what_a_scheduler_read_is_not_charged(offices: Opens) -> None:
    with pytest.raises(InputError, match="leave reading out"):
        offices(mechanism="first-price:reading=scheduler")


def test_a_market_that_is_paid_by_first_price_ranks_by_the_requested_end(tmp_path: Path) -> None:
    pay = PayTerms("books.db")

    assert MarketTerms(tmp_path, "value-density").decider == "value-density"
    assert MarketTerms(tmp_path, "value-density", pay=pay).decider == (
        "value-density:duration=requested"
    )


def test_an_account_that_cannot_pay_is_refused_in_one_line_until_it_can(offices: Opens) -> None:
    office = offices(endowed="100")
    jobs = [waits(number) for number in (1, 2, 3)]

    refused = office.admit(*jobs)

    assert refused == {
        "3": "account:physics cannot pay: 40.00 SU are to be held (quoted 0.9), 20.00 SU are left"
    }
    assert office.admit(*jobs) == refused
    assert office.has() == (20.0, 80.0)
    office.book.endow(PHYSICS, "20")
    assert office.admit(*jobs) == {}
    assert office.has() == (0.0, 120.0)


def test_a_flood_is_held_for_in_one_posting_of_what_fits(offices: Opens) -> None:
    office = offices(endowed="9000")
    before = len(office.book.history())

    refused = office.admit(*(waits(number) for number in range(1, 201)))

    holds = [line for line in office.book.history()[before:] if line.kind == "hold"]
    assert len({line.posting for line in holds}) == 1
    assert len(holds) + len(refused) == 200
    assert office.has()[0] < 100.0  # twenty are quoted, the others hold the most
    assert office.has()[1] == 20 * 40.0 + (len(holds) - 20) * 100.0


@pytest.mark.parametrize(
    ("account", "why"),
    [
        ("", "no account pays for it; submit it with --account"),
        ("a:b", "field account: 'account:a:b'"),
    ],
)
def test_a_job_that_no_account_can_pay_for_harms_no_other(
    offices: Opens, account: str, why: str
) -> None:
    office = offices()
    refused = office.admit(waits(1), waits(2, account=account), waits(3))

    assert list(refused) == ["2"]
    assert refused["2"].startswith(why)
    assert office.has()[1] == 80.0


def test_who_cancels_and_submits_again_pays_once_and_frees_the_old_hold_once(
    offices: Opens,
) -> None:
    office = offices(endowed="100")
    for number in range(1, 6):  # a hold each time would take 200
        one = waits(number)
        assert office.admit(one) == {}
        office.listed.end(one, "CANCELLED by 1000", 0, T + number)
        for _ in range(2):
            office.treasury.settle(T, [one._replace(states=frozenset({"CANCELLED"}))])
            office.killed()
        assert office.has() == (100.0, 0.0)
    last = waits(6)
    assert office.admit(last) == {}
    office.listed.end(last, "COMPLETED", T + 100, T + 300)
    office.treasury.settle(T, [])

    assert office.charged() == {f"slurm:lab:6@{T}#0": 70.0}
    assert office.has() == (30.0, 0.0)
    kinds = [line.kind for line in office.book.history() if line.account == PHYSICS]
    assert kinds.count("release") == 5


def test_tasks_of_an_array_that_never_ran_free_their_holds(offices: Opens) -> None:
    office = offices()
    tasks = [waits(0, key=f"9_{task}", array=9) for task in (1, 2, 3)]
    office.admit(*tasks)
    office.listed.end(tasks[0], "COMPLETED", T + 100, T + 300)
    office.listed.end(tasks[0]._replace(key="9_[2-3]"), "CANCELLED by 0", 0, T + 50)
    office.treasury.settle(T, [])

    assert office.charged() == {f"slurm:lab:9_1@{T}#0": 70.0}
    assert office.has() == (930.0, 0.0)


def test_a_task_that_ran_is_not_taken_for_the_array_that_was_cancelled(offices: Opens) -> None:
    office = offices()
    ran, never = (waits(0, key=f"9_{task}", array=9) for task in (1, 2))
    office.admit(ran, never)
    # accounting hears of the array's end first, and of the task's run later
    office.listed.end(ran._replace(key="9_[1-2]"), "CANCELLED by 0", 0, T + 310)
    done = ran._replace(states=frozenset({"COMPLETED"}), start=T + 100.0, end=T + 300.0)
    office.treasury.settle(T + 310, [done])
    assert office.charged() == {}
    office.listed.end(ran, "COMPLETED", T + 100, T + 300)
    office.treasury.settle(T + 320, [done])

    assert office.charged() == {f"slurm:lab:9_1@{T}#0": 70.0}
    assert office.has() == (930.0, 0.0)


def test_tasks_cancelled_out_of_a_waiting_array_free_their_holds_at_once(offices: Opens) -> None:
    office = offices()
    tasks = [waits(0, key=f"9_{task}", array=9) for task in (1, 2, 3)]
    office.admit(*tasks)
    office.listed.end(tasks[0]._replace(key="9_[2]"), "PENDING", 0, 0)
    office.listed.current = False
    office.treasury.settle(T + 60, tasks[1:2])
    assert office.has() == (880.0, 120.0)

    office.listed.current = True
    office.treasury.settle(T + 65, tasks[1:2])
    office.treasury.settle(T + 70, tasks[1:2])

    assert office.has() == (960.0, 40.0)
    assert (office.charged(), office.told) == ({}, [])


REQUEUED = [(T + 10, T + 110), (T + 200, T + 300)]
"""Runs of a job that is stopped once: 100 s each on two processors."""


@pytest.mark.parametrize(
    ("mechanism", "paid"),
    [
        # the value at 300 s after the first submission
        (AT_THE_END, [0.0, 70.0]),
        ("first-price", [0.0, 20.0]),
        ("single-price:rate=3600", [200.0, 200.0]),
        ("multi-queue:rates=high:7200,normal:1", [400.0, 400.0]),
    ],
)
def test_a_run_that_was_stopped_pays_by_the_mechanism(
    offices: Opens, mechanism: str, paid: list[float]
) -> None:
    office = offices(mechanism=mechanism, endowed="9000")
    one = waits(1, qos="high")
    office.admit(one)
    office.listed.end(one, "REQUEUED", *REQUEUED[0])
    again = one._replace(submit=float(T + 110), restarts=1)

    assert office.admit(again) == {}
    first, both = f"slurm:lab:1@{T}#0", f"slurm:lab:1@{T}#1"
    stands = office.book.standing([first, both])
    assert stands[first].held == stands[both].held > 0
    office.treasury.settle(T, [again])
    assert office.book.standing([first])[first].held == 0
    office.killed()
    office.listed.end(again, "COMPLETED", *REQUEUED[1])
    office.treasury.settle(T, [])

    assert [office.charged().get(name, 0.0) for name in (first, both)] == paid
    assert office.has() == (9000 - sum(paid), 0.0)


def test_a_run_that_slurm_began_by_itself_is_charged_without_a_hold(offices: Opens) -> None:
    office = offices(mechanism="single-price:rate=3600", endowed="2000")
    one = waits(1)
    office.admit(one)
    office.listed.end(one, "NODE_FAIL", *REQUEUED[0])
    office.listed.end(one, "COMPLETED", *REQUEUED[1], submit=T + 110)
    office.treasury.settle(T, [])

    # nobody pays for a node that failed
    assert office.charged() == {f"slurm:lab:1@{T}#1": 200.0}
    assert office.has() == (1800.0, 0.0)


def test_what_an_account_cannot_pay_is_owed_until_it_can_and_stops_no_other(
    offices: Opens,
) -> None:
    office = offices(endowed="140")
    office.admit(waits(1), waits(2))
    for number in (1, 2):  # each is worth 90, and 40 are held
        office.listed.end(waits(number), "COMPLETED", T + 10, T + 100)

    assert office.treasury.settle(T, []) == Settlement(1, (f"slurm:lab:2@{T}#0",))
    assert office.has() == (10.0, 40.0)
    office.book.endow(PHYSICS, "40")
    office.killed()
    assert office.treasury.settle(T, []) == Settlement(1, ())
    assert office.has() == (0.0, 0.0)


def test_a_number_that_is_given_out_again_is_another_job(offices: Opens) -> None:
    office = offices()
    office.admit(waits(1))
    office.listed.end(waits(1), "COMPLETED", T + 100, T + 300)
    second = waits(1)._replace(submit=T + 5000.0)
    assert office.admit(second) == {}
    office.listed.end(second, "COMPLETED", T + 5000, T + 5500)
    office.treasury.settle(T, [])

    assert office.charged() == {f"slurm:lab:1@{T}#0": 70.0, f"slurm:lab:1@{T + 5000}#0": 50.0}


def test_a_job_that_slurm_still_shows_is_not_over_whatever_accounting_says(offices: Opens) -> None:
    office = offices(mechanism="single-price:rate=3600", endowed="9000")
    one = waits(1)
    office.admit(one)
    office.listed.end(one, "COMPLETED", *REQUEUED[0])
    running = one._replace(states=frozenset({"RUNNING"}), start=float(T + 200), restarts=1)
    office.admit(running)
    held = office.has()[1]
    for now in (T + 250, T + 250 + 2 * money.FORGOTTEN):
        office.treasury.settle(now, [running])

    # its first run is charged, and the hold of the second stays
    assert office.charged() == {f"slurm:lab:1@{T}#0": 200.0}
    assert 0 < office.has()[1] < held
    assert [run.number for run in office.treasury.open if run.state != CHARGED] == [1]
    assert office.told == []


@pytest.mark.parametrize(
    ("alive", "replaced", "over", "silent"),
    [(True, False, False, False), (False, False, True, False), (False, True, True, False)],
)
def test_a_job_is_over_when_its_last_run_ended_and_slurm_shows_it_no_more(
    alive: bool, replaced: bool, over: bool, silent: bool
) -> None:
    ended = AccountedRun("1", "COMPLETED", T, T + 1.0, T + 2.0, ())
    told = ToldJob({}, [ended], alive, replaced)

    assert (told.is_over, told.is_silent) == (over, silent)
    gone = told._replace(lines=[], alive=False, replaced=False)
    assert (gone.is_over, gone.is_silent) == (False, True)


@pytest.mark.parametrize("quoted", [5.0, 39.9, 40.1, 1e9])
def test_no_hold_is_above_the_most_that_a_job_can_cost(
    quoted: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HoldRule, "_quoted", lambda *_: Hold(quoted, "quoted 0.9"))
    flat = UtilityFunction([0, 1000], [40, 40])

    [hold] = HoldRule("first-price", "easy").holds([waits(1)], [flat], lambda: EMPTY)

    assert hold == (Hold(quoted, "quoted 0.9") if quoted < 40 else Hold(40.0, "most"))


@pytest.mark.parametrize("idle", [0, 1, 4])
def test_processors_that_are_away_make_no_hold_cheap(idle: int) -> None:
    drained = snapshot_of(T, [], ProcessorPool(4, idle), lambda _: Annotations())
    bid = UtilityFunction([0, 3600, 7200], [40, 40, 0])

    [hold] = HoldRule("first-price", "easy").holds([waits(1)], [bid], lambda: drained)

    assert hold.amount == 40.0


@pytest.mark.parametrize(
    ("by", "rates", "held"),
    [
        ("partition", "cpu:36,gpu:108", [12.0, 36.0, 36.0]),
        ("partition", "gpu:108,gpu,cpu:9,other=36", [12.0, 36.0, 36.0]),
        ("account", "physics:36,other=72", [12.0, 12.0, 24.0]),
        ("user", "ann:36,other=72", [12.0, 24.0, 24.0]),
    ],
)
def test_rates_by_any_label_of_a_waiting_job(by: str, rates: str, held: list[float]) -> None:
    jobs = [
        waits(1, partition="cpu", account="physics", user="ann"),
        waits(2, partition="gpu", account="physics", user="bob"),
        waits(3, partition="cpu,gpu", account="biology", user="bob"),  # starts in either
    ]
    rule = HoldRule(f"multi-queue:by={by},rates={rates}")

    assert rule.holds(jobs, [None] * 3, lambda: EMPTY) == [Hold(each, "most") for each in held]
    assert rule.holds([], [], lambda: EMPTY) == []


def test_a_rehearsal_makes_a_quote_that_may_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    HoldRule("first-price", "easy").rehearse()
    limits: list[float] = []
    monkeypatch.setattr(HoldRule, "_quoted", lambda *given: limits.append(given[-1]))
    for mechanism in ("first-price", "multi-queue:rates=high:3"):
        HoldRule(mechanism, "easy").rehearse()

    assert limits == [np.inf]


def test_a_run_that_a_killed_controller_forgot_gives_its_hold_back(offices: Opens) -> None:
    # Slurm's books have it run on for ever; its number is given to another job
    office = offices()
    office.admit(waits(6))
    office.listed.end(waits(6), "RUNNING", T + 1, 0)
    later = job(6, submit=T + 9.0, eligible=T + 9.0, limit=600.0)
    office.admit(later)
    office.treasury.settle(T, [later])
    office.listed.end(later, "COMPLETED", T + 10, T + 109, submit=T + 9)
    office.treasury.settle(T, [])

    assert office.has() == (910.0, 0.0)
    assert office.charged() == {f"slurm:lab:6@{T + 9}#0": 90.0}


def test_lines_that_name_no_job_give_no_hold_back(offices: Opens) -> None:
    office = offices()
    office.admit(waits(6))
    held, accounted = office.has(), office.listed.accounted
    office.listed.accounted = lambda _: "rubbish\n"  # type: ignore[method-assign]
    for late in (0, 1):
        found = office.treasury.settle(T + late * (money.FORGOTTEN + 1), [])
    assert (office.has(), len(found.unreadable)) == (held, 1)

    office.listed.accounted = accounted  # type: ignore[method-assign]
    for late in (2, 4):
        office.treasury.settle(T + late * (money.FORGOTTEN + 1), [])
    assert office.has() == (1000.0, 0.0)


@pytest.mark.parametrize(
    ("states", "charged"),
    [
        ([], 0.0),
        ([("PENDING", 0, 0)], 0.0),
        ([("REQUEUED", *REQUEUED[0])], 200.0),
        ([("REQUEUED", *REQUEUED[0]), ("PENDING", 0, 0)], 200.0),
    ],
)
def test_a_job_that_nobody_tells_of_any_more_gives_its_hold_back_after_a_while(
    offices: Opens, states: list[tuple[str, int, int]], charged: float
) -> None:
    office = offices(mechanism="single-price:rate=3600", endowed="9000")
    one, later = waits(1), T + 1000.0
    office.admit(one)
    for number, state in enumerate(states):
        office.listed.end(one, *state, submit=T + 110 * number)

    if charged:
        one = one._replace(submit=T + 110.0, restarts=1)
        office.admit(one)
    for jobs in ([], [one]):  # one that comes back has not been gone
        office.treasury.settle(later - money.FORGOTTEN, jobs)
    for seconds in (0.0, money.FORGOTTEN - 1):
        office.treasury.settle(later + seconds, [])
    assert office.has()[1] > 0
    assert office.told == []
    for seconds in (money.FORGOTTEN, money.FORGOTTEN + 1):
        office.treasury.settle(later + seconds, [])
    assert office.has() == (9000 - charged, 0.0)
    assert list(office.treasury.open) == []
    assert office.told == ["job 1: Slurm has forgotten it; what was held for it is given back"]


def test_holds_stay_while_accounting_may_tell_of_a_run_yet(offices: Opens) -> None:
    office = offices(endowed="120")
    office.admit(waits(1), waits(2), waits(3))
    office.listed.end(waits(1), "RUNNING", T + 1, 0)
    office.listed.end(waits(2), "COMPLETED", T + 10, T + 100)  # is worth 90, and 40 are held
    office.listed.current, later = False, T + 86_400
    for now in range(T, later, 300):
        office.treasury.settle(now, [])
    assert office.has() == (0.0, 120.0)
    office.listed.current = True
    office.treasury.settle(later + money.FORGOTTEN, [])
    assert office.has() == (40.0, 80.0)
    assert [each.partition(":")[0] for each in office.told] == ["owed", "job 3"]


@pytest.mark.parametrize(("lasted", "charged"), [(100, 90.0), (0, 0.0)])
def test_a_job_that_slurm_runs_again_because_it_forgot_its_end_is_settled_once(
    offices: Opens, lasted: int, charged: float
) -> None:
    office = offices()
    one = waits(1)
    office.admit(one)
    office.listed.end(one, "COMPLETED", T, T + lasted)
    office.treasury.settle(T, [])
    for times in (1, 2):
        assert office.admit(one) == {}
        assert office.treasury.has(one)
        office.killed()
        assert office.admit(one) == {}
        assert office.has()[1] > 0
        # what Slurm lists of a job that it runs again is the last of its runs
        office.listed.lines.clear()
        office.listed.end(one, "COMPLETED", T + 200 * times, T + 200 * times + 100)
        office.treasury.settle(T, [])

    assert office.has() == (1000.0 - charged, 0.0)
    assert sum(office.charged().values()) == charged
    assert office.references() == [f"slurm:lab:1@{T}#0"]


def test_a_run_that_was_listed_when_the_market_was_killed_costs_what_its_line_says(
    offices: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    office, one = offices(), waits(1)
    office.admit(one)
    office.listed.end(one, "COMPLETED", T, T)
    with monkeypatch.context() as patch:  # between the line and the note that it is there
        patch.setattr(money.OpenRuns, "put", _killing(money.OpenRuns.put, [0]))
        assert _until_killed([lambda: office.treasury.settle(T, [])]) == 0
    with (office.folder / money.LISTING).open("a") as listing:
        listing.write("2|2|lab|torn")
    office.killed()
    office.listed.lines.clear()
    office.listed.end(one, "COMPLETED", T, T + 100)  # a killed controller found its end later
    office.treasury.settle(T, [])

    assert office.charged() == {}
    assert office.has() == (1000.0, 0.0)
    assert office.references() == [f"slurm:lab:1@{T}#0"]


def test_what_was_listed_last_is_known_and_no_more(
    offices: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(money, "RECENT", 2)
    office = offices()
    names = [f"slurm:lab:{number}@{T}#0" for number in range(1, 6)]
    for number in range(1, 6):
        office.admit(waits(number))
        office.listed.end(waits(number), "COMPLETED", T, T)
        office.treasury.settle(T, [])
    for _ in range(2):
        assert list(office.treasury._listed) == names[-2:]
        office.killed()
    assert office.references() == names


BUSY = Snapshot(T, 16, (RunningJob(99, 16, T + 300.0),))


def test_a_quote_knows_who_is_there(offices: Opens) -> None:
    office = offices()

    office.treasury.admit([(waits(1), FALLING)], lambda: BUSY)

    # until T + 300 nothing is free, and the job runs for 600 s
    assert office.has()[1] == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("mechanism", "why"),
    [
        ("multi-queue", "queues of Slurm have no numbers"),
        ("second-price", "does not charge jobs one by one"),
        ("vcg:method=replay", "does not charge jobs one by one"),
        ("vcg:settle=end", "what is not known when a job starts"),
        ("multi-queue:rates=x:1,by=qos", "rates by qos are not those of jobs that wait"),
        ("single-price:of=node", "what jobs that wait will hold of node is not known"),
    ],
)
def test_what_no_job_can_be_charged_by_when_it_ends_is_refused(mechanism: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        HoldRule(mechanism)


def test_pivots_of_the_decisions_taken_are_paid_after_a_restart(offices: Opens) -> None:
    """Two jobs of 16 processors: the first to start costs the other 600 s of a falling curve."""
    office = offices(mechanism="vcg")
    bob = Annotations(utility=UtilityFunction([0, 2000], [50, 0]))
    said = {"1": FALLING, "2": bob}
    one = waits(1, processors=16)
    two = waits(2, processors=16, user="bob")
    assert office.treasury.admit([(one, FALLING), (two, bob)], lambda: EMPTY) == {}
    watched = office.treasury.watching(make_scheduler("value-density"))
    queue = LiveQueue(watched, lambda each: said[each.key])
    look = queue.look(float(T), [one, two], ProcessorPool(16, 16))
    assert [look.keys[place] for place in look.decision.starts] == ["1"]
    office.treasury.decided(look)
    office.killed()
    office.listed.end(one, "COMPLETED", T + 1, T + 301)
    office.listed.end(two, "COMPLETED", T + 310, T + 610)
    office.treasury.settle(T, [])

    # bob's would have been worth 35 after 600 s, and is 20 after 1,200; his delays nobody
    assert office.charged() == {f"slurm:lab:1@{T}#0": pytest.approx(15.0)}
    assert office.has()[1] == 0.0


def test_the_bill_of_the_listing_is_what_the_ledger_charged(
    offices: Opens, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for mechanism in (
        "first-price",
        "single-price:rate=0.36",
        "multi-queue:rates=high:7.2,low:0.36",
    ):
        office = offices(mechanism=mechanism, endowed="9000")
        jobs = [
            waits(number, qos="high" if number % 2 else "low", processors=number)
            for number in range(1, 7)
        ]
        office.admit(*jobs)
        for each in jobs:
            office.listed.end(each, "COMPLETED", T + 7 * each.number, T + 300)
            office.treasury.settle(T, [other for other in jobs if other.number > each.number])
        again, other = office.folder / "again.db", ("--quiet", "--mechanism", office.rule.mechanism)
        shutil.copy(ledger, again)
        with Book(again) as book:
            book.endow(PHYSICS, "9000")
        log = f"slurm:{office.folder / money.LISTING}"
        out = ("--out", str(office.folder / "bill"), "--decimals", "6", *other)

        assert utilitysched(["invoice", log, *out, "--ledger", str(again)]) == 0
        with Book(again) as book:
            assert book.balances([PHYSICS]) == office.book.balances([PHYSICS])
        # nobody pays twice
        assert utilitysched(["invoice", log, *out, "--ledger", str(office.path)]) == 2
        assert "was charged already" in capsys.readouterr().err


class KilledError(BaseException):
    """What `kill -9` is here."""


STEPS = [
    (money.OpenRuns, "put"),
    (money.OpenRuns, "drop"),
    (money.Book, "hold_run"),
    (money.Book, "post"),
    (money.Treasury, "_list"),
    (money, "keep"),
]
"""Whatever writes something, in admission or settlement."""


def test_killed_before_or_after_any_step_everything_is_held_charged_and_listed_once(
    offices: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = _calls(offices, monkeypatch)
    assert len(points) > 30
    for point in np.random.default_rng(7).choice(points, many(15), replace=False).tolist():
        office = offices(mechanism="single-price:rate=3600", endowed="9000")
        steps = _life(office)
        with monkeypatch.context() as patch:
            _kill(patch, [point])
            done = _until_killed(steps)
        assert done < len(steps)
        office.killed()
        for step in steps[done:]:
            step()
        first, second, last = (f"slurm:lab:{name}" for name in (f"1@{T}#0", f"1@{T}#1", f"2@{T}#0"))
        assert office.charged() == {first: 200.0, second: 200.0, last: 40.0}
        assert office.has() == (8560.0, 0.0)
        assert sorted(office.references()) == [first, second, last]
        assert not list(office.treasury.open)


def _calls(offices: Opens, monkeypatch: pytest.MonkeyPatch) -> range:
    """All points at which the life of three jobs can be cut off."""
    office, most = offices(mechanism="single-price:rate=3600", endowed="9000"), 1000
    left = [most]
    with monkeypatch.context() as patch:
        _kill(patch, left)
        assert _until_killed(_life(office)) == len(_life(office))
    return range(most - left[0])


def _kill(patch: pytest.MonkeyPatch, countdown: list[int]) -> None:
    for owner, name in STEPS:
        patch.setattr(owner, name, _killing(getattr(owner, name), countdown))


def _killing(step: Callable[..., object], countdown: list[int]) -> Callable[..., object]:
    def stepped(*given: object, **more: object) -> object:
        for before in (True, False):
            if countdown[0] == 0:
                raise KilledError
            countdown[0] -= 1
            if before:
                found = step(*given, **more)
        return found

    return stepped


def _until_killed(steps: Sequence[Callable[[], object]]) -> int:
    """How many steps were done."""
    for done, step in enumerate(steps):
        try:
            step()
        except KilledError:
            return done
    return len(steps)


def _life(office: Office) -> list[Callable[[], object]]:
    """Three jobs from admission to their ends: one is stopped and goes on, one never runs."""
    one, two, three = waits(1), waits(2), waits(3)
    again = one._replace(submit=float(T + 110), restarts=1)
    listed = office.listed
    listed.end(one, "REQUEUED", *REQUEUED[0])

    def end() -> None:
        listed.end(again, "COMPLETED", *REQUEUED[1])
        listed.end(two, "FAILED", T + 10, T + 30)
        listed.end(three, "CANCELLED by 0", 0, T + 40)

    return [
        lambda: office.admit(one, two, three),
        lambda: office.admit(again),
        lambda: office.treasury.settle(T, [again, two, three]),
        end,
        lambda: office.treasury.settle(T, []),
    ]


DEARER = Annotations(utility=UtilityFunction([0, 1000], [300, 0]))


def test_on_other_terms_more_is_held_and_they_are_charged(offices: Opens) -> None:
    office, one = offices(), waits(1)
    office.admit(one)

    for _ in range(2):
        assert office.treasury.amend(one, DEARER, lambda: EMPTY) == ""
        assert (office.has(), office.treasury.held_money()) == ((880.0, 120.0), 120.0)
        office.killed()
    office.listed.end(one, "COMPLETED", T + 10, T + 510)
    assert office.treasury.settle(T, []).charged == 1
    assert office.charged() == {f"slurm:lab:1@{T}#0": pytest.approx(300 * 0.49)}
    assert office.has()[1] == 0.0
    assert all(check.holds for check in office.book.verify())


def test_terms_that_the_account_cannot_pay_change_nothing(offices: Opens) -> None:
    office, one = offices(endowed="100"), waits(1)
    office.admit(one)

    assert "cannot pay: 120" in office.treasury.amend(one, DEARER, lambda: EMPTY)
    assert (office.has(), office.treasury.held_money()) == ((60.0, 40.0), 40.0)
    office.listed.end(one, "COMPLETED", T + 10, T + 510)
    office.treasury.settle(T, [])
    assert office.charged() == {f"slurm:lab:1@{T}#0": pytest.approx(49.0)}


class Counter:
    """A driver with a treasury, on a cluster of our making."""

    def __init__(self, folder: Path, ledger: Path, slurm: FakeSlurm, **more: str) -> None:
        self.office = Office(folder, ledger, **more)
        self.slurm = slurm
        self.office.treasury.close()
        self.begin()

    def begin(self) -> None:
        """Begin anew, whatever there was before."""
        office, notes = self.office, list[str]()
        office.treasury = Treasury(office.folder, office.book, office.rule, self.slurm, "lab")
        clock, sleep, echo = self.slurm.clock, self.slurm.sleep, office.told.append
        terms = DriverTerms(notes=notes, clock=clock, sleep=sleep, echo=echo)
        decider = office.treasury.watching(make_scheduler("value-density"))
        worth = worth_by("none", 0, on_note=notes.append)
        self.driver = Driver(office.folder, self.slurm, decider, worth, terms, office.treasury)

    def end(self) -> None:
        self.driver.__exit__()
        self.office.treasury.close()
        self.office.book.close_connections()

    def cycles(self, count: int) -> None:
        for _ in range(count):
            self.driver.cycle()
            self.slurm.advance(20)


@pytest.fixture
def counter(tmp_path: Path, ledger: Path) -> Iterator[Callable[..., Counter]]:
    opened: list[Counter] = []

    def opens(**more: str) -> Counter:
        opened.append(Counter(tmp_path, ledger, FakeSlurm({"n1": 2}), **more))
        return opened[-1]

    yield opens
    for each in opened:
        each.end()


def test_the_market_starts_whose_account_can_pay_and_charges_each_run(
    counter: Callable[..., Counter],
) -> None:
    market = counter(mechanism="single-price:rate=60", endowed="100")  # a minute of a processor: 1
    short = market.slurm.submit(cpus=2, work=60, minutes=20, comment="0:9,1d:0")
    dear = market.slurm.submit(cpus=2, work=60, minutes=60, comment="0:99,1d:0")
    market.cycles(1)

    refused = market.driver.store.active[dear].refused
    assert refused.startswith("account:physics cannot pay: 120.00 SU are to be held (")
    assert market.office.has() == (60.0, 40.0)
    market.cycles(3)
    market.driver.__exit__()
    market.office.treasury.close()
    market.begin()
    market.cycles(2)
    assert market.office.charged() == {f"slurm:lab:{short}@{BEGAN}#0": 2.0}
    market.office.book.endow(PHYSICS, "50")
    market.cycles(8)
    ran = {f"slurm:lab:{key}@{BEGAN}#0": 2.0 for key in (short, dear)}
    assert market.office.charged() == ran
    assert market.office.has() == (146.0, 0.0)


def test_who_waited_for_others_pays_by_the_time_since_it_could_start(
    counter: Callable[..., Counter],
) -> None:
    market = counter(endowed="500")
    first = market.slurm.submit(cpus=2, work=600, minutes=20, comment="0:10,1d:0")
    last = market.slurm.submit(cpus=2, work=100, minutes=5, comment="0:100,1000:0", after=first)
    market.cycles(60)

    paid = market.office.charged()
    # worth nothing 1,000 s after its submission, but it took some 110 s once it could start
    assert 80.0 < paid[f"slurm:lab:{last}@{BEGAN}#0"] <= 90.0
    assert market.office.has()[1] == 0.0


def test_who_began_and_ended_between_two_looks_pays_whatever_stops_the_driver(
    counter: Callable[..., Counter], monkeypatch: pytest.MonkeyPatch
) -> None:
    market = counter(mechanism="single-price:rate=60", endowed="1")
    market.cycles(1)
    brief = market.slurm.submit(cpus=1, work=20, minutes=1, comment="0:9,1d:0")
    many = market.slurm.submit(cpus=2, work=60, minutes=1, comment="0:9,1d:0")
    assert market.slurm.by_user("cancel", market.slurm.submit(hold="JobHeldUser"))  # never ran
    market.slurm.advance(100)
    with monkeypatch.context() as broken:
        broken.setattr(market.office.treasury, "admit", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            market.driver.cycle()
    market.driver.__exit__()
    market.office.treasury.close()
    market.begin()
    market.cycles(2)
    assert market.office.charged() == {f"slurm:lab:{brief}@{BEGAN + 20}#0": pytest.approx(1 / 3)}
    market.office.book.endow(PHYSICS, "2")  # the other is owed until the account can pay
    market.cycles(2)

    assert market.office.charged().keys() == {
        f"slurm:lab:{key}@{BEGAN + 20}#0" for key in (brief, many)
    }
    assert market.office.has()[1] == 0.0
    assert not market.driver.store.active


def test_tasks_that_began_and_ended_between_two_looks_pay_or_it_is_said(
    counter: Callable[..., Counter],
) -> None:
    market = counter(mechanism="single-price:rate=60")
    market.cycles(1)
    array = market.slurm.submit(range(3), cpus=1, work=20, minutes=1, comment="0:9,1d:0")
    market.slurm.advance(100)
    market.cycles(2)
    assert market.office.charged() == {
        f"slurm:lab:{array}_{task}@{BEGAN + 20}#0": pytest.approx(1 / 3, abs=2e-6)
        for task in range(3)
    }

    market.slurm.submit(cpus=1, work=20, minutes=1, comment="0:9,1d:0")
    market.slurm.advance(1000)
    market.cycles(2)

    assert len(market.office.charged()) == 3
    [said] = [line for line in market.office.told if "not charged" in line]
    assert said.startswith("nothing was noted for 1020 s: jobs that were submitted, ran and ended")


def test_a_market_whose_charges_are_by_other_bids_does_not_go_on(
    counter: Callable[..., Counter],
) -> None:
    market = counter(endowed="500")
    job = market.slurm.submit(cpus=2, work=60, minutes=20, comment="0:9,1d:0")
    market.cycles(8)
    market.driver.__exit__()
    market.office.treasury.close()
    file = market.office.folder / "charged.txt"
    honest = file.read_text()
    assert '"utility":[[0.0,9.0]' in honest

    file.write_text(honest.replace("[0.0,9.0]", "[0.0,27.0]"))
    with pytest.raises(InputError, match=f"job {job}: its utility function is not the one commit"):
        market.begin()
    market.office.treasury.close()
    file.write_text(honest)
    market.begin()


def test_who_was_refused_and_ran_between_two_looks_pays(counter: Callable[..., Counter]) -> None:
    market = counter(mechanism="single-price:rate=60", endowed="5")
    dear = market.slurm.submit(cpus=2, work=60, minutes=60, comment="0:9,1d:0")
    market.cycles(1)
    assert market.driver.store.active[dear].refused
    assert not market.office.charged()

    market.slurm._set(market.slurm.jobs[dear], "", market.slurm._own_priority())  # for all we know
    market.slurm.advance(100)
    market.cycles(2)

    assert market.slurm.jobs[dear].state == "COMPLETED"
    assert market.office.charged() == {f"slurm:lab:{dear}@{BEGAN}#0": 2.0}
    assert market.office.has() == (3.0, 0.0)
    assert not market.driver.store.active
