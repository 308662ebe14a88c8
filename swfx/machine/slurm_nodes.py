"""Nodes and partitions of slurm.conf as pools, and as limits where partitions share nodes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from swfx.base.errors import InputError
from swfx.machine.hostlist import host_names
from swfx.machine.machine import PROCESSORS, Limit, Pool
from swfx.machine.notes import MachineNotes
from swfx.machine.slurm_lines import ConfLine

__all__ = ["MEMORY", "SlurmNode", "SlurmNodes", "SlurmPartition", "slurm_nodes"]

MEMORY = "memory"
"""Resource of memory (MB)."""

_NOT_THERE = re.compile("DOWN|DRAIN|FAIL|FAILING|FUTURE", re.IGNORECASE)
_COUNT = re.compile(r"([0-9]{1,15})([KMGTP]?)", re.IGNORECASE)
_FACTORS = {unit: 1024**power for power, unit in enumerate(("", *"KMGTP"))}

Amounts = dict[str, int]


@dataclass(frozen=True, eq=False)
class SlurmNode:
    """A node, or all nodes of a line: what each has for jobs.

    Attributes
    ----------
    line : ConfLine
        Line that names it, with the defaults for it.
    amounts : dict of str to int
        Amount of each resource.
    """

    line: ConfLine
    amounts: Amounts


@dataclass(frozen=True)
class SlurmPartition:
    """A partition: its line, and the names of its nodes.

    Attributes
    ----------
    line : ConfLine
        Line that names it, with the defaults for it.
    nodes : frozenset of str
        Its nodes, but for those that no job can have.
    """

    line: ConfLine
    nodes: frozenset[str]

    @property
    def name(self) -> str:
        """The partition's name."""
        return self.line.name


@dataclass
class SlurmNodes:
    """Nodes and partitions of a cluster.

    Attributes
    ----------
    nodes : dict of str to SlurmNode
        Nodes by name, but for those that no job can have.
    partitions : list of SlurmPartition
        Partitions in the order of the file.
    """

    nodes: dict[str, SlurmNode] = field(default_factory=dict)
    partitions: list[SlurmPartition] = field(default_factory=list)

    def amounts(self, names: Iterable[str], most_processors: int | None = None) -> Amounts:
        """Return what some nodes have together, with at most so many processors of each."""
        total: Counter[str] = Counter()
        for node, count in Counter(map(self.nodes.__getitem__, names)).items():
            total.update({name: count * amount for name, amount in node.amounts.items()})
            if most_processors is not None:
                total[PROCESSORS] -= count * max(node.amounts[PROCESSORS] - most_processors, 0)
        return dict(total)

    def of_partition(self, partition: SlurmPartition) -> Amounts:
        """Return what the jobs of a partition may have at a time."""
        return self.amounts(partition.nodes, partition.line.count("MaxCPUsPerNode"))

    def groups(self) -> list[list[SlurmPartition]]:
        """Partitions with nodes, grouped so that no two groups have a common node."""
        groups: list[list[SlurmPartition]] = []
        for partition in self.partitions:
            apart = [each for each in groups if not _share_nodes(each, partition)]
            joined = [member for each in groups if each not in apart for member in each]
            if partition.nodes:
                groups = [*apart, [*joined, partition]]
        place = {partition.name: number for number, partition in enumerate(self.partitions)}
        return sorted(groups, key=lambda group: place[group[0].name])

    def pools(self) -> list[Pool]:
        """Return a pool for each group of partitions, named after the largest of them."""
        return [self._pool(group) for group in self.groups()]

    def _pool(self, group: Sequence[SlurmPartition]) -> Pool:
        largest = max(group, key=lambda partition: len(partition.nodes))
        capacity = self.amounts(sorted(_nodes_of(group)))
        names = tuple(partition.name for partition in group)
        return Pool(largest.name, capacity, () if names == (largest.name,) else names)

    def limits(self) -> list[Limit]:
        """Return a limit for each partition that has less of something than its pool."""
        limits = []
        for group in self.groups():
            pool = self.amounts(_nodes_of(group))
            for partition in group:
                own = self.of_partition(partition)
                most = {
                    resource: own.get(resource, 0)
                    for resource, amount in pool.items()
                    if own.get(resource, 0) < amount
                }
                if most:
                    limits.append(Limit("partition", most, partition.name))
        return limits

    def note_unions(self, notes: MachineNotes) -> None:
        """Note partitions that have fewer processors together than one by one."""
        for group in self.groups():
            pool = self.amounts(_nodes_of(group))[PROCESSORS]
            own = {each.name: self.amounts(each.nodes)[PROCESSORS] for each in group}
            for place, one in enumerate(group):
                others = [
                    other.name
                    for other in group[:place]
                    if self.amounts(one.nodes | other.nodes)[PROCESSORS]
                    < min(own[one.name] + own[other.name], pool)
                ]
                if others:
                    statement = f"{one.name} shares nodes with {', '.join(others)}: each is limited"
                    notes.add(
                        one.line.file,
                        one.line.number,
                        f"{statement} by itself, not what they have together",
                    )


