"""What replays branch off from."""

from typing import Protocol

from utilitysched.arrivals import Arrivals
from utilitysched.list_scheduler import ListScheduler
from utilitysched.preemptive import Terms, rules_for
from utilitysched.replays.compiled import CompiledTrunk
from utilitysched.replays.course import Course, Realised
from utilitysched.replays.question import Question
from utilitysched.replays.stepped import SteppedTrunk
from utilitysched.state import Integers


class Trunk(Protocol):
    """A simulation played again, which stops before the submission of one job after the other."""

    @property
    def realised(self) -> Course:
        """What happened."""
        ...

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        ...

    def present(self) -> Integers:
        """Return the jobs in the queue or running, ascending."""
        ...

    def having(self, seed: int | None) -> Course:
        """Return the course with the next job, its draws those of `seed`, None for the same."""
        ...

    def lacking(self, job: int, seed: int | None, last: int) -> Course:
        """Return the course without `job`, the next one, in which `last` is the last to arrive."""
        ...


def trunk_of(question: Question, arrivals: Arrivals) -> Trunk:
    """Return the trunk of a schedule, before its first event."""
    scheduler = question.prepared(arrivals)
    if type(scheduler) is ListScheduler:  # one derived from it may decide otherwise
        start = question.start[arrivals.order]
        return CompiledTrunk(arrivals, scheduler, Realised(start, start + arrivals.run))
    rules = rules_for(scheduler, question.preemption)
    terms = None if rules is None else Terms.of(question.workload, arrivals.order, rules)
    return SteppedTrunk(arrivals, scheduler, question.prepared(arrivals), terms)
