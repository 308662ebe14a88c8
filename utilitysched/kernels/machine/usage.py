"""Decayed usage of accounts and users, and their fair-share factors."""

import math
from typing import NamedTuple, Self

import numpy as np

from utilitysched.kernels.compiling import leaf, leaf_kernel
from utilitysched.model.machine import ShareTable
from utilitysched.model.state import Floats

HALF_LIFE, RECALC = 1, 3
"""Places of constants in `ShareTable.constants`."""

BY_ENTITY = ("usage", "rate", "factor")
"""Columns of `UsageState` by entity."""

STEPS = float(2**30)
"""Amounts are rounded to such parts of a processor: their sums are exact, and end at 0."""


class UsageState(NamedTuple):
    """Usage of every entity of a `ShareTable`; changed in place as jobs start and end.

    Between two changes, usage is known in closed form: what there was decays, and each second of
    running jobs counts from when it was used.

    Attributes
    ----------
    usage : (e,) float64
        Decayed usage at `at` (processor-seconds), of running jobs up to then.
    rate : (e,) float64
        Amounts of the jobs that run, as processors.
    at : (1,) float64
        Time of the last change (s).
    factor : (e,) float64
        Fair-share factors as priorities were computed last.
    computed : (1,) float64
        When that was (s), minus infinity for never.
    """

    usage: Floats
    rate: Floats
    at: Floats
    factor: Floats
    computed: Floats

    @classmethod
    def blank(cls, entities: int) -> Self:
        """Return the state of a machine on which nobody has run anything."""
        return cls(
            np.zeros(entities),
            np.zeros(entities),
            np.full(1, -np.inf),
            np.ones(entities),
            np.full(1, -np.inf),
        )

    def fork(self) -> Self:
        """Return an independent state with equal contents."""
        return type(self)(*(column.copy() for column in self))

    def memory(self, shares: ShareTable, now: float) -> tuple[bytes, ...]:
        """Return what equal priorities from now on (s) have in common."""
        state = self.fork()
        _advance(state, shares.constants, now)
        kept = state if shares.constants[RECALC] > 0.0 else (state.usage, state.rate)
        return tuple(column.tobytes() for column in kept)


@leaf
def _decay(half_life: float, elapsed: float) -> tuple[float, float]:
    """Return what is left of a second after `elapsed` s, and of all seconds since in sum."""
    if half_life <= 0.0:
        return 1.0, elapsed
    power = -math.log(2.0) * elapsed / half_life
    return math.exp(power), -math.expm1(power) * half_life / math.log(2.0)


@leaf_kernel
def _advance(state: UsageState, constants: Floats, now: float) -> None:
    """Let usage decay, and count what has run, up to now."""
    elapsed = now - state.at[0]
    if 0.0 < elapsed < math.inf:
        left, seconds = _decay(constants[HALF_LIFE], elapsed)
        for entity in range(len(state.usage)):
            state.usage[entity] = state.usage[entity] * left + state.rate[entity] * seconds
    state.at[0] = max(now, state.at[0])


@leaf
def _share(shares: ShareTable, entity: int) -> float:
    """Return the share of an entity in the machine: the product of shares along the tree."""
    share = 1.0
    while entity >= 0:
        share *= shares.share[entity]
        entity = shares.parent[entity]
    return share


@leaf_kernel
def factors(state: UsageState, shares: ShareTable, now: float, out: Floats) -> None:
    """Write the fair-share factor of every entity: 2 to the power of -(effective usage / share).

    That is Slurm's classic formula. Usage is normalised by that of all. Directly below the root,
    effective usage is usage; further down, a child's is its usage plus, by its share among its
    siblings, what its parent's effective usage is more.

    Parameters
    ----------
    state : UsageState
        Read only.
    shares : ShareTable
        Entities.
    now : float
        Up to when running jobs count (s), no earlier than the last change.
    out : (e,) float64
        Filled; 1 for who has used nothing, 0 for who has no share.
    """
    left, seconds = 1.0, 0.0
    if now - state.at[0] < math.inf:
        left, seconds = _decay(shares.constants[HALF_LIFE], now - state.at[0])
    total = state.usage[0] * left + state.rate[0] * seconds
    # effective usage, from the root down
    for entity in range(len(out)):
        parent = shares.parent[entity]
        usage = state.usage[entity] * left + state.rate[entity] * seconds
        out[entity] = usage / total if total > 0.0 else 0.0
        if parent > 0:
            out[entity] += (out[parent] - out[entity]) * shares.share[entity]
    # the factor by it
    for entity in range(len(out)):
        share = _share(shares, entity)
        out[entity] = 2.0 ** (-out[entity] / share) if share > 0.0 else 0.0


@leaf_kernel
def compute(state: UsageState, shares: ShareTable, now: float) -> None:
    """Compute the factors that priorities go by, if that is due.

    They are those of now, or those of the last multiple of the time between two computations.
    """
    when, period = now, shares.constants[RECALC]
    if period > 0.0:
        when = np.floor(now / period) * period
    if when > state.computed[0]:
        factors(state, shares, when, state.factor)
        state.computed[0] = when


@leaf
def _change(state: UsageState, shares: ShareTable, job: int, change: float, now: float) -> None:
    """Change what a job's user, and the accounts above, have running."""
    if shares.constants[RECALC] > 0.0:
        compute(state, shares, now)
    _advance(state, shares.constants, now)
    entity = shares.entity[job]
    while entity >= 0:
        state.rate[entity] += change
        entity = shares.parent[entity]


@leaf
def _rounded(amount: float) -> float:
    return math.floor(amount * STEPS + 0.5) / STEPS


@leaf_kernel
def begin(state: UsageState, shares: ShareTable, job: int, amount: float, now: float) -> None:
    """Count a job from now on.

    Parameters
    ----------
    state : UsageState
        Changed in place.
    shares : ShareTable
        Entities; the half-life.
    job : int
        The job.
    amount : float
        What it holds, as processors: its dominant share times the processors of the pool.
    now : float
        Time (s), no earlier than that of the last change.
    """
    _change(state, shares, job, _rounded(amount), now)


@leaf_kernel
def end(state: UsageState, shares: ShareTable, job: int, amount: float, now: float) -> None:
    """Count a job no longer from now on; see `begin`."""
    _change(state, shares, job, -_rounded(amount), now)
