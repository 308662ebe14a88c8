"""Answers of Slurm that cannot be read: the driver goes on, and nobody pays or starts by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugins.slurm.tests.clusters import Cells, recorded
from plugins.slurm.tests.fake import BEGAN, FakeSlurm
from plugins.slurm.tests.test_attacks import FakePurse
from plugins.slurm.tests.test_cli import program
from plugins.slurm.tests.test_driver_chaos import NODES, in_trouble
from plugins.slurm.tests.test_money_chaos import (
    EVERY,
    FORGOTTEN,
    LAGS,
    WORTH,
    FragileBooks,
    Paid,
    payable,
)
from tests.scale import many
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm import commands, money
from utilitysched_slurm.accounting import COLUMNS, read_runs
from utilitysched_slurm.answers import UnreadableAnswers
from utilitysched_slurm.commands import MOST_QUOTED, UNREADABLE, Action, SlurmError
from utilitysched_slurm.driver import Driver, DriverTerms
from utilitysched_slurm.listings import JOB_COLUMNS, NODE_COLUMNS, rows_of
from utilitysched_slurm.queue import LiveQueue
from utilitysched_slurm.reading import ProcessorPool, read_entries, read_nodes
from utilitysched_slurm.worth import worth_by

NO_FIGURES = (
    "nan",
    "inf",
    "-inf",
    "1e300",
    "1" * 30,
    "-1",
    "-5e-324",
    "x",
    "",
    "[7]",
    "0x7",
    "7 7",
)
"""What stands in the place of a figure; none of it can be read."""

NO_STATES = ("", "?", "running", "RUNNING,COMPLETING", "7")

FIGURES = ("jobid", "timelimit", "numcpus", "prioritylong", "restartcnt", "nice", "requeue")
NEEDED = ("jobid", "state", "submittime", "starttime", "endtime", "timelimit", "numcpus")

CELLS = {
    "JobID": ("", "x", "7_", "nan"),
    "Start": ("x", "2026-13-45T00:00:00", "-1", "99999-01-01T00:00:00"),
    "End": ("x", "2026-02-30T00:00:00", "inf"),
    "ElapsedRaw": ("nan", "-7", "1e9", "inf", "9" * 30),
    "AllocCPUS": ("nan", "-7", "inf", "x", "9" * 30),
    "AllocTRES": ("cpu=nan", "cpu=-1", "cpu=inf", "?"),
    "Suspended": ("nan", "-00:00:01"),
}
"""What stands in the place of a cell of sacct; none of it can be read."""


class Garbling(FragileBooks):
    """A cluster of whose answers some cannot be read, for as long as it garbles."""

    garbles, garbled = 0.0, 0
    random = Random(0)

    def _now(self) -> bool:
        hit = self.random.random() < self.garbles
        self.garbled += hit
        return hit

    def queue(self) -> list[Cells]:
        rows = super().queue()
        for row in rows:
            if self._now():
                self._garble(row)
        return rows

    def _garble(self, row: Cells) -> None:
        match self.random.randrange(3):
            case 0:
                row[self.random.choice(FIGURES)] = self.random.choice(NO_FIGURES)
            case 1:
                row["state"] = self.random.choice(NO_STATES)
            case 2:
                row[self.random.choice(NEEDED)] = ""

    def nodes(self) -> list[Cells]:
        rows = super().nodes()
        for row in rows:
            if self._now():
                row["cpusstate"] = self.random.choice(NO_FIGURES)
        if self._now():
            raise SlurmError("prints another listing", source="sinfo")
        return rows

    def waits(self, keys: Any) -> list[str]:
        if self._now():
            raise SlurmError("exit code 1", source="squeue")
        return super().waits(keys)

    def accounted(self, keys: Sequence[str]) -> str:
        return "".join(f"{self._line(line)}\n" for line in super().accounted(keys).splitlines())

    def _line(self, line: str) -> str:
        if not self._now():
            return line
        if self.random.random() < 0.2:
            return line[: self.random.randrange(len(line))]
        cells, name = line.split("|"), self.random.choice(list(CELLS))
        cells[COLUMNS.index(name)] = self.random.choice(CELLS[name])
        return "|".join(cells)


class Garbled(Paid):
    """A paid market that is told rubbish in its troubles, and no more once they are over."""

    def trouble(self) -> None:
        assert isinstance(self.slurm, Garbling)
        self.slurm.garbles = self.random.choice((0.0, 0.1, 0.3))
        super().trouble()


@pytest.mark.parametrize("seed", range(many(3, 2)))
def test_rubbish_ends_no_driver_and_changes_no_charge(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(money, "FORGOTTEN", FORGOTTEN)
    slurm = Garbling(NODES, holds_new=True, remembers=EVERY)
    slurm.random = Random(seed)
    with Garbled(tmp_path, slurm, seed) as centre:
        in_trouble(centre)
        slurm.garbles = 0.0
        slurm.advance(LAGS)
        for _ in range(40):
            centre.cycle()

        assert slurm.garbled > 40
        assert centre.opened == []
        assert centre.charges() == dict.fromkeys(payable(slurm), WORTH)


def market(
    slurm: FakeSlurm,
    folder: Path,
    echo: Callable[[str], None] = print,
    purse: FakePurse | None = None,
) -> Driver:
    terms = DriverTerms(clock=slurm.clock, sleep=slurm.sleep, echo=echo)
    scheduler, worth = make_scheduler("easy"), worth_by("none", 0)
    return Driver(folder, slurm, scheduler, worth, terms, purse)  # type: ignore[arg-type]


class Changed(FakeSlurm):
    """A cluster that shows the entries of some jobs changed."""

    changes: dict[str, Cells] = {}  # noqa: RUF012 - replaced, never added to

    def queue(self) -> list[Cells]:
        return [row | self.changes.get(row["jobid"], {}) for row in super().queue()]


def test_one_entry_leaves_its_job_alone_and_the_others_start(tmp_path: Path) -> None:
    slurm, lines = Changed({"n1": 4}, holds_new=True), list[str]()
    with market(slurm, tmp_path, lines.append) as driver:
        runs, waits = (slurm.submit(work=500, cpus=cpus) for cpus in (1, 4))
        driver.cycle()
        driver.cycle()
        assert [slurm.jobs[key].state for key in (runs, waits)] == ["RUNNING", "PENDING"]
        slurm.changes = {key: {"numcpus": "nan"} for key in (runs, waits)}
        new = slurm.submit(work=500)
        for _ in range(3):
            driver.cycle()
            slurm.advance(5)
        states = {key: job.state for key, job in slurm.jobs.items()}
        assert states == {runs: "RUNNING", waits: "PENDING", new: "RUNNING"}
        assert driver.report is not None
        assert (driver.report.unreadable, driver.report.running) == (2, 2)
        assert driver.store.active.keys() == {runs, waits, new}
        assert [line.partition(": ValueError")[0] for line in lines] == [
            f"squeue: lists otherwise than known: job {key}" for key in (runs, waits)
        ]
        del slurm.changes[runs]
        slurm.advance(600)
        driver.cycle()
        assert (slurm.jobs[runs].state, slurm.jobs[waits].state) == ("COMPLETED", "PENDING")
        slurm.changes = {}
        driver.cycle()
    assert slurm.jobs[waits].state == "RUNNING"


def test_an_entry_that_a_new_driver_cannot_read_is_no_end(tmp_path: Path) -> None:
    slurm, purse = Changed({"n1": 1}, holds_new=True), FakePurse()
    with market(slurm, tmp_path) as driver:
        first, second = slurm.submit(work=500), slurm.submit(work=500)
        driver.cycle()
    slurm.changes = {second: {"state": "?"}}
    with market(slurm, tmp_path, purse=purse) as driver:
        driver.cycle()
        assert driver.store.active.keys() == {first, second}
        assert purse.held.keys() == {first}
        assert driver.release_all() == {}
    assert slurm.jobs[second].hold == ""


def test_without_idle_processors_all_but_starts_goes_on(tmp_path: Path) -> None:
    class Nodeless(FakeSlurm):
        def nodes(self) -> list[Cells]:
            raise SlurmError("prints another listing", source="sinfo")

    slurm = Nodeless({"n1": 4})
    with market(slurm, tmp_path) as driver:
        key = slurm.submit(work=50)
        driver.cycle()
        assert driver.store.active.keys() == {key}
    assert slurm.jobs[key].hold == "JobHeldAdmin"


@settings(max_examples=many(200), deadline=None)
@given(st.text(max_size=300), st.sampled_from(("|", "#", "7")))
def test_any_text_is_a_listing_or_refused(text: str, mark: str) -> None:
    for columns, read in ((JOB_COLUMNS, read_entries), (NODE_COLUMNS, read_nodes)):
        with suppress(SlurmError, ValueError):
            read(rows_of(text, columns, mark))


@settings(max_examples=many(60), deadline=None)
@given(st.text(max_size=20) | st.from_regex(r"[0-9:T/%,+-]{0,20}"), st.data())
def test_what_is_read_of_a_changed_row_can_be_planned(value: str, data: st.DataObject) -> None:
    rows = recorded("queue")
    row = data.draw(st.sampled_from(rows))
    row[data.draw(st.sampled_from(sorted(row)))] = value

    jobs, problems = read_entries(rows)

    assert len(problems) <= 1
    queue = LiveQueue(make_scheduler("value-density"), worth_by("default", 0))
    for now in (float(BEGAN), BEGAN + 60.0):
        queue.look(now, jobs, ProcessorPool(16, 2))


@given(st.text(max_size=300) | st.lists(st.text("0123456789|T-:", max_size=20)).map("|".join))
def test_any_text_is_accounting_or_not_clear(text: str) -> None:
    for runs in read_runs(text).values():
        assert all(run.start <= run.end or not run.over for run in runs if run.clear and run.end)


@pytest.mark.parametrize(("name", "cell"), [(name, cell) for name in CELLS for cell in CELLS[name]])
def test_a_cell_that_cannot_be_read_makes_its_line_unclear(name: str, cell: str) -> None:
    line = FragileBooks({"n1": 1})
    line.submit()
    cells = line.accounted(["1"]).strip().split("|")
    cells[COLUMNS.index(name)] = cell

    [[run]] = read_runs("|".join(cells)).values()

    assert not run.clear


def test_each_answer_is_told_once_and_in_short() -> None:
    lines, answers = list[str](), UnreadableAnswers()
    answers.echo = lines.append

    for _ in range(3):
        answers.note("x\x00" * 10_000)

    assert (answers.counted(), answers.counted()) == (3, 0)
    assert [len(line) for line in lines] == [MOST_QUOTED + len(" ...")]
    assert lines[0].isprintable()


@pytest.mark.parametrize(
    "line",
    [
        'printf "17${SQUEUE_FORMAT2##*:}"',
        "head -c 9000 /dev/zero | tr '\\0' '1'",
        "head -c 3000 /dev/urandom",
        "exit 3",
        "kill -9 $$",
        "exec sleep 30",
        "head -c 9000 /dev/urandom >&2; exit 1",
    ],
)
def test_whatever_a_program_prints_is_one_short_error(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "squeue", line)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(commands, "PATIENCE", 0.2 if "sleep" in line else 60.0)

    with pytest.raises(SlurmError) as refused:
        commands.queue()

    assert len(str(refused.value)) < 2 * MOST_QUOTED
    assert str(refused.value).isprintable()


TOLD = [Action("hold", key) for key in ("14_11", "14_12", "14_13", "14_14", "15", "16")]


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ("14_[11-12,14]: Job is over", ["14_11", "14_12", "14_14"]),  # 26.05
        ("14_11-12,14: Job is over", ["14_11", "14_12", "14_14"]),
        ("14_[11-12%4]: Job is over\n15_1: No error", ["14_11", "14_12"]),
        ("Job has already finished for job 16", ["16"]),
        ("Invalid job id specified for job 14", ["14_11", "14_12", "14_13", "14_14"]),
        ("14_[0-99999999999999999999]: ?", ["14_11", "14_12", "14_13", "14_14"]),
        ("no words of ours", ["14_11", "14_12", "14_13", "14_14", "15", "16"]),
    ],
)
def test_a_refusal_is_of_the_jobs_that_it_names(
    said: str, refused: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "scontrol", f"printf '{said.replace('%', '%%')}\\n' >&2; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    answer = commands.apply(TOLD)

    assert sorted(answer) == refused
    assert all(
        why.startswith(UNREADABLE) == (said == "no words of ours") for why in answer.values()
    )
