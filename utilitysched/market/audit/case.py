"""A job, and how things go on from its submission under the truth and under lies told then."""

from __future__ import annotations

from functools import cache

import numpy as np

from utilitysched.counterfactual.branch import Trail
from utilitysched.engine.simulation import Simulation
from utilitysched.market.audit.misreport import Misreport
from utilitysched.market.audit.payoff import AuditWindow, Books, Payoff
from utilitysched.market.audit.replayed import Before, replayed
from utilitysched.market.audit.reported import Bools, ReportedJobs, tell, truth
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.market.audit.trajectory import AuditTrajectory, Branch
from utilitysched.model.state import Integers

_Truth = tuple[AuditTrajectory, Trail]


class Case:
    """What may come of one job.

    Parameters
    ----------
    scenario : AuditScenario
        Jobs, scheduler and mechanisms.
    baseline : Simulation or Before
        Stopped before the job's submission; what there is then suffices where things are replayed.
    job : int
        By its place in the order of arrival.
    closes : float
        When accounts are closed (s).
    """

    def __init__(
        self,
        scenario: AuditScenario,
        baseline: Simulation | Before,
        job: int,
        closes: float,
    ) -> None:
        self.scenario = scenario
        self.baseline = baseline
        self._opens = scenario.workload.submit.item(job)
        last = int(np.searchsorted(scenario.workload.submit, closes))
        workload = scenario.workload[:last]
        self.honest = truth(workload)
        there = baseline.queue
        if isinstance(baseline, Simulation) and scenario.rules is not None:
            there = sorted(baseline.present())
        present = np.array(there, dtype=np.int64)
        self.window = AuditWindow(workload, present, baseline.arrived, closes)
        self.jobs: Bools = (scenario.owners == scenario.owners[job])[:last]
        self.told_otherwise: Integers = np.array([job])
        self._without = cache(self._utility_without)

    def told(self, lie: Misreport) -> ReportedJobs:
        """Return what the centre is told by a liar."""
        return tell(
            self.window.workload,
            dict.fromkeys(self.told_otherwise.tolist(), lie),
            self.scenario.queues,
        )

    def truth(self, seed: int | None) -> _Truth:
        """Return how things go under the truth."""
        trail = Trail()
        if isinstance(self.baseline, Before):
            return self._replayed(self.honest), trail
        honest = self._branch(self.baseline, self.honest, seed)
        return honest.follow(self.window.closes, trail), trail

    def lied(self, told: ReportedJobs, seed: int | None, known: _Truth) -> AuditTrajectory:
        """Return how things go if something else is told, given how they go under the truth."""
        if isinstance(self.baseline, Before):
            return self._replayed(told)
        lied = self._branch(self.baseline, told, seed)
        if told.keeps_places and self.scenario.settles_at_starts:
            return lied.follow_to(self.window.closes, known, self.told_otherwise)
        return lied.follow(self.window.closes)

    def _branch(self, baseline: Simulation, told: ReportedJobs, seed: int | None) -> Branch:
        jobs = self.jobs if self.scenario.rules is None else None
        return Branch(self.scenario, baseline, told, seed, jobs=jobs)

    def _replayed(self, told: ReportedJobs) -> AuditTrajectory:
        return replayed(self.scenario, told, self.jobs, self._opens, self.window.closes)

    def value(self, course: AuditTrajectory) -> float:
        """Return what the jobs themselves turned out to be worth under the truth (SU)."""
        alone = np.isin(np.arange(len(self.jobs)), self.told_otherwise)
        return Books(course, self.window).account(alone).value

    def account(self, course: AuditTrajectory, seed: int | None) -> Payoff:
        """Draw up the user's account."""
        found = Books(course, self.window, self.scenario).account(self.jobs)
        for place, mechanism in enumerate(self.scenario.priced):
            if mechanism.replays:
                found.charge[place] += self._without(seed)
        return found

    def _utility_without(self, seed: int | None) -> float:
        """Return what the others have without the user's jobs, but those that run already (SU)."""
        assert isinstance(self.baseline, Simulation)
        gone = self.jobs.copy()
        gone[: self.window.first] = False
        waits = np.array(self.baseline.queue, dtype=np.int64)
        withdrawn, present = waits[self.jobs[waits]], self.window.present
        told = self.honest.taken(~gone)
        rest = Branch(self.scenario, self.baseline, told, seed, withdrawn)
        window = self.window._replace(present=present[~np.isin(present, withdrawn)])
        books = Books(rest.follow(self.window.closes), window)
        return books.utility_of_others(self.jobs)
