"""Machine files: a machine as one document."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path

from swfx.base.document import DocumentTable, read_document

__all__ = ["Limit", "Machine", "Pool", "PriorityWeights", "Share", "Window", "read_machine"]

PROCESSORS = "processors"
"""Name of the resource that every pool has."""


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
    capacity: dict[str, int]
    partitions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limit(DocumentTable):
    """A limit on what the jobs of a group may have at a time.

    Attributes
    ----------
    of : str
        Kind of the group: ``user``, ``account``, ``qos``, ``partition``, or ``all`` jobs.
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
    most: dict[str, int]
    name: str | None = None
    within: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Window(DocumentTable):
    """A time in which a pool has less for all jobs, or for all but those of a group.

    Attributes
    ----------
    name : str
        Name of the window.
    begin, end : float
        From when to when, on the log's clock (s since its first submission).
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
    begin: float
    end: float
    pool: str | None = None
    taken: dict[str, int] = field(default_factory=dict)
    known: float | None = None
    for_jobs_of: dict[str, str] = field(default_factory=dict)
    requeue: bool = False


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

    shares: int
    account: str = ""
    user: str = ""
    parent: str = ""


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

    age: float = 0.0
    fairshare: float = 0.0
    size: float = 0.0
    partition: float = 0.0
    qos: float = 0.0
    value: float = 0.0
    max_age: float = 7 * 86400.0
    half_life: float = 7 * 86400.0
    favor_small: bool = False
    partitions: dict[str, float] = field(default_factory=dict)
    qos_factors: dict[str, float] = field(default_factory=dict)
    recalc: float = 0.0


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
    nodes: int = 0
    limits: tuple[Limit, ...] = ()
    windows: tuple[Window, ...] = ()
    shares: tuple[Share, ...] = ()
    priority: PriorityWeights = field(default_factory=PriorityWeights)
    not_simulated: tuple[str, ...] = ()

    @property
    def processors(self) -> int:
        """Processors of all pools."""
        return sum(pool.capacity[PROCESSORS] for pool in self.pools)

    def to_dict(self) -> dict[str, object]:
        """Return the document, without what is as it is by default."""
        return _contents(self)


def _contents(table: DocumentTable) -> dict[str, object]:
    """Return what a table of a document says, without what is as it is by default."""
    said: dict[str, object] = {}
    for column in fields(table):  # type: ignore[arg-type]  # all tables are dataclasses
        value, usual = getattr(table, column.name), column.default
        if column.default_factory is not MISSING:
            usual = column.default_factory()
        if value == usual:
            continue
        if isinstance(value, DocumentTable):
            value = _contents(value)
        elif isinstance(value, tuple):
            value = [_contents(v) if isinstance(v, DocumentTable) else v for v in value]
        said[column.name] = value
    return said


def read_machine(file: Path) -> Machine:
    """Read a machine file.

    Raises
    ------
    InputError
        The file cannot be read, or its first mistake.
    """
    return read_document(Machine, file, "a machine file")
