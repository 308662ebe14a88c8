"""One small workload worked out by hand, through every way of running it."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError, Workload
from utilitysched import Decision, InfeasibleDecision, QueueState, make_scheduler, simulate
from utilitysched.schedulers.list_scheduler import ListScheduler

MACHINE = 4


def workload(**columns: list[float]) -> Workload:
    """Four jobs on four processors: a wide one blocks, a short and a long one are behind it."""
    default: dict[str, list[float]] = {
        "submit": [100, 101, 102, 103],
        "run": [50, 20, 30, 60],
        "requested_time": [60, 20, 40, 90],
        "processors": [3, 4, 1, 1],
    }
    return Workload.from_columns(**(default | columns))  # type: ignore[arg-type]


class Decider:
    """A scheduler with nothing but `decide`."""

    def __init__(self, decide: object) -> None:
        self.decide = decide


def first_fits(state: QueueState) -> Decision:
    """Start the oldest queued job if it fits."""
    oldest = state.queued[:1]
    return Decision(oldest if state.known.size[oldest].sum() <= state.free else oldest[:0])


@pytest.mark.parametrize(
    ("scheduler", "start"),
    [
        # job 0 until 150; job 1 needs all four, then the others
        ("fcfs", [100, 150, 170, 170]),
        # shadow 160: the job of 40 s ends by 142, the one of 90 s would not, and nothing is extra
        ("easy", [100, 150, 102, 170]),
        ("conservative", [100, 150, 102, 170]),
        # at 102 areas are 80 and 40: the smaller job is no longer behind a blocked one
        ("saf", [100, 150, 102, 170]),
        ("easy:reservations=0", [100, 192, 102, 132]),
        ("lpf:placement=none", [100, 192, 102, 132]),
    ],
)
def test_four_jobs(scheduler: str, start: list[float]) -> None:
    schedule = simulate(workload(), scheduler, machine_size=MACHINE)
    assert schedule.start.tolist() == start
    assert (schedule.end - schedule.start).tolist() == [50, 20, 30, 60]
    assert schedule.scheduler == scheduler


def test_backfilled_means_a_job_ahead_stayed_blocked() -> None:
    schedule = simulate(workload(), "easy", machine_size=MACHINE)
    assert schedule.backfilled.tolist() == [False, False, True, False]


def test_results_are_in_workload_order() -> None:
    order = [2, 0, 3, 1]
    sorted_start = simulate(workload(), "easy", machine_size=MACHINE).start
    shuffled = simulate(workload()[np.array(order)], "easy", machine_size=MACHINE)
    assert shuffled.start.tolist() == sorted_start[order].tolist()


def test_job_is_killed_at_its_request() -> None:
    late = simulate(workload(run=[500, 20, 30, 60]), "fcfs", machine_size=MACHINE)
    assert late.end[0] == 160


def test_job_without_run_time_makes_room_at_its_own_instant() -> None:
    jobs = workload(submit=[0, 0, 0], run=[0, 5, 5], requested_time=[9, 9, 9], processors=[4, 4, 1])
    schedule = simulate(jobs, "fcfs", machine_size=MACHINE)
    assert schedule.start.tolist() == [0, 0, 5]
    assert schedule.passes == 4


def test_python_object_runs_in_the_same_engine() -> None:
    schedule = simulate(workload(), Decider(first_fits), machine_size=MACHINE)
    assert schedule.start.tolist() == [100, 150, 170, 200]
    assert schedule.scheduler == "Decider"


class OneByOne(ListScheduler):
    """EASY, but for what it decides."""

    def decide(self, state: QueueState) -> Decision:
        return first_fits(state)


def test_a_scheduler_derived_from_a_built_in_one_decides_for_itself() -> None:
    easy = make_scheduler("easy")
    assert isinstance(easy, ListScheduler)
    schedule = simulate(
        workload(), OneByOne("mine", easy.order, easy.placement), machine_size=MACHINE
    )
    assert schedule.start.tolist() == [100, 150, 170, 200]


REVERSED = workload(job_id=[11, 12, 13, 14])[::-1].replace(submit=[100, 110, 120, 130])


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        (
            Decision(np.array([7])),
            "at 100 s: index 7, of no job that was submitted, is not in the queue",
        ),
        (
            Decision(np.array([-1])),
            "at 100 s: index -1, of no job that was submitted, is not in the queue",
        ),
        (Decision(np.array([0, 0])), "at 100 s: job 14 (index 0) is started twice"),
        (Decision(wake_up=100.0), "at 100 s: wake-up at 100 s is not in the future"),
    ],
)
def test_impossible_decisions_are_refused(decision: Decision, message: str) -> None:
    with pytest.raises(InfeasibleDecision) as error:
        simulate(REVERSED, Decider(lambda _: decision), machine_size=MACHINE)
    assert str(error.value) == message


def test_a_job_started_again_is_named_by_its_number() -> None:
    with pytest.raises(InfeasibleDecision) as error:
        simulate(REVERSED, Decider(lambda _: Decision(np.array([0]))), machine_size=MACHINE)
    assert str(error.value) == "at 110 s: job 14 (index 0) is not in the queue"


def test_any_sequence_of_numbers_names_jobs() -> None:
    def decide(state: QueueState) -> Decision:
        fits = first_fits(state)
        return Decision(fits.starts.tolist(), order=tuple(state.queued.tolist()))  # type: ignore[arg-type]

    by_lists = simulate(workload(), Decider(decide), machine_size=MACHINE)

    by_arrays = simulate(workload(), Decider(first_fits), machine_size=MACHINE)
    assert by_lists.start.tolist() == by_arrays.start.tolist()
    assert by_lists.backfilled.tolist() == by_arrays.backfilled.tolist()


@pytest.mark.parametrize("jobs", [[1.5], [True], ["a"]])
def test_jobs_are_named_by_whole_numbers(jobs: list[object]) -> None:
    with pytest.raises(TypeError, match="jobs are named by whole numbers, not by "):
        Decision(jobs)  # type: ignore[arg-type]


def test_what_a_scheduler_writes_to_its_state_changes_nothing() -> None:
    def decide(state: QueueState) -> Decision:
        decision = first_fits(state)
        for column in state.known[1:]:
            column[:] = 0  # type: ignore[index]
        return decision

    jobs = workload(processors=[1, 1, 1, 1])
    spoiled = simulate(jobs, Decider(decide), machine_size=MACHINE)

    assert spoiled.start.tolist() == simulate(jobs, "fcfs", machine_size=MACHINE).start.tolist()


def test_starts_beyond_the_machine_are_refused() -> None:
    jobs = workload(submit=[100, 100, 100, 100])
    with pytest.raises(InfeasibleDecision) as error:
        simulate(jobs, Decider(lambda state: Decision(state.queued)), machine_size=MACHINE)
    assert str(error.value) == "at 100 s: the starts need 9 processors, 4 are free"


def test_jobs_left_for_ever_are_refused() -> None:
    def only_narrow(state: QueueState) -> Decision:
        narrow = state.queued[state.known.size[state.queued] == 1]
        return Decision(narrow[: state.free])

    with pytest.raises(InfeasibleDecision) as error:
        simulate(workload(job_id=[11, 12, 13, 14]), Decider(only_narrow), machine_size=MACHINE)
    assert str(error.value) == (
        "2 jobs are never started, the first is job 11: the scheduler must start jobs, or ask to"
        " be woken, while the machine is idle"
    )


def test_wake_up_makes_a_pass_without_an_event() -> None:
    instants = []

    def decide(state: QueueState) -> Decision:
        instants.append(state.now)
        return first_fits(state) if state.now >= 125 else Decision(wake_up=state.now + 10)

    jobs = workload(submit=[100], run=[5], requested_time=[5], processors=[1])
    assert simulate(jobs, Decider(decide), machine_size=MACHINE).start.tolist() == [130]
    assert instants == [100, 110, 120, 130]


def test_a_scheduler_never_sees_run_times_or_later_jobs() -> None:
    seen: list[QueueState] = []

    def decide(state: QueueState) -> Decision:
        seen.append(state)
        return first_fits(state)

    simulate(workload(), Decider(decide), machine_size=MACHINE)
    assert "run" not in seen[0].known._fields
    assert [len(state.known.submit) for state in seen[:4]] == [1, 2, 3, 4]
    assert (seen[4].finished.tolist(), seen[4].finished_run.tolist()) == ([0], [50])


@pytest.mark.parametrize(
    ("jobs", "machine", "message"),
    [
        (
            workload(),
            None,
            (
                "field MaxProcs: the workload does not say how many processors the machine has; "
                "give `machine_size=N`"
            ),
        ),
        (workload(), 0, "a machine of 0 processors; give a whole number, at least 1"),
        (workload(), 100.5, "a machine of 100.5 processors; give a whole number, at least 1"),
        (workload(), "256", "a machine of '256' processors; give a whole number, at least 1"),
        (
            workload(),
            3,
            (
                "field processors: job 2 is wider than the machine (3); "
                "read the workload with standard cleaning, or drop the job"
            ),
        ),
        (
            workload(run=[50, -1, 30, 60], requested_time=[60, 60, 60, 60]),
            4,
            (
                "field run: job 2 has a negative or unknown run time; "
                "read the workload with standard cleaning, or drop the job"
            ),
        ),
    ],
)
def test_unusable_workloads_are_refused(jobs: Workload, machine: int | None, message: str) -> None:
    with pytest.raises(InputError) as error:
        simulate(jobs, machine_size=machine)
    assert str(error.value) == message


def test_no_jobs_is_an_empty_schedule() -> None:
    schedule = simulate(workload()[:0], "easy", machine_size=MACHINE)
    assert len(schedule) == 0


def test_progress_ends_below_or_at_one() -> None:
    shares: list[float] = []
    jobs = Workload.from_columns(
        submit=np.arange(200.0), run=np.full(200, 5.0), processors=np.ones(200)
    )
    simulate(jobs, Decider(first_fits), machine_size=MACHINE, on_progress=shares.append)
    assert shares == sorted(shares)
    assert 0 < shares[-1] <= 1


def test_provenance_repeats_the_run() -> None:
    schedule = simulate(workload(), "saf:backfill=spf", machine_size=MACHINE, seed=9)
    told = schedule.provenance
    assert told["workload"] == workload().digest()
    assert told["options"] == make_scheduler("saf:backfill=spf").options
    assert (told["scheduler"], told["machine_size"], told["seed"]) == ("saf:backfill=spf", 4, 9)


def test_provenance_tells_the_priority_classes() -> None:
    jobs = workload(queue=[9, 9, 9, 9])
    schedule = simulate(jobs, "priority-fifo", machine_size=MACHINE, classes={9: 0})
    assert schedule.provenance["classes"] == {9: 0}
    assert simulate(jobs, "easy", machine_size=MACHINE).provenance["classes"] is None


def test_schedules_are_equal_by_result() -> None:
    one, two = (simulate(workload(), "easy", machine_size=MACHINE) for _ in range(2))
    assert one == two
    assert one != simulate(workload(), "easy", machine_size=MACHINE, seed=1)
    assert one != "easy"