def slurm_nodes(lines: Sequence[ConfLine], notes: MachineNotes, *, memory: bool) -> SlurmNodes:
    """Return the nodes and partitions that lines of slurm.conf define.

    Parameters
    ----------
    lines : sequence of ConfLine
        The lines, in their order.
    notes : MachineNotes
        Gets nodes that no job can have.
    memory : bool
        Whether memory is allocated to jobs.

    Raises
    ------
    InputError
        A node or partition that stands twice or has no node that is known, or a broken value.
    """
    found = SlurmNodes()
    absent: set[str] = set()
    down = {name for line in lines if line.kind == "downnodes" for name in _names(line, line.name)}
    for line in _defined(lines, "nodename"):
        amounts = _amounts(line, memory=memory, notes=notes)
        out = _NOT_THERE.match(line.get("State") or "")
        node = SlurmNode(line, amounts)
        for name in _names(line, line.name):
            if name in found.nodes or name in absent:
                raise line.refused(f"node {name} stands twice")
            if out or name in down:
                absent.add(name)
            else:
                found.nodes[name] = node
        if out:
            notes.add(line.file, line.number, f"nodes of State={out[0].upper()} are left out")
    for line in (each for each in lines if each.kind == "downnodes"):
        notes.add(line.file, line.number, "nodes of DownNodes are left out")
    if not found.nodes:
        raise InputError("has no nodes that are up", remedy="give lines with NodeName=")
    _add_partitions(found, absent, lines, notes)
    return found


def _add_partitions(
    found: SlurmNodes, absent: set[str], lines: Sequence[ConfLine], notes: MachineNotes
) -> None:
    known = found.nodes.keys() | absent
    sets = {line.name: _set_nodes(line, found.nodes) for line in lines if line.kind == "nodeset"}
    for line in _defined(lines, "partitionname"):
        if any(line.name == each.name for each in found.partitions):
            raise line.refused(f"partition {line.name} stands twice")
        names = _partition_nodes(line, known, sets)
        partition = SlurmPartition(line, frozenset(names) - absent)
        found.partitions.append(partition)
        if not partition.nodes:
            notes.add(line.file, line.number, f"partition {line.name} has no nodes")
    if not any(partition.nodes for partition in found.partitions):
        raise InputError("has no partition with nodes", remedy="give lines with PartitionName=")
    used = _nodes_of(found.partitions)
    for name, node in found.nodes.items():
        if name not in used:
            notes.add(node.line.file, node.line.number, "nodes of no partition are left out")


def _defined(lines: Iterable[ConfLine], kind: str) -> Iterator[ConfLine]:
    """Yield the lines of a kind with the defaults that stand above them."""
    defaults = None
    for line in lines:
        if line.kind == kind and line.name.upper() == "DEFAULT":
            defaults = line.with_defaults(defaults)
        elif line.kind == kind:
            yield line.with_defaults(defaults)


