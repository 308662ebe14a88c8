"""Columns of machines for the jobs of workloads, from their documents."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from swfx import MISSING, InputError
from swfx.label_kinds import LABEL_KINDS
from swfx.labels import UNKNOWN
from swfx.machine import PROCESSORS, account_parents
from utilitysched.model.machine import (
    CONSTANTS,
    FACTORS,
    RUNNING_JOBS,
    SUBMITTED_JOBS,
    LimitTable,
    MachineTable,
    PoolTable,
    ShareTable,
    WindowTable,
)
from utilitysched.model.state import Floats, Integers

if TYPE_CHECKING:
    from swfx import Workload
    from swfx.machine import Limit, Machine, Share

_MEASURES = {"jobs": RUNNING_JOBS, "submitted": SUBMITTED_JOBS}
_NO_RESOURCES = frozenset({"billing", "energy", "node", "pages", "vmem", "fs/disk"})
"""What logs have under ``tres/`` that is not scheduled."""

_KILOBYTES = 1024
"""In one MB."""

_ROUNDING = 1e-6

_PLENTY = 2**50
"""Capacity where a pool names none: of that much no job has a share."""


def machine_table(
    machine: "Machine", workload: "Workload", order: Integers, first: "Workload | None" = None
) -> MachineTable:
    """Return what a machine means for a workload.

    Groups that no job belongs to, and resources that no job needs, bind nobody.

    Parameters
    ----------
    machine : Machine
        The machine.
    workload : Workload
        Cleaned jobs.
    order : (n,) int64
        Position in the workload of each job in arrival order.
    first : Workload, optional
        Other jobs: entities that they have, too, are numbered as in the table for them.

    Raises
    ------
    InputError
        A job of no pool, or one that can never run.
    """
    groups = _Groups(workload, order, account_parents(machine.shares))
    pools, tree = _pool_table(machine, groups), _Tree(machine.shares)
    if first is not None:
        everybody = np.arange(len(first))
        _share_table(machine, _Groups(first, everybody, groups.parents), tree)
    return MachineTable(
        pools,
        _limit_table(machine, groups, pools.demand),
        _window_table(machine, groups, pools.capacity),
        _share_table(machine, groups, tree),
    )


def resources_known(workload: "Workload") -> tuple[str, ...]:
    """Return the resources of which a log says what jobs need, as `amounts_needed` takes them.

    Types such as ``gpu:a100`` follow their total. Nodes and what Slurm bills are none.
    """
    allocated = [name for name in workload.extra_columns if name.startswith("tres/")]
    names = [re.sub("^tres/((gres|license)/)?", "", name) for name in allocated]
    known = ["memory" if name == "mem" else name for name in names if name not in _NO_RESOURCES]
    totals = [part for name in known for part in dict.fromkeys((name.partition(":")[0], name))]
    asked = ["memory"] if (workload.requested_memory > 0).any() else []
    return tuple(dict.fromkeys((PROCESSORS, *asked, *totals)))


def amounts_needed(workload: "Workload", resource: str) -> Integers:
    """Return the amount of a resource that each job needs, (n,), 0 where the log does not say.

    Parameters
    ----------
    workload : Workload
        Jobs.
    resource : str
        ``processors``; ``memory`` (MB); or what the log calls ``tres/RESOURCE``,
        ``tres/gres/RESOURCE`` or ``tres/license/RESOURCE``, the sum of its types where no total is.
    """
    if resource == PROCESSORS:
        return workload.size
    amounts = _allocated(workload, "mem" if resource == "memory" else resource)
    if resource == "memory":
        requested = workload.requested_memory
        of_job = np.where(requested > 0, requested * workload.size / _KILOBYTES, 0)
        amounts = np.where(amounts < 0, of_job, amounts)
    # rounded up, but for what dividing by processors and multiplying again has added
    return np.ceil(np.maximum(amounts, 0) - _ROUNDING).astype(np.int64)


def _allocated(workload: "Workload", resource: str) -> Floats:
    for place in ("tres", "tres/gres", "tres/license"):
        column = f"{place}/{resource}"
        types = [name for name in workload.extra_columns if name.startswith(f"{column}:")]
        if column in workload.extra_columns or types:
            of_types = sum(np.maximum(workload.column(name), 0) for name in types)
            total = workload.column(column)
            return np.where(total < 0, of_types if types else MISSING, total)
    return workload.column("tres/node") * 0.0 + MISSING


class _Groups:
    """Groups of jobs in arrival order by their labels; accounts have all that is below them."""

    def __init__(self, workload: "Workload", order: Integers, parents: Mapping[str, str]) -> None:
        self.workload, self.order, self.parents = workload, order, parents
        self._read: dict[str, tuple[list[str], Integers]] = {}

    def labels(self, kind: str) -> tuple[list[str], Integers]:
        """Return the distinct names of a kind of label, and the place of each job's among them."""
        if kind not in self._read:
            labels = self.workload.labels.of(kind)
            numbers, places = _distinct(labels.numbers[self.order])
            self._read[kind] = [labels.name(number) for number in numbers.tolist()], places
        return self._read[kind]

    def chain(self, kind: str, name: str) -> list[str]:
        """Return the groups of a kind that jobs with a label belong to, the smallest first."""
        names = [] if name == UNKNOWN else [name]
        while kind == "account" and names and self.parents.get(names[-1]):
            names.append(self.parents[names[-1]])
        return names

    def members(self, of: Mapping[str, str]) -> NDArray[np.bool_]:
        """Mask of the jobs that belong to all of some groups, named by kind."""
        chosen = np.ones(len(self.order), dtype=bool)
        for kind, name in of.items():
            names, places = self.labels(kind)
            belongs = [name in self.chain(kind, each) for each in names]
            chosen &= np.array(belongs, dtype=bool)[places]
        return chosen

    def named(self, kind: str) -> list[str]:
        """Return the names of the groups of a kind, by number."""
        names, _ = self.labels(kind)
        return list(dict.fromkeys(group for name in names for group in self.chain(kind, name)))

    def each(self, kind: str) -> Iterator[tuple[Integers, Integers]]:
        """Yield all jobs that belong to a group of a kind, and the number of that group.

        A job comes as often as there are groups that it belongs to.
        """
        names, places = self.labels(kind)
        numbers = {name: number for number, name in enumerate(self.named(kind))}
        chains = [[numbers[group] for group in self.chain(kind, name)] for name in names]
        for level in range(max(map(len, chains), default=0)):
            at_level = [chain[level] if level < len(chain) else MISSING for chain in chains]
            group = np.array(at_level, dtype=np.int64)[places]
            jobs = np.flatnonzero(group >= 0)
            yield jobs, group[jobs]

    def job(self, place: SupportsIndex) -> str:
        """Return the name of a job by its place in arrival order."""
        return self.workload.job_name(self.order[place])


