"""Machine files: a machine as one document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from numbers import Integral
from pathlib import Path
from typing import Annotated, Any

from swfx.base.atomic import write_whole
from swfx.base.document import DocumentError, DocumentTable, checked, toml_contents
from swfx.base.document_mistakes import Steps, refusal
from swfx.base.document_values import Flag, number, seconds, whole, zero_or_more
from swfx.base.errors import InputError
from swfx.base.options import nearest
from swfx.base.toml_writing import toml_text, without_defaults
from swfx.clock import Clock, instant
from swfx.label_kinds import LABEL_KINDS

__all__ = [
    "GROUP_KINDS",
    "PROCESSORS",
    "Limit",
    "Machine",
    "Pool",
    "PriorityWeights",
    "Share",
    "Window",
    "account_parents",
    "read_machine",
    "trivial_machine",
    "write_machine",
]

PROCESSORS = "processors"
"""Name of the resource that every pool has."""

COUNTED = ("jobs", "submitted")
"""What limits count beside amounts of resources."""

GROUP_KINDS = tuple(kind for kind in LABEL_KINDS if kind != "state")
"""Kinds of groups of jobs: labels that jobs have before they end."""

_ALIKE = 0.75
"""Likeness from which on an unknown resource is a misspelt one."""

Amounts = dict[str, Annotated[int, whole()]]
"""Amount of each resource; memory in MB."""

Weight = Annotated[float, number(ge=0)]
"""Weight or priority."""


@dataclass(frozen=True)
class Pool(DocumentTable):
    """A part of a machine whose jobs compete with each other and with no others.

    Attributes
    ----------
    name : str
        Name of the pool.
    capacity : dict of str to int
        Amount of each resource, ``processors`` among them; memory in MB.
    partitions : tuple of str
        Partitions of the log whose jobs run in the pool; default: the one of its name.
    """

    name: str
    capacity: Amounts
    partitions: Annotated[tuple[str, ...], zero_or_more] = ()

    def __post_init__(self) -> None:
        if not self.name:
            raise DocumentError("is empty", "give the pool a name", at=("name",))
        _check_amounts(self.capacity, "capacity")
        if self.capacity.get(PROCESSORS, 0) < 1:
            raise DocumentError(
                f"pool {self.name} has no processors", "add processors = N", at=("capacity",)
            )
        for name in self.capacity:
            if name in COUNTED:
                raise DocumentError(
                    f"{name} is no resource", "limits say how many jobs", at=("capacity", name)
                )


@dataclass(frozen=True)
class Limit(DocumentTable):
    """A limit on what the jobs of a group may have at a time.

    Attributes
    ----------
    of : str
        Kind of the group: ``user``, ``account``, ``qos``, ``partition`` or another label, or
        ``all`` jobs. An account has the jobs of all accounts below it.
    name : str or None
        The group; None for every one of the kind by itself.
    within : dict of str to str
        Groups to which jobs have to belong as well, by kind: ``{"qos": "long"}`` with ``of =
        "user"`` limits what each user has of that QOS.
    most : dict of str to int
        Largest amount of each resource that runs; ``jobs``, largest number that run;
        ``submitted``, largest number that are queued or run.
    """

    of: str
    most: Amounts
    name: str | None = None
    within: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.of != "all" and self.of not in GROUP_KINDS:
            known = nearest(self.of, ("all", *GROUP_KINDS))
            raise DocumentError(f"{self.of!r} is no kind of group", known, at=("of",))
        if self.of == "all" and self.name is not None:
            raise DocumentError("all jobs have no name", "leave the name out", at=("name",))
        if not self.most:
            raise DocumentError(
                "limits nothing", "name a resource, jobs or submitted", at=("most",)
            )
        _check_amounts(self.most, "most")
        _check_kinds(self.within, "within")


@dataclass(frozen=True)
class Window(DocumentTable):
    """A time in which a pool has less for all jobs, or for all but those of a group.

    Attributes
    ----------
    name : str
        Name of the window.
    begin, end : float
        From when to when, on the log's clock (s); in files also ``"2d"``, or a date.
    pool : str or None
        The pool; None for all.
    taken : dict of str to int
        Amount of each resource that is taken; empty for all there is.
    known : float or None
        Since when the window is known (s); None for always.
    for_jobs_of : dict of str to str
        Kind and name of the group whose jobs may have what is taken: ``{"account": "physics"}``.
    requeue : bool
        Whether jobs that run into it are stopped and requeued.
    """

    name: str
    begin: Annotated[float, number()]
    end: Annotated[float, number()]
    pool: str | None = None
    taken: Amounts = field(default_factory=dict)
    known: Annotated[float, number()] | None = None
    for_jobs_of: dict[str, str] = field(default_factory=dict)
    requeue: Flag = False

    def __post_init__(self) -> None:
        if not self.begin < self.end:
            problem = f"window {self.name} ends before it begins"
            raise DocumentError(problem, f"give a time after {self.begin:.15g}", at=("end",))
        if self.known is not None and self.known > self.begin:
            problem = f"window {self.name} is known after it has begun"
            raise DocumentError(problem, f"give {self.begin:.15g} or earlier", at=("known",))
        _check_amounts(self.taken, "taken")
        _check_kinds(self.for_jobs_of, "for_jobs_of")


@dataclass(frozen=True)
class Share(DocumentTable):
    """Shares of an account, or of a user in an account.

    Attributes
    ----------
    shares : int
        Shares among the siblings.
    account : str
        The account.
    user : str
        The user; empty for the account itself.
    parent : str
        The account above an account; empty for the root.
    """

    shares: Annotated[int, whole()]
    account: str = ""
    user: str = ""
    parent: str = ""

    def __post_init__(self) -> None:
        if not self.account and not self.user:
            raise DocumentError("shares of nobody", "name an account, a user, or both")
        if self.user and self.parent:
            problem = f"user {self.user} is in an account, not below one"
            raise DocumentError(problem, "write account in place of parent", at=("parent",))


@dataclass(frozen=True)
class PriorityWeights(DocumentTable):
    """Weights and constants of multifactor priority.

    Attributes
    ----------
    age, fairshare, size, partition, qos, value : float
        Weight of each factor.
    max_age : float
        Wait from which on the factor of age is 1 (s).
    half_life : float
        Time in which usage counts half (s).
    favor_small : bool
        Whether small jobs have the larger factor of size.
    partitions, qos_factors : dict of str to float
        Priority of each partition and QOS; the largest has factor 1.
    recalc : float
        Time between two computations of priorities (s), 0 for one at every pass.
    """

    age: Weight = 0.0
    fairshare: Weight = 0.0
    size: Weight = 0.0
    partition: Weight = 0.0
    qos: Weight = 0.0
    value: Weight = 0.0
    max_age: Annotated[float, seconds(gt=0)] = 7 * 86400.0
    half_life: Annotated[float, seconds(gt=0)] = 7 * 86400.0
    favor_small: Flag = False
    partitions: dict[str, Weight] = field(default_factory=dict)
    qos_factors: dict[str, Weight] = field(default_factory=dict)
    recalc: Annotated[float, seconds(ge=0)] = 0.0

    def __post_init__(self) -> None:
        for name in ("max_age", "half_life"):
            if not getattr(self, name) > 0:
                problem = f"{getattr(self, name)!r} is no time"
                raise DocumentError(problem, "give a number above 0", at=(name,))


@dataclass(frozen=True)
class Machine(DocumentTable):
    """A machine: pools, limits, calendar, shares, weights.

    Attributes
    ----------
    pools : tuple of Pool
        The pools, in the order in which they are scheduled.
    nodes : int
        Processors that a node has, to which requests are rounded up; 0 for none.
    limits : tuple of Limit
        Limits on groups of jobs.
    windows : tuple of Window
        Maintenance and reservations.
    shares : tuple of Share
        Shares of accounts and users; those that are not named have 1.
    priority : PriorityWeights
        Multifactor priority.
    not_simulated : tuple of str
        What its source says besides, line by line.
    """

    pools: tuple[Pool, ...]
    nodes: Annotated[int, whole()] = 0
    limits: tuple[Limit, ...] = ()
    windows: tuple[Window, ...] = ()
    shares: tuple[Share, ...] = ()
    priority: PriorityWeights = field(default_factory=PriorityWeights)
    not_simulated: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.pools:
            raise DocumentError("the machine has no pool", "add a table [[pools]]", at=("pools",))
        _check_pools(self.pools)
        for place, limit in enumerate(self.limits):
            self._check_resources(limit.most, ("limits", place, "most"))
        for place, window in enumerate(self.windows):
            self._check_window(window, ("windows", place))
        _check_shares(self.shares)

    def _check_resources(self, amounts: Iterable[str], at: Steps) -> None:
        """Refuse a resource that no pool has, and whose name is nearly that of one."""
        known = [*COUNTED, *(name for pool in self.pools for name in pool.capacity)]
        for name in amounts:
            if name not in known and get_close_matches(name, known, 1, _ALIKE):
                raise DocumentError("is not known", nearest(name, known), at=(*at, name))

    def _check_window(self, window: Window, at: Steps) -> None:
        pools = {pool.name: pool for pool in self.pools}
        if window.pool is not None and window.pool not in pools:
            problem = f"there is no pool {window.pool!r}"
            raise DocumentError(problem, nearest(window.pool, pools), at=(*at, "pool"))
        if not window.taken:
            return
        if window.pool is None and len(pools) > 1:
            problem = f"window {window.name} takes amounts of no pool"
            raise DocumentError(problem, "name the pool", at=(*at, "taken"))
        pool = pools[window.pool] if window.pool is not None else self.pools[0]
        for name, amount in window.taken.items():
            there = pool.capacity.get(name)
            place = (*at, "taken", name)
            if there is None:
                problem = f"pool {pool.name} has no {name}"
                raise DocumentError(problem, nearest(name, pool.capacity), at=place)
            if amount > there:
                problem = f"{amount:,} of the {there:,} {name} of pool {pool.name}"
                raise DocumentError(problem, f"give {there} at most", at=place)

    @property
    def processors(self) -> int:
        """Processors of all pools."""
        return sum(pool.capacity[PROCESSORS] for pool in self.pools)

    @property
    def resources(self) -> tuple[str, ...]:
        """Names of the resources of pools and limits, processors first."""
        amounts = [*(pool.capacity for pool in self.pools), *(each.most for each in self.limits)]
        named = [name for each in amounts for name in each if name not in COUNTED]
        return tuple(dict.fromkeys((PROCESSORS, *named)))

    def to_dict(self) -> dict[str, Any]:
        """Document as `swfx.base.document.check_document` takes it, without defaults."""
        return without_defaults(self)


def account_parents(shares: Iterable[Share]) -> dict[str, str]:
    """Return the account above each account that has one."""
    return {each.account: each.parent for each in shares if not each.user and each.parent}


def read_machine(file: Path, clock: Clock | None = None) -> Machine:
    """Read a machine file.

    Parameters
    ----------
    file : Path
        TOML.
    clock : Clock, optional
        Clock of the log, for windows with dates.

    Raises
    ------
    InputError
        The file cannot be read, or its first mistake; dates without a clock.
    """
    contents = toml_contents(file, "a machine file")
    for place, key, window in _written_times(contents.value):
        value = window[key]
        text = value.isoformat() if isinstance(value, date) else value
        try:
            window[key] = instant(text, clock, "")
        except InputError as error:
            field_error = DocumentError(error.message, error.remedy, at=("windows", place, key))
            raise refusal(field_error, contents) from None
    made: Machine = checked(Machine, contents, None)
    return made


def write_machine(machine: Machine, file: str | Path) -> None:
    """Write a machine file, whole or not at all.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    write_whole(Path(file), toml_text(machine.to_dict()))