def _names(line: ConfLine, text: str) -> list[str]:
    """Return the names in a host list of a line."""
    try:
        return host_names(text)
    except InputError as error:
        raise line.refused(error.message, remedy=error.remedy) from None


def _partition_nodes(
    line: ConfLine, known: Iterable[str], sets: Mapping[str, set[str]]
) -> set[str]:
    """Return the names of a partition's nodes, which may stand in sets."""
    names: set[str] = set()
    for name in _names(line, line.get("Nodes") or ""):
        if name.upper() == "ALL":
            names.update(known)
        elif name in sets:
            names |= sets[name]
        elif name in known:
            names.add(name)
        else:
            raise line.refused(f"there is no node or node set {name}", "Nodes")
    return names


def _set_nodes(line: ConfLine, nodes: Mapping[str, SlurmNode]) -> set[str]:
    """Return the names of a node set's nodes: those that it names or that have a feature."""
    feature = line.get("Feature")
    having = {
        name
        for name, node in nodes.items()
        if feature and feature in re.split("[,&]", _features(node.line))
    }
    return having | {*_names(line, line.get("Nodes") or "")} & nodes.keys()


def _features(line: ConfLine) -> str:
    return line.get("Features") or line.get("Feature") or ""


def _nodes_of(partitions: Iterable[SlurmPartition]) -> frozenset[str]:
    return frozenset[str]().union(*(partition.nodes for partition in partitions))


def _share_nodes(group: Iterable[SlurmPartition], partition: SlurmPartition) -> bool:
    return not partition.nodes.isdisjoint(_nodes_of(group))


def _amounts(line: ConfLine, *, memory: bool, notes: MachineNotes) -> Amounts:
    """Return what each node of a line has for jobs."""
    amounts = {PROCESSORS: _processors(line)}
    megabytes = line.count("RealMemory")
    if memory and megabytes is None:
        notes.add(line.file, line.number, "has no RealMemory: Slurm takes 1 MB, so does this")
    if memory:
        amounts[MEMORY] = max((megabytes or 1) - (line.count("MemSpecLimit") or 0), 0)
    for item in re.split(r",(?![^(]*\))", line.get("Gres") or ""):
        if item and item != "(null)":
            name, count = _generic_resource(line, item)
            amounts[name] = amounts.get(name, 0) + count
    return amounts


def _processors(line: ConfLine) -> int:
    """Return the processors of a node for jobs, as Slurm counts them.

    Sockets that are not given follow from the processors, and the processors from the sockets where
    they are not given, or fit neither sockets, cores nor threads.
    """
    boards, cores, threads = (
        line.count(key, 1) or 1 for key in ("Boards", "CoresPerSocket", "ThreadsPerCore")
    )
    processors = line.count("CPUs", 1) or line.count("Procs", 1)
    on_board = line.count("SocketsPerBoard", 1)
    sockets = boards * on_board if on_board else line.count("Sockets", 1)
    if sockets is None:
        fits = processors and processors % (cores * threads) == 0
        sockets = processors // (cores * threads) if processors and fits else boards
    if processors not in {sockets, sockets * cores, sockets * cores * threads}:
        processors = sockets * cores * threads
    on_core = max(processors // (sockets * cores), 1)
    listed = line.get("CPUSpecList")
    reserved = (line.count("CoreSpecCount") or 0) * on_core
    reserved = len(_names(line, f"[{listed}]")) if listed else reserved
    if reserved >= processors:
        raise line.refused(f"keeps {reserved} of {processors} processors from jobs")
    return processors - reserved


def _generic_resource(line: ConfLine, item: str) -> tuple[str, int]:
    """Return name and count of a generic resource such as ``gpu:a100:4(S:0-1)``."""
    name, *parts = item.partition("(")[0].split(":")
    last = _COUNT.fullmatch(parts[-1]) if parts else None
    if not name or (len(parts) > 1 and not last and parts[-1] != "no_consume"):
        raise line.refused(f"is no generic resource: {item!r}", "Gres", "write gpu:a100:4")
    return name, int(last[1]) * _FACTORS[last[2].upper()] if last else 1
