"""The classic scheduler: an ordering of the queue and a placement of the ordered queue."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from utilitysched.kernels.policy import (
    NO_RESERVE,
    Policy,
    Ranking,
    ReserveRule,
    looked_at,
    place,
    scores,
)
from utilitysched.kernels.profile import occupy
from utilitysched.kernels.reservations import plan_anew
from utilitysched.kernels.selection import in_order
from utilitysched.kernels.signatures import compiled_placement
from utilitysched.model.forecast import Forecast, ForecastRule
from utilitysched.model.plans import Planner
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.scheduling_pass import (
    Limits,
    Plan,
    Queue,
    Releases,
    SchedulingPass,
    Threshold,
)
from utilitysched.model.state import Decision, Floats, Integers, JobTable, QueueState
from utilitysched.schedulers.history import History
from utilitysched.schedulers.orders import Order
from utilitysched.schedulers.placements import Placement, placements

if TYPE_CHECKING:
    from utilitysched.model.machine import ShareTable
    from utilitysched.schedulers.pools import PoolMemory

EVERYTHING = np.iinfo(np.int64).max


@dataclass
class ListScheduler(Scheduler):
    """Ordering x placement (LEE 3.1).

    The engine runs it compiled; `decide` takes the same decisions one at a time.

    Attributes
    ----------
    label : str
        Text that makes this scheduler.
    order : Order
        Queue order.
    placement : Placement
        What turns the ordered queue into starts.
    backfill : Order or None
        Backfill order; default: the queue order.
    threshold : Threshold
        Starvation threshold.
    reservations : int
        Blocked jobs that hold a reservation, for the placement ``reservations``.
    window : float
        No reservation further away than this (s).
    depth : int
        Queued jobs looked at in one pass.
    rule : ForecastRule
        What value-aware orderings take for granted about run times.
    reserve : ReserveRule
        Jobs that are worth less wait for idle time.
    """

    label: str = field()
    order: Order
    placement: Placement
    backfill: Order | None = None
    threshold: Threshold = field(default_factory=Threshold)
    reservations: int = 1
    window: float = math.inf
    depth: int = EVERYTHING
    rule: ForecastRule = field(default_factory=ForecastRule)
    reserve: ReserveRule = NO_RESERVE

    def __post_init__(self) -> None:
        self.prepare(Setting(machine_size=1, longest_request=0.0, seed=0))

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force."""
        order, (price, idle) = self.order, self.reserve
        return {
            "ordering": order.ordering.name,
            **dict(zip(order.ordering.parameters, order.parameters, strict=True)),
            "placement": self.placement.name,
            "backfill": (self.backfill or order).ordering.name,
            "threshold": str(self.threshold),
            "reservations": self.reservations,
            "window": self.window,
            "depth": self.depth,
            **(self.rule._asdict() if self._forecasts else {}),
            **({"reserve": price, "idle": idle} if price else {}),
        }

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        self.starvation_threshold = self.threshold.seconds(setting.longest_request)
        self._history = History(self.rule)
        self._machine_size = setting.machine_size
        self._plan = self.placement.blank_plan(16, setting.machine_size)
        self._started = np.zeros(16, np.bool_)
        self._pool: PoolMemory | None = None

    def policy(self, known: JobTable, *, once: bool) -> Policy:
        """Return the scheduler in the form of the kernels.

        With `once`, scores and forecasts that never change are worked out now rather than at every
        pass.
        """
        primary = self.order.ranking(known, once=once)
        return Policy(
            primary,
            self.backfill.ranking(known, once=once) if self.backfill else primary,
            self.backfill is None,
            compiled_placement(self.placement.place),
            self.placement.keeps_reservations,
            Limits(self.reservations, self.window),
            self.depth,
            self.starvation_threshold,
            self.rule.codes,
            self._forecasts and (self.rule.learns or not once),
            self.reserve,
        )

    def policy_at(self, state: QueueState) -> Policy:
        """Return the scheduler in the form of the kernels, to decide at a state."""
        policy = self.policy(state.known, once=False)
        for order, ranking in self.usage_rankings(policy):
            order.look(ranking.parameters, state.pool)
        return policy

    def usage_rankings(self, policy: Policy) -> list[tuple[Order, Ranking]]:
        """Return the orders that read usage, with their rankings in a policy."""
        orders = ((self.order, policy.primary), (self.backfill, policy.secondary))
        return [(each, ranking) for each, ranking in orders if each and each.reads_usage]

    @property
    def reads_usage(self) -> bool:
        """Whether a machine has to keep account of usage for it."""
        return self.order.reads_usage or (self.backfill or self.order).reads_usage

    def shares(self, table: "ShareTable") -> "ShareTable":
        """Return shares with its own weights, if it has any, in place of the machine's.

        Those of the queue order hold for the backfill order, too.

        Raises
        ------
        InputError
            See `UsageOrder.shares`.
        """
        reading = self.order if self.order.reads_usage else self.backfill or self.order
        return reading.shares(table)

    @property
    def is_plain_easy(self) -> bool:
        """Whether the scheduler is EASY with one static order and no limits."""
        return (
            self.placement is placements()["easy"]
            and not self.order.ordering.dynamic
            and self.backfill is None
            and self.starvation_threshold == math.inf
            and self.depth == EVERYTHING
            and not self.reserve.price
        )

    @property
    def places_amounts(self) -> bool:
        """Whether the placement looks at several resources, limits and windows."""
        from utilitysched.kernels.machine.placement import (  # noqa: PLC0415 - of machines only
            VECTOR_PLACEMENTS,
        )

        return self.placement.name in VECTOR_PLACEMENTS

    @property
    def waits_for_events(self) -> bool:
        """Whether only an arrival, a completion or a wake-up of its own can have a job start.

        Then the order of jobs, and how far the placement looks, do not change with time.
        """
        orders = (self.order, self.backfill or self.order)
        return (
            self.places_amounts
            and not any(order.ordering.dynamic for order in orders)
            and self.starvation_threshold == math.inf
            and self.window == math.inf
            and not self.reserve.price
        )

    @property
    def compiled(self) -> "ListScheduler | None":
        """The scheduler itself; None if it is of a subclass, or reads usage of a machine."""
        return None if self.reads_usage else self.compiled_on_machine

    @property
    def compiled_on_machine(self) -> "ListScheduler | None":
        """The list scheduler itself; None for a subclass, which may decide otherwise."""
        return self if type(self) is ListScheduler else None

    @property
    def keeps_reservations(self) -> bool:
        """Whether the placement keeps reservations from pass to pass."""
        return self.placement.keeps_reservations

    @property
    def remembers(self) -> bool:
        """Whether anything but the queue and the running jobs decides."""
        learns = self._forecasts and self.rule.learns
        return self.keeps_reservations or learns or self.compiled is None

    @property
    def reads_queued_only(self) -> bool:
        """Whether it is not derived from this, and may look at more, and reads no usage."""
        return self.compiled is not None

    @property
    def bids_matter(self) -> bool:
        """Whether utility functions can change a decision."""
        reads = self._forecasts or self.reserve.price > 0
        return reads or self.keeps_reservations or self.compiled_on_machine is None

    @property
    def reading(self) -> ForecastRule | None:
        """Its rule, if queue or backfill order read utility functions."""
        return self.rule if self._forecasts else None

    @property
    def _forecasts(self) -> bool:
        orders = (self.order, self.backfill or self.order)
        return any(order.value_aware for order in orders)

    def indifferent(self, known: JobTable) -> bool:
        """Return whether scores that never change are the same for all jobs."""
        orders = (self.order, self.backfill or self.order)
        return not any(
            order.ordering.dynamic or np.ptp(order.fixed_scores(known)) for order in orders
        )

    def planner(self) -> Planner | None:
        """Return the plans of the scheduler without arrivals, run times as requested."""
        from utilitysched.schedulers.list_plans import ListPlans  # noqa: PLC0415 - compiles plans

        return ListPlans(self)

    def decide(self, state: QueueState) -> Decision:
        """Return the jobs to start now."""
        if self._forecasts:
            self._history.observe(state)
        if state.pool is not None:
            from utilitysched.schedulers.pools import (  # noqa: PLC0415 - of machines only
                PoolMemory,
                check_placement,
                decide_on_pool,
            )

            if self.places_amounts:
                self._pool = self._pool or PoolMemory()
                return decide_on_pool(self, state, self._pool)
            check_placement(
                self.placement.name, len(state.pool.capacity), len(state.pool.windows.begin)
            )
        policy = self.policy_at(state)
        # columns of this scheduler cover all jobs so far
        self._grow(len(state.known.submit))
        # the queue in order, as far as the placement may look
        queue = self.ranked(state, policy)
        ended, releases = state.finished, Releases(state.expected_end, state.running)
        # reservations around jobs that no longer run are void
        if state.disrupted and self.placement.keeps_reservations:
            self._plan_anew(state, queue, releases)
            ended = ended[:0]
        # one pass: the placement marks who starts
        wake_up = place(
            policy,
            SchedulingPass(state.now, state.free, ended),
            queue,
            releases,
            state.known,
            self._plan,
            self._started,
        )
        # read the marks, and clear them for the next pass
        starts = queue.job[self._started[queue.job]]
        self._started[starts] = False
        order = in_order(queue.job, queue.score)
        return Decision(starts, None if wake_up == math.inf else wake_up, order)

    def ranked(self, state: QueueState, policy: Policy) -> Queue:
        """Return the queued jobs that the placement may look at, with their scores."""
        known, jobs, threshold = state.known, state.queued, self.starvation_threshold
        forecast = self.forecast(state)
        moment = SchedulingPass(state.now, state.free, state.finished)
        score = scores(jobs, moment, known, forecast, policy.primary, threshold)
        if self.depth < len(jobs) or self.reserve.price:
            within = looked_at(policy, jobs, score, state.now, state.free, known)
            jobs, score = jobs[within], score[within]
        if policy.same_order:
            return Queue(jobs, score, score)
        backfill = scores(jobs, moment, known, forecast, policy.secondary, threshold)
        return Queue(jobs, score, backfill)

    def forecast(self, state: QueueState) -> Forecast:
        """Return the forecast of the queued jobs; rows of other jobs are undefined."""
        return self._history.forecast(state)

    def reserved(self, jobs: Integers) -> Floats:
        """Return the start reserved for each job (s), infinite where there is none."""
        plan = self._plan if self._pool is None else self._pool.plan
        starts: Floats = plan.reserved[jobs]
        return starts

    def withdraw(self, jobs: Integers, known: JobTable) -> None:
        """Forget queued jobs: what was reserved for them is free again."""
        if self.keeps_reservations and self._pool is not None:
            self._pool.withdraw(jobs)
        withdraw_reserved(self._plan, jobs[jobs < len(self._plan.reserved)], known)

    def _plan_anew(self, state: QueueState, queue: Queue, releases: Releases) -> None:
        """Replan all reservations around the jobs that run now."""
        known, plan = state.known, self._plan
        ranked = in_order(queue.job, queue.score)
        jobs = ranked, known.request, known.size, plan.reserved
        plan_anew(state.now, state.free, releases, *jobs, *plan.profile)

    def _grow(self, jobs: int) -> None:
        if jobs > len(self._started):
            larger = self.placement.blank_plan(2 * jobs, self._machine_size)
            columns = ((plan.reserved, *plan.profile) for plan in (self._plan, larger))
            for old, new in zip(*columns, strict=True):
                new[: len(old)] = old
            self._plan = larger
            self._started = np.zeros(2 * jobs, np.bool_)


def withdraw_reserved(plan: Plan, jobs: Integers, known: JobTable) -> None:
    """Release the reservations of jobs."""
    for job in jobs[np.isfinite(plan.reserved[jobs])].tolist():
        begin, size = plan.reserved[job], known.size[job]
        occupy(*plan.profile, begin, begin + known.request[job], -size)
