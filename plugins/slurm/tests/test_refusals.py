"""Jobs that Slurm does not let change: people are told once, with what helps."""

from __future__ import annotations

from pathlib import Path

from plugins.slurm.tests.fake import FakeJob, FakeSlurm
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm.driver import Driver, DriverTerms
from utilitysched_slurm.refusals import REFUSING, REMEDIES, Refusals
from utilitysched_slurm.worth import worth_by

SETTING = "Job update not available right now, the DB index is being set, try again in a bit"
EVERY = 5


class Unsure(FakeSlurm):
    """A controller that waits for slurmdbd's answer about some jobs, in vain."""

    unanswered: frozenset[str] = frozenset()

    def _obeys(self, job: FakeJob, verb: str, value: str) -> str:
        if job.key in self.unanswered:
            return f"{SETTING} for job {job.key}"
        return super()._obeys(job, verb, value)


def test_people_are_told_once_of_jobs_that_slurm_does_not_let_change(tmp_path: Path) -> None:
    slurm, lines = Unsure({"n1": 4}, holds_new=True), list[str]()
    terms = DriverTerms(clock=slurm.clock, sleep=slurm.sleep, echo=lines.append)
    with Driver(tmp_path, slurm, make_scheduler("easy"), worth_by("none", 0), terms) as driver:
        first, second, other = (slurm.submit(work=20) for _ in range(3))

        def cycles(seconds: float) -> None:
            until = slurm.now + seconds
            while slurm.now < until:
                driver.cycle()
                slurm.advance(EVERY)

        slurm.unanswered = frozenset({first, second})
        cycles(REFUSING - EVERY)
        assert lines == []
        cycles(3 * REFUSING)
        assert slurm.jobs[other].state == "COMPLETED"
        [remedy] = REMEDIES.values()
        who = f"job {first}, {second}"
        assert lines == [f"{who}: Slurm has refused all changes for 30 s: {SETTING}; {remedy}"]

        slurm.unanswered = frozenset()
        cycles(2 * REFUSING)
        assert slurm.jobs[first].state == slurm.jobs[second].state == "COMPLETED"


def test_an_answer_in_between_begins_the_time_anew_and_who_is_gone_is_forgotten() -> None:
    lines = list[str]()
    refusals = Refusals(lines.append)

    def note(now: float, refused: bool, there: str = "1") -> None:
        refusals.note(now, {"1"}, {"1": "held for job 1"} if refused else {}, {there})

    for now, refused in ((0, True), (REFUSING - 1, False), (REFUSING, True)):
        note(now, refused)
    note(2 * REFUSING - 1, refused=True)
    note(2 * REFUSING - 1, refused=True, there="2")
    note(3 * REFUSING - 2, refused=True)
    assert lines == []
    note(3 * REFUSING - 1, refused=True)
    assert lines == ["job 1: Slurm has refused all changes for 30 s: held"]