def _distinct(numbers: Integers) -> tuple[Integers, Integers]:
    """Return the distinct numbers, ascending, and the place of each among them.

    Labels are small numbers, for which a table is a tenth of the work of sorting.
    """
    least, most = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    if most - least > 4 * len(numbers):
        return np.unique(numbers, return_inverse=True)
    present = np.bincount(numbers - least, minlength=most - least + 1) > 0
    return np.flatnonzero(present) + least, (np.cumsum(present) - 1)[numbers - least]


def _pool_table(machine: "Machine", groups: _Groups) -> PoolTable:
    pool = _pools_of_jobs(machine, groups)
    columns = [amounts_needed(groups.workload, name) for name in machine.resources]
    demand = np.stack(columns, axis=1)[groups.order]
    if machine.nodes:
        demand[:, 0] = -(-demand[:, 0] // machine.nodes) * machine.nodes
    capacity = np.zeros((len(machine.pools), len(machine.resources)), dtype=np.int64)
    for number, each in enumerate(machine.pools):
        for place, name in enumerate(machine.resources):
            capacity[number, place] = each.capacity.get(name, _PLENTY)
    wide = np.argwhere(demand > capacity[pool])
    if len(wide):
        job, place = wide[0].tolist()
        name, number = machine.resources[place], pool[job]
        raise InputError(
            f"job {groups.job(job)} needs {demand[job, place]:,} {name}, pool"
            f" {machine.pools[number].name} has {capacity[number, place]:,}",
            field="`machine`",
            remedy="raise the pool's capacity, or drop the job",
        )
    return PoolTable(pool, demand, capacity)


def _pools_of_jobs(machine: "Machine", groups: _Groups) -> Integers:
    """Return the first pool of the file that has the partition of each job, (n,)."""
    names, places = groups.labels("partition")
    patterns = [each.partitions or (each.name,) for each in machine.pools]
    if len(patterns) == 1 and not machine.pools[0].partitions:
        patterns = [("*",)]
    pools = [
        next((number for number, pool in enumerate(patterns) if _matches(name, pool)), MISSING)
        for name in names
    ]
    pool = np.array(pools, dtype=np.int64)[places]
    if (pool < 0).any():
        job = int(np.argmax(pool < 0))
        name = names[places[job]]
        says_none = "; a header line QueueMeans: partition says that queues are partitions"
        raise InputError(
            f"job {groups.job(job)} is in partition {name}, which no pool has",
            field="`machine`",
            remedy=f"add it to the partitions of a pool{says_none if name == UNKNOWN else ''}",
        )
    return pool


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(name == pattern or fnmatchcase(name, pattern) for pattern in patterns)


def _limit_table(machine: "Machine", groups: _Groups, demand: Integers) -> LimitTable:
    members: list[Integers] = []
    counters: list[Integers] = []
    measure: list[int] = []
    most: list[int] = []
    for limit in machine.limits:
        jobs, group = _limited(limit, groups)
        count = int(group.max(initial=-1)) + 1
        for name, amount in limit.most.items():
            code = _MEASURES.get(name)
            code = machine.resources.index(name) if code is None else code
            needed = demand[jobs, code] if code >= 0 else np.ones(len(jobs), dtype=np.int64)
            _refuse_hopeless(limit, name, jobs[needed > amount], groups)
            members.append(jobs)
            counters.append(len(measure) + group)
            measure += [code] * count
            most += [amount] * count
    counter = _beside_each_other(members, counters, len(demand))
    return LimitTable(counter, np.array(measure, dtype=np.int64), np.array(most, dtype=np.int64))


def limit_names(machine: "Machine", workload: "Workload", order: Integers) -> list[str]:
    """Return the name of the group that each counter of `LimitTable` counts, such as `user ann`.

    Parameters
    ----------
    machine, workload, order
        As `machine_table` takes them.
    """
    groups = _Groups(workload, order, account_parents(machine.shares))
    names = []
    for limit in machine.limits:
        _, group = _limited(limit, groups)
        of_each = limit.of != "all" and limit.name is None
        known = groups.named(limit.of) if of_each else [limit.name or ""]
        within = "".join(f" in {_titled(*each)}" for each in limit.within.items())
        of_limit = [_titled(limit.of, name) + within for name in known[: group.max(initial=-1) + 1]]
        names += of_limit * len(limit.most)
    return names


def _titled(kind: str, name: str) -> str:
    return "all jobs" if kind == "all" else f"{LABEL_KINDS[kind].words} {name}"


def _limited(limit: "Limit", groups: _Groups) -> tuple[Integers, Integers]:
    """Return the jobs that a limit counts, and the number of the group that each counts in."""
    chosen = groups.members(limit.within)
    if limit.of == "all" or limit.name is not None:
        chosen &= groups.members({} if limit.name is None else {limit.of: limit.name})
        jobs = np.flatnonzero(chosen)
        return jobs, np.zeros(len(jobs), dtype=np.int64)
    pairs = [(jobs[chosen[jobs]], group[chosen[jobs]]) for jobs, group in groups.each(limit.of)]
    return _joined([jobs for jobs, _ in pairs]), _joined([group for _, group in pairs])


def _refuse_hopeless(limit: "Limit", name: str, jobs: Integers, groups: _Groups) -> None:
    if len(jobs):
        each = limit.of != "all" and limit.name is None
        of = f"each {LABEL_KINDS[limit.of].words}" if each else _titled(limit.of, limit.name or "")
        raise InputError(
            f"job {groups.job(jobs[0])} can never run: the limit of {of} on {name} is"
            f" {limit.most[name]:,}",
            field="`machine`",
            remedy=f"raise it, or leave out the jobs that break it alone ({len(jobs):,})",
        )


def _beside_each_other(members: list[Integers], counters: list[Integers], jobs: int) -> Integers:
    """Return the counters of each job, (n, c), -1 behind the last."""
    job, counter = _joined(members), _joined(counters)
    by_job = np.argsort(job, kind="stable")
    job, counter = job[by_job], counter[by_job]
    count = np.bincount(job, minlength=jobs)
    place = np.arange(len(job)) - np.repeat(np.cumsum(count) - count, count)
    table = np.full((jobs, int(count.max(initial=0))), MISSING, dtype=np.int64)
    table[job, place] = counter
    return table


def _joined(columns: list[Integers]) -> Integers:
    return np.concatenate([*columns, np.zeros(0, dtype=np.int64)])


def _window_table(machine: "Machine", groups: _Groups, capacity: Integers) -> WindowTable:
    names = [pool.name for pool in machine.pools]
    windows = sorted(machine.windows, key=lambda window: window.begin)
    rows = [
        (window, pool)
        for window in windows
        for pool in (range(len(names)) if window.pool is None else [names.index(window.pool)])
    ]
    taken = np.zeros((len(rows), len(machine.resources)), dtype=np.int64)
    exempt = np.zeros((len(groups.order), len(rows)), dtype=bool)
    for row, (window, pool) in enumerate(rows):
        amounts = [window.taken.get(name, 0) for name in machine.resources]
        taken[row] = amounts if window.taken else capacity[pool]
        if window.for_jobs_of:
            exempt[:, row] = groups.members(window.for_jobs_of)
    known = [-np.inf if window.known is None else window.known for window, _ in rows]
    return WindowTable(
        np.array([pool for _, pool in rows], dtype=np.int64),
        np.array(known, dtype=np.float64),
        np.array([window.begin for window, _ in rows], dtype=np.float64),
        np.array([window.end for window, _ in rows], dtype=np.float64),
        taken,
        np.array([window.requeue for window, _ in rows], dtype=bool),
        exempt,
    )


class _Tree:
    """Accounts and their users by number; parents are added before their children."""

    def __init__(self, shares: Iterable["Share"]) -> None:
        self.parents = account_parents(shares)
        self.given = {(each.account, each.user): each.shares for each in shares}
        self.numbers: dict[tuple[str, str], int] = {("", ""): 0}
        self.parent, self.shares = [MISSING], [1]
        for account, user in self.given:
            self.number(account, user)

    def number(self, account: str, user: str = "") -> int:
        """Return the number of an entity, which has one share if the file does not name it."""
        key = account, user
        if key not in self.numbers:
            above = account if user else self.parents.get(account, "")
            parent = self.number(above)
            self.numbers[key] = len(self.parent)
            self.parent.append(parent)
            self.shares.append(self.given.get(key, 1))
        return self.numbers[key]

    def name(self, account: str, user: str) -> str:
        """Return the name of an entity for people."""
        return f"{user} of {account}" if account and user else account or user


def share_tree(machine: "Machine", workload: "Workload") -> tuple[tuple[str, ...], ShareTable]:
    """Return the names of accounts and users, and their shares, for jobs in workload order."""
    order = np.arange(len(workload))
    groups = _Groups(workload, order, account_parents(machine.shares))
    tree = _Tree(machine.shares)
    table = _share_table(machine, groups, tree)
    return tuple(tree.name(*key) for key in tree.numbers), table


def _share_table(machine: "Machine", groups: _Groups, tree: _Tree) -> ShareTable:
    (accounts, account), (users, user) = groups.labels("account"), groups.labels("user")
    pairs, leaf = _distinct(account * len(users) + user)
    # where the log says no account, the first that the file gives the user
    home = {each.user: each.account for each in reversed(machine.shares) if each.user}
    leaves = []
    for pair in pairs.tolist():
        of_account, of_user = accounts[pair // len(users)], users[pair % len(users)]
        known = of_account != UNKNOWN
        leaves.append(tree.number(of_account if known else home.get(of_user, ""), of_user))
    parent = np.array(tree.parent, dtype=np.int64)
    shares = np.array(tree.shares, dtype=np.float64)
    siblings = np.bincount(parent + 1, weights=shares)[parent + 1]
    weights = machine.priority
    return ShareTable(
        np.array(leaves, dtype=np.int64)[leaf],
        parent,
        np.divide(shares, siblings, out=np.zeros(len(shares)), where=siblings > 0),
        _factors(weights.partitions, *groups.labels("partition")),
        _factors(weights.qos_factors, *groups.labels("qos")),
        np.array([getattr(weights, name) for name in FACTORS], dtype=np.float64),
        np.array([float(getattr(weights, name)) for name in CONSTANTS]),
    )


def _factors(priorities: Mapping[str, float], names: list[str], places: Integers) -> Floats:
    largest = max(priorities.values(), default=0.0) or 1.0
    return np.array([priorities.get(name, 0.0) / largest for name in names])[places]