def trivial_machine(machine_size: int) -> Machine:
    """Return the machine of one pool for all jobs, on which all shares are equal.

    Examples
    --------
    >>> trivial_machine(64).pools
    (Pool(name='all', capacity={'processors': 64}, partitions=()),)
    """
    return Machine((Pool("all", {PROCESSORS: machine_size}),))


def _written_times(value: Mapping[str, Any]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the times of windows that are no seconds: number of the window, key, window."""
    windows = value.get("windows")
    for place, window in enumerate(windows if isinstance(windows, list) else ()):
        for key in ("begin", "end", "known"):
            if isinstance(window, dict) and isinstance(window.get(key), str | date):
                yield place, key, window


def _check_amounts(amounts: Mapping[str, object], at: str) -> None:
    for name, amount in amounts.items():
        if not (isinstance(amount, Integral) and int(amount) >= 0):
            problem = f"{amount!r} is no amount of {name}"
            raise DocumentError(problem, "give a whole number, 0 or more", at=(at, name))


def _check_kinds(groups: Iterable[str], at: str) -> None:
    for kind in groups:
        if kind not in GROUP_KINDS:
            known = nearest(kind, GROUP_KINDS)
            raise DocumentError("is no kind of group", known, at=(at, kind))


def _check_pools(pools: tuple[Pool, ...]) -> None:
    owner: dict[str, str] = {}
    for place, pool in enumerate(pools):
        if pool.name in [each.name for each in pools[:place]]:
            raise DocumentError(
                f"two pools are called {pool.name!r}", "rename one", at=("pools", place, "name")
            )
        for partition in pool.partitions or (pool.name,):
            other = owner.setdefault(partition, pool.name)
            if other != pool.name:
                problem = f"partition {partition} is in the pools {other} and {pool.name}"
                remedy = "put both into one pool, and limit what a partition has of it"
                raise DocumentError(problem, remedy, at=("pools", place, "partitions"))


def _check_shares(shares: tuple[Share, ...]) -> None:
    seen = set()
    parents = account_parents(shares)
    for place, each in enumerate(shares):
        whose = " of ".join(filter(None, (each.user, each.account)))
        if (each.account, each.user) in seen:
            raise DocumentError(
                f"shares of {whose} are given twice", "keep one of them", at=("shares", place)
            )
        seen.add((each.account, each.user))
        above, passed = parents.get(each.account), [each.account]
        while above and above not in passed:
            passed.append(above)
            above = parents.get(above)
        if above:
            circle = " below ".join([*passed[passed.index(above) :], above])
            remedy = "leave out a parent"
            raise DocumentError(
                f"accounts in a circle: {circle}", remedy, at=("shares", place, "parent")
            )
