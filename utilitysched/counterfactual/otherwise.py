"""Charges of single jobs, had they been submitted otherwise than they were."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np

from pricing.counterfactual import PivotRule, ReplayRule, players_of
from swfx import Workload
from utilitysched.counterfactual.branch import Change, branch
from utilitysched.counterfactual.inputs import SimulationInputs
from utilitysched.counterfactual.pivots import PivotRecorder
from utilitysched.counterfactual.plan_comparison import Players
from utilitysched.counterfactual.replays import Question, replay_jobs
from utilitysched.model.arrivals import Arrivals
from utilitysched.schedulers.registry import make_scheduler


class ChargedJob(NamedTuple):
    """What comes of one job.

    Attributes
    ----------
    charge : float
        What it is charged (SU).
    start : float
        When it starts (s).
    """

    charge: float
    start: float


class ChangedJobs:
    """Jobs of which one at a time is otherwise, each charged as the rule says.

    Asked by plans, jobs come in the order of their submission: the log is played up to each once,
    and branches off there until the job has started. By replays it is played anew for each.

    Parameters
    ----------
    inputs : SimulationInputs
        What made the schedule: jobs in the order of their arrival, none of which can be stopped or
        waits for another.
    rule : PivotRule or ReplayRule
        How jobs are charged.
    """

    def __init__(self, inputs: SimulationInputs, rule: PivotRule | ReplayRule) -> None:
        self.inputs = inputs
        self.rule = rule
        self._baseline = None
        if isinstance(rule, PivotRule):
            arrivals = inputs.arrivals()
            recorder = PivotRecorder(make_scheduler(inputs.scheduler), rule, arrivals.run, only=())
            recorder.prepare(inputs.setting)
            self._baseline = inputs.simulation(arrivals, recorder)

    def charged(self, job: int, changed: Workload, place: int) -> ChargedJob:
        """Return what comes of a job that is otherwise.

        Parameters
        ----------
        job : int
            The job, by its place among all.
        changed : Workload
            All jobs, this one otherwise, in the order of their arrival.
        place : int
            Its place there.
        """
        if isinstance(self.rule, ReplayRule):
            return self._by_replays(self.rule, changed, place)
        return self._by_plans(job, changed, place)

    def _by_replays(self, rule: ReplayRule, changed: Workload, place: int) -> ChargedJob:
        inputs = replace(self.inputs, workload=changed)
        start = inputs.outcome(inputs.arrivals()).start
        question = Question(**vars(inputs), start=start, rule=rule)
        found = replay_jobs(question, np.array([place]))
        return ChargedJob(found.charge.item(place), start.item(place))

    def _by_plans(self, job: int, changed: Workload, place: int) -> ChargedJob:
        assert self._baseline is not None
        self._baseline.advance(self.inputs.workload.submit.item(job))
        arrivals = Arrivals.of(changed, self.inputs.machine_size, self.inputs.classes)
        simulation = branch(self._baseline, Change(arrivals=arrivals))
        recorder = cast("PivotRecorder", simulation.scheduler)
        recorder.run, recorder.only = arrivals.run, (place,)
        recorder.players = Players(players_of(changed, recorder.charged.players))
        while np.isnan(simulation.start[place]):
            simulation.step()
        found = recorder.pivots(arrivals.order)
        return ChargedJob(found.charge.item(place), simulation.start.item(place))
