"""Plans that take jobs to hold their processors for as long as expected."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tests.preempting import random_case
from tests.scale import many
from tests.utilitysched.schedulers.genetic.test_genetic_scheduler import workload as busy
from utilitysched import Decision, QueueState, simulate
from utilitysched.model.forecast import SAMPLES
from utilitysched.model.plans import Begun
from utilitysched.schedulers.genetic.genome_map import (
    GenomeMap,
    Memory,
    find_preemptible,
    forecast_beside,
)
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.plans import GeneticPlans
from utilitysched.schedulers.genetic.problem import problem_of
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler
from utilitysched.schedulers.history import History

NEAR = 1e-6  # s
EXPECTED = GeneticOptions.parse({"preset": "checkpoints", "population": "4", "generations": "1"})


class Checked(GeneticScheduler):
    """Compares the queue of every decision with one worked out job by job."""

    checked = 0
    sooner = 0

    def prepare(self, setting):
        super().prepare(setting)
        self.seen = History(self.settings.rule)
        self.runs = {}

    def decide(self, state: QueueState) -> Decision:
        self.seen.observe(state)
        for job, run in zip(state.finished, state.finished_run, strict=True):
            ratio = run / max(state.known.request[job], 1.0)
            for who in ("log", int(state.known.user[job])):
                self.runs.setdefault(who, []).insert(0, ratio)
        self.compare(state)
        return super().decide(state)

    def compare(self, state: QueueState) -> None:
        preemptible = find_preemptible(state, self.settings)
        line = GenomeMap.of(state, np.inf, None).beside(preemptible)
        forecast = forecast_beside(self.seen, state)
        queue = problem_of(state, line, forecast, Memory(), self.settings).queue
        last = state.preemption.last_start
        ends = dict(zip(state.running.tolist(), state.expected_end.tolist(), strict=True))
        for number, job in enumerate(line.job.tolist()):
            ran = state.now - last[job] if job in ends else 0.0
            left = ends[job] - state.now if job in ends else state.known.request[job]
            assert queue.request[number] == pytest.approx(self.left(state, job, ran, left))
            self.sooner += queue.request[number] < left
        wasted = queue.later - queue.request[len(queue.request) - len(preemptible.job) :]
        assert wasted == pytest.approx(preemptible.wasted)
        fixed = [job for job in state.running.tolist() if job not in preemptible.job]
        frees = {
            job: state.now + self.left(state, job, state.now - last[job], ends[job] - state.now)
            for job in fixed
        }
        assert queue.release_time == pytest.approx(np.array(sorted(frees.values())))
        for end in queue.release_time:
            size = sum(state.known.size[job] for job in fixed if frees[job] <= end + NEAR)
            assert queue.release_size[queue.release_time <= end + NEAR].sum() == size
        self.checked += 1

    def left(self, state: QueueState, job: int, ran: float, left: float) -> float:
        """Mean of the samples longer than it ran; the request left where nothing is known."""
        user, request = int(state.known.user[job]), state.known.request[job]
        if user < 0:
            return left
        own = self.runs.get(user, [])[:SAMPLES]
        ratios = (own + self.runs.get("log", []))[:SAMPLES]
        ratios += [1.0] * (SAMPLES - len(ratios))
        longer = [ratio * request - ran for ratio in ratios if ratio * request > ran]
        return min(left, sum(longer) / len(longer)) if longer else left


def test_every_job_takes_the_mean_of_what_its_user_used_beyond_what_it_ran():
    sooner = 0
    for seed in range(many(40, least=12)):
        case, scheduler = random_case(Random(seed)), Checked(EXPECTED)
        simulate(case.workload, scheduler, preemption=case.rules, machine_size=case.processors)
        assert scheduler.checked
        sooner += scheduler.sooner
    assert sooner > 50


@pytest.mark.parametrize("seed", range(2))
def test_who_is_expected_to_end_first_is_released_first(seed):
    scheduler = Checked(EXPECTED)
    simulate(busy(60, seed), scheduler, preemption="default", machine_size=8)
    assert scheduler.checked


def test_where_nobody_has_completed_a_job_plans_are_by_requested_times():
    state = None

    class First(GeneticScheduler):
        def decide(self, given):
            nonlocal state
            state = state or (given if len(given.queued) > 1 else None)
            return super().decide(given)

    case = random_case(Random(3))
    simulate(case.workload, First(EXPECTED), preemption=case.rules, machine_size=case.processors)
    assert state is not None
    assert len(state.finished) == 0
    line = GenomeMap.of(state, np.inf, None)
    expected, requested = (
        problem_of(state, line, forecast_beside(History(one.rule), state), Memory(), one).queue
        for one in (EXPECTED, replace(EXPECTED, planning="requested"))
    )
    columns = [(*queue[:-1], *queue.amounts) for queue in (expected, requested)]
    for ours, theirs in zip(*columns, strict=True):
        np.testing.assert_allclose(ours, theirs)


def test_pivot_charges_by_the_requested_time_do_not_ask_what_is_expected() -> None:
    class Asked(GeneticScheduler):
        compared = 0

        def decide(self, state: QueueState) -> Decision:
            decision = super().decide(state)
            for job in decision.starts.tolist()[:1]:
                plans = [
                    GeneticPlans(self).started(state, Begun.one(job, duration), None)
                    for duration in (np.nan, float(state.known.request[job]))
                ]
                for left, right in zip(*plans, strict=True):
                    np.testing.assert_equal(left, right)
                expected = self.problem_in(state, self.line(state)).queue.request
                self.compared += not np.array_equal(expected, state.known.request[state.queued])
            return decision

    scheduler = Asked(EXPECTED)
    for seed in range(10):
        case = random_case(Random(seed))
        simulate(case.workload, scheduler, preemption=case.rules, machine_size=case.processors)
    assert scheduler.compared > 10


@pytest.mark.parametrize("seed", range(2))
def test_what_is_expected_is_the_same_where_jobs_could_be_preempted_and_where_not(seed):
    """How long a job has run is read off its expected end where no last start is known."""
    jobs = busy(60, seed)
    text = "ga:duration=expected,planning=expected,population=4,generations=2"
    plain, able, requested = (
        simulate(jobs, ga, machine_size=8, seed=seed, preemption=rules)
        for ga, rules in (
            (text, None),
            (text, "default"),
            (text.replace("planning=expected", "planning=requested"), None),
        )
    )
    assert plain.start.tolist() == able.start.tolist()
    assert plain.start.tolist() != requested.start.tolist()
