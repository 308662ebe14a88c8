"""Policies of co-schedulers, and their options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from swfx import InputError
from swfx.base.bounds import require_between
from swfx.base.configured import ANY, Configured, choice, flag, named, number, whole
from swfx.base.options import as_choice, as_int
from swfx.base.plugins import load_entry_points
from swfx.base.registry import check_free
from utilitysched.kernels.sharing import terms
from utilitysched.model.state import Integers
from utilitysched.schedulers.coscheduling.own import Function


class CoPolicy(NamedTuple):
    """A co-scheduling policy: queue order, sharing, backfilling, reservations.

    Attributes
    ----------
    order : int
        Of the queue, as `utilitysched.kernels.sharing.terms` names it.
    shares : bool
        Jobs get parts of nodes: of empty ones, else beside others.
    fills : bool
        Jobs start around a stuck head.
    reserves : bool
        Conservative backfilling: each job holds a reservation.
    reads_values : bool
        Utility functions can change the schedule.
    function : callable or None
        Scores and placements of a policy of one's own.
    """

    order: int
    shares: bool = True
    fills: bool = True
    reserves: bool = False
    reads_values: bool = False
    function: Function | None = None


POLICIES = {
    "fcfs": CoPolicy(terms.ARRIVAL, shares=False, fills=False),
    "easy": CoPolicy(terms.ARRIVAL, shares=False),
    "conservative": CoPolicy(terms.ARRIVAL, shares=False, reserves=True),
    "sjf": CoPolicy(terms.SHORTEST, shares=False),
    "ljf": CoPolicy(terms.LONGEST, shares=False),
    "easy-co": CoPolicy(terms.ARRIVAL),
    "sjf-co": CoPolicy(terms.SHORTEST),
    "ljf-co": CoPolicy(terms.LONGEST),
    "laf-co": CoPolicy(terms.LARGEST),
    "popularity": CoPolicy(terms.POPULARITY),
    "filler": CoPolicy(terms.FILLER),
    "sjf-filler": CoPolicy(terms.SHORT_FILLER),
    "pop-filler": CoPolicy(terms.POPULAR_FILLER),
    "value-filler": CoPolicy(terms.VALUE, reads_values=True),
}
"""By name; the first five run jobs compact."""


def policy(name: str, *, value_aware: bool = False) -> Callable[[Function], Function]:
    """Enter the decorated function as the co-scheduling policy `name`.

    At every pass in which jobs wait it takes a `SharedQueue`, and returns a score of each job, the
    lowest first, and whether it is placed compact: (k,) numbers and (k,) booleans.

    Parameters
    ----------
    name : str
        For ``coscheduled:policy=NAME``.
    value_aware : bool
        It reads utility functions.

    Raises
    ------
    InputError
        The name is taken.
    """

    def enter(function: Function) -> Function:
        earlier = POLICIES.get(name)
        check_free("co-scheduling policy", name, earlier and (earlier.function or policy), function)
        POLICIES[name] = CoPolicy(terms.OWN, reads_values=value_aware, function=function)
        return function

    return enter


def _policy(text: str, source: str, field: str) -> str:
    if text not in POLICIES:
        load_entry_points(GROUP)
    return as_choice(text, POLICIES, source, field)


FAMILY = "coscheduled"
GROUP = "utilitysched.policies"
"""Entry points of modules with policies."""

MEASURED = "none"
NAMED, DRAWN = "named", "drawn"
RUN, REQUEST = "run", "request"
KNOWN, LEARNED = "known", "learned"
FIRST, FASTEST = "first", "fastest"
EASY, SHADOW = "easy", "shadow"
RESERVED, UNRESERVED = "reserved", "unreserved"
MEAN, IGNORED = "mean", "ignored"

EVERY = 1_000_000_000
"""Jobs: more than any queue has."""

DEPTH = 100
"""Jobs behind a stuck head, by default; as in ELiSE, and in Slurm by default."""

_SOCKETS, _MOST = 2, 1024
"""Sockets of a node by default; and at most, as many as cores of a socket."""


def _completion(text: str, source: str, field: str) -> str:
    if text == MEASURED:
        return text
    seed = as_int(text, source, field)
    require_between(source, field, seed, 0, EVERY)
    return str(seed)


def _cores(text: str, source: str, field: str) -> int | str:
    """Return cores of a socket, as a number where all have the same."""
    return text if "+" in text else as_int(text, source, field)


def _sizes(cores: int | str, source: str, field: str) -> list[int]:
    """Return the numbers in a list of cores such as ``8+12``, or the one number."""
    sizes = [as_int(text, source, field) for text in str(cores).split("+")]
    for size in sizes:
        require_between(source, field, size, 1, _MOST)
    return sizes


def _applications(text: str, source: str, field: str) -> str:
    if text not in (NAMED, DRAWN):
        listed(text, source, field)
    return text


def listed(text: str, source: str = FAMILY, field: str = "applications") -> dict[int, str]:
    """Return the applications of executables from a list such as ``3:bt.D.64+7:ep.E.256``."""
    listed = {}
    for part in text.split("+"):
        number, colon, name = part.partition(":")
        if not colon:
            raise InputError(
                f"{part!r} is no executable and its application",
                source=source,
                field=field,
                remedy=f"write NUMBER:NAME+NUMBER:NAME, {NAMED} or {DRAWN}",
            )
        listed[as_int(number, source, field)] = name
    return listed


@dataclass(frozen=True)
class CoschedulingOptions(Configured):
    """A policy, a cluster, and what is known of applications.

    Attributes
    ----------
    policy : str
        One of `POLICIES`.
    heatmap : str
        True speeds: file or name of a packaged one.
    completion : str
        Seed of the model for pairs that are not measured; ``none``: they have the mean known speed
        of their application.
    applications : str
        ``named``: executables are applications by name; ``drawn``: each is drawn one; or a list of
        them, ``3:bt.D.64+7:ep.E.256``.
    sockets : int
        Sockets of a node; as many as `cores` lists where it is a list.
    cores : int or str
        Cores of each socket, or a list of the cores of each, ``8+12``.
    parts : int
        Parts of a node, each for one job of those that share it: of each socket, this share of the
        cores, rounded down.
    contiguous : bool
        Jobs have nodes that follow one another.
    nodes : {"first", "fastest"}
        Which of the nodes with free parts a job gets: the first, or those on which it will be
        fastest by what schedulers know of speeds.
    speeds : {"known", "learned"}
        Whether they believe a table for ever, or correct it by what they see of jobs that ran.
    table : str
        Heatmap that they begin with, of which `heatmap` holds the true speeds; by default the same
        if speeds are known, none if they are learned.
    trust : float
        How many observations a speed of the table counts for if speeds are learned.
    optimism : float
        By how much a learned speed is taken to exceed the mean of those seen, if there are none; by
        this over the root of 1 + n if there are n, with those that the table counts for.
    noise : float
        Standard deviation of the logarithm of what is measured of a job, over its true speed.
    known : {"run", "request"}
        What schedulers reckon with: compact run times, or requested times.
    kill : bool
        Jobs that neighbours slow are killed at their requested times.
    backfilling : {"easy", "shadow"}
        Who may start around a stuck head: jobs in order that end before it can start or leave it
        enough nodes; or, as in ELiSE, jobs by arrival that end before the longest-waiting job can.
    head : {"reserved", "unreserved"}
        Whether `conservative` keeps nodes for the head of the queue; in ELiSE it does not.
    depth : int
        Jobs behind a stuck head that may fill, in order.
    window : int
        Jobs, in order of arrival, that are put in order.
    threshold : float
        Mean speed of a pair that makes each popular with the other.
    rank : int
        Jobs with fewer such partners in the queue are placed compact by popularity.
    tau : float
        Delay (s) by which `value-filler` judges what a job gains by starting now.
    unmeasured : {"mean", "ignored"}
        What popularity makes of a pair that was not measured: judge it by the means of both, or
        not count it.
    """

    LISTED = "utilitysched list schedulers"
    name = FAMILY

    policy: str = named(_policy, "sjf-filler")
    heatmap: str = named(lambda text, *_: text, "aris")
    completion: str = named(_completion, MEASURED)
    applications: str = named(_applications, NAMED)
    sockets: int = whole(_SOCKETS, (1, _MOST))
    cores: int | str = named(_cores, 10, str, _sizes)
    parts: int = whole(2, (2, _MOST))
    contiguous: bool = flag()
    nodes: str = choice((FIRST, FASTEST), FIRST)
    speeds: str = choice((KNOWN, LEARNED), KNOWN)
    table: str | None = named(lambda text, *_: text, None)
    trust: float = number(1.0, ANY)
    optimism: float = number(0.1, (0.0, 1.0))
    noise: float = number(0.0, (0.0, 1.0))
    known: str = choice((RUN, REQUEST), RUN)
    kill: bool = flag()
    backfilling: str = choice((EASY, SHADOW), EASY)
    head: str = choice((RESERVED, UNRESERVED), RESERVED)
    depth: int = whole(DEPTH, ANY)
    window: int = whole(EVERY, (1, EVERY))
    threshold: float = number(1.0, ANY)
    rank: int = whole(3, ANY)
    tau: float = number(1200.0, ANY)
    unmeasured: str = choice((MEAN, IGNORED), MEAN)

    def __post_init__(self) -> None:
        super().__post_init__()
        sizes = _sizes(self.cores, FAMILY, "cores")
        if len(sizes) > 1 and self.sockets not in (len(sizes), _SOCKETS):
            raise InputError(
                f"{self.cores} are the cores of {len(sizes)} sockets, not of {self.sockets}",
                source=FAMILY,
                field="cores",
                remedy="leave sockets out, or give cores=N if all sockets are equal",
            )
        if len(sizes) > 1:
            object.__setattr__(self, "sockets", len(sizes))
        if POLICIES[self.policy].shares and min(sizes) < self.parts:
            raise InputError(
                f"a job on one of {self.parts} parts of a node has no core of a socket of"
                f" {min(sizes)}",
                source=FAMILY,
                field="cores",
                remedy=f"give sockets of {self.parts} cores or more, fewer parts, or a policy that"
                " runs jobs compact",
            )
        policy = POLICIES[self.policy]
        given = {each.name for each in fields(self) if getattr(self, each.name) != each.default}
        for names, where, has_effect in EFFECTIVE:
            idle = given.intersection(names.split())
            if idle and not has_effect(self, policy):
                raise InputError(
                    f"has an effect only with {where}",
                    source=FAMILY,
                    field=min(idle),
                    remedy="leave it out",
                )
        for field, problem, remedy, excluded in CONFLICTS:
            if excluded(self, policy):
                raise InputError(problem, source=FAMILY, field=field, remedy=remedy)

    @property
    def cores_of_sockets(self) -> Integers:
        """Cores of each socket of a node, shape (sockets,)."""
        sizes = _sizes(self.cores, FAMILY, "cores")
        return np.array(sizes if len(sizes) > 1 else sizes * self.sockets, np.int64)


Holds = Callable[[CoschedulingOptions, CoPolicy], bool]

POPULAR = (terms.POPULARITY, terms.POPULAR_FILLER)

EFFECTIVE: tuple[tuple[str, str, Holds], ...] = (
    (
        "trust",
        "speeds=learned and a table",
        lambda chosen, _: chosen.speeds == LEARNED and chosen.table is not None,
    ),
    ("optimism noise", "speeds=learned", lambda chosen, _: chosen.speeds == LEARNED),
    ("head", "policy=conservative", lambda _, policy: policy.reserves),
    (
        "threshold unmeasured",
        "policy=popularity or policy=pop-filler",
        lambda _, policy: policy.order in POPULAR,
    ),
    ("rank", "policy=popularity", lambda _, policy: policy.order == terms.POPULARITY),
    ("tau", "policy=value-filler", lambda _, policy: policy.order == terms.VALUE),
)
"""Options that not every co-scheduler reads, and with what they have an effect. The others describe
the machine, or hold for all policies as far as these sort, reckon and backfill."""

CONFLICTS: tuple[tuple[str, str, str, Holds], ...] = (
    (
        "contiguous",
        "conservative reserves numbers of nodes, not nodes that follow one another",
        "give contiguous=false, or policy=easy",
        lambda chosen, policy: chosen.contiguous and policy.reserves,
    ),
    (
        "unmeasured",
        "schedulers that learn speeds do not know which pairs were measured",
        "give unmeasured=mean, or speeds=known",
        lambda chosen, _: chosen.unmeasured == IGNORED and chosen.speeds == LEARNED,
    ),
    (
        "policy",
        "value-filler chooses the nodes on which a job and its neighbours do best",
        "leave nodes and contiguous out, or choose another policy",
        lambda chosen, policy: (
            policy.order == terms.VALUE and (chosen.contiguous or chosen.nodes == FASTEST)
        ),
    ),
    (
        "nodes",
        "the fastest nodes need not follow one another",
        "give contiguous=false, or nodes=first",
        lambda chosen, _: chosen.contiguous and chosen.nodes == FASTEST,
    ),
)
"""Options that exclude one another: the field to name, why, the remedy, and when."""
