"""Machines of slurm.conf, and of the listings of sacctmgr and scontrol beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from swfx.base.errors import InputError, placed
from swfx.clock import Clock
from swfx.machine.machine import PROCESSORS, Limit, Machine, Pool, Share
from swfx.machine.notes import MachineNotes
from swfx.machine.slurm_accounts import (
    AssociationRow,
    Associations,
    LimitReader,
    listing_rows,
    note_replaced_limits,
    qos_limits,
    qos_priorities,
)
from swfx.machine.slurm_lines import ConfLine, conf_lines
from swfx.machine.slurm_nodes import SlurmNodes, slurm_nodes
from swfx.machine.slurm_priority import Settings, priority_of, settings_text
from swfx.machine.slurm_reservations import ReservationReader, reservation_lines

__all__ = ["read_slurm_conf", "slurm_files"]

ASSOCIATIONS, QOS, RESERVATIONS = "associations", "QOS", "reservations"
_LISTINGS = {ASSOCIATIONS: "assoc", QOS: "qos", RESERVATIONS: "reserv"}
"""Words in the names of listings, by what they list."""

LIST_ASSOCIATIONS = (
    "sacctmgr -P show assoc format=Cluster,Account,ParentName,User,Partition,Share,GrpJobs,GrpTRES,"
    "GrpSubmit,MaxJobs,MaxSubmit,MaxTRES,MaxWall > assoc.txt"
)
LIST_QOS = "sacctmgr -P show qos > qos.txt"

_LINES = {"nodename": "node", "partitionname": "partition"}
_WITHOUT_VALUES = frozenset({"nodeset", "downnodes", "frontendname"})
_ENFORCED = frozenset({"limits", "safe", "all"})
_LICENCE = re.compile(r"([^:@]+)(?:@[^:]*)?(?::([0-9]{1,15}))?")


@dataclass(frozen=True)
class _Cluster:
    """What slurm.conf and the listing of QOS say, and where limits are noted."""

    settings: Settings
    nodes: SlurmNodes
    qos: Sequence[AssociationRow]
    reader: LimitReader

    @property
    def notes(self) -> MachineNotes:
        return self.reader.notes


def slurm_files(conf: Path) -> dict[str, Path | None]:
    """Return a slurm.conf and the listings beside it by kind; None for one that is not there.

    Raises
    ------
    InputError
        Several files have a name of one kind.
    """
    listings = {kind: _listing(conf, word) for kind, word in _LISTINGS.items()}
    return {"slurm.conf": conf, **listings}


def read_slurm_conf(path: Path, clock: Clock | None = None) -> Machine:
    """Read a slurm.conf and the listings in its folder as a machine.

    Parameters
    ----------
    path : Path
        The slurm.conf.
    clock : Clock, optional
        The log's: reservations are windows of its seconds. Without one there are no windows.

    Raises
    ------
    InputError
        A file that cannot be read, or its first mistake.
    """
    try:
        return _machine([*conf_lines(path)], slurm_files(path), clock)
    except InputError as error:
        raise placed(error, str(path)) from None


def _machine(
    lines: Sequence[ConfLine], files: Mapping[str, Path | None], clock: Clock | None
) -> Machine:
    notes = MachineNotes()
    settings = _settings(lines)
    nodes = slurm_nodes(lines, notes, memory=_allocates_memory(settings))
    nodes.note_unions(notes)
    pools, licences = _with_licences(nodes.pools(), settings)
    reader = LimitReader(frozenset(name for pool in pools for name in pool.capacity), notes)
    listing = files[QOS]
    rows = listing_rows(listing, ("Name", "Priority"), LIST_QOS) if listing else []
    cluster = _Cluster(settings, nodes, rows, reader)
    limits, shares = _of_listings(cluster, files)
    windows = ReservationReader(nodes, clock, notes)
    listing = files[RESERVATIONS]
    records = reservation_lines(listing) if listing else []
    machine = Machine(
        pools=tuple(pools),
        nodes=_processors_of_whole_nodes(cluster),
        limits=(*nodes.limits(), *licences, *limits),
        windows=tuple(each for record in records for each in windows.windows(record)),
        shares=tuple(shares),
        priority=priority_of(settings, nodes.partitions, qos_priorities(rows), notes),
    )
    for line in lines:
        if line.kind not in _WITHOUT_VALUES:
            notes.add_values(_LINES.get(line.kind, "conf"), line.file, line.number, line.pairs)
    return replace(machine, not_simulated=notes.texts())


def _listing(conf: Path, word: str) -> Path | None:
    found = [each for each in sorted(conf.parent.glob(f"*{word}*")) if each.is_file()]
    if len(found) > 1:
        names = ", ".join(each.name for each in found)
        raise InputError(
            f"several files with {word} in their names lie beside it: {names}",
            source=str(conf),
            remedy="leave the one that belongs to it",
        )
    return found[0] if found else None


def _settings(lines: Iterable[ConfLine]) -> Settings:
    """Return the keys of lines that are neither nodes nor partitions; the last of a key counts."""
    return {
        key.lower(): ConfLine(line.file, line.number, {key: value})
        for line in lines
        if line.kind not in _WITHOUT_VALUES | _LINES.keys()
        for key, value in line.pairs.items()
    }


def _whole_nodes(settings: Settings) -> bool:
    """Whether jobs have whole nodes in every partition."""
    return settings_text(settings, "SelectType").lower() == "select/linear"


def _allocates_memory(settings: Settings) -> bool:
    """Whether memory is a resource: with cons_tres it is unless its parameters leave it out."""
    default = "" if _whole_nodes(settings) else "CR_Core_Memory"
    return "memory" in settings_text(settings, "SelectTypeParameters", default).lower()


def _processors_of_whole_nodes(cluster: _Cluster) -> int:
    """Return the processors that requests are rounded up to: those of a node, or 0 for none."""
    everywhere = _whole_nodes(cluster.settings)
    if "selecttype" not in cluster.settings:
        first = cluster.nodes.partitions[0].line
        statement = "no SelectType: taken as select/cons_tres, until 22.05 Slurm's own default is"
        cluster.notes.add(first.file, first.number, f"{statement} select/linear")
    whole = [
        partition
        for partition in cluster.nodes.partitions
        if everywhere or _oversubscribe(partition.line) == "exclusive"
    ]
    sizes = {node.amounts[PROCESSORS] for node in cluster.nodes.nodes.values()}
    if len(whole) == len(cluster.nodes.partitions) and len(sizes) == 1:
        return sizes.pop()
    for partition in whole:
        line = partition.line
        cluster.notes.add(line.file, line.number, "whole nodes, which requests are not rounded to")
    return 0


def _oversubscribe(line: ConfLine) -> str:
    return (line.get("OverSubscribe") or line.get("Shared") or "").lower()


def _with_licences(pools: list[Pool], settings: Settings) -> tuple[list[Pool], list[Limit]]:
    """Return pools that have all licences each, and limits on what all of them use together."""
    line = settings.get("licenses")
    licences: dict[str, int] = {}
    for item in filter(None, line.name.split(",") if line else ()):
        match = _LICENCE.fullmatch(item.strip())
        if match is None and line:
            raise line.refused(f"is no licence: {item!r}", "Licenses", "write matlab:4")
        if match:
            licences[match[1]] = int(match[2] or 1)
    own = [replace(pool, capacity=pool.capacity | licences) for pool in pools]
    together = len(pools) > 1
    return own, [Limit("all", {name: licences[name]}) for name in licences if together]


def _of_listings(
    cluster: _Cluster, files: Mapping[str, Path | None]
) -> tuple[list[Limit], list[Share]]:
    """Return limits and shares of associations and QOS, where Slurm enforces limits."""
    settings, notes = cluster.settings, cluster.notes
    for row in cluster.qos:
        notes.add_values("qos", row.file, row.number, row.written)
    of_qos = qos_limits(cluster.qos, _qos_of_partitions(cluster), cluster.reader)
    of_associations: list[Limit] = []
    shares: list[Share] = []
    rows: list[AssociationRow] = []
    if listing := files[ASSOCIATIONS]:
        rows = listing_rows(listing, ("Account", "User", "Share"), LIST_ASSOCIATIONS)
        name = settings_text(settings, "ClusterName").lower()
        associations = Associations(rows, name, notes)
        of_associations, shares = associations.limits(cluster.reader), associations.shares()
        for row in rows:
            notes.add_values("assoc", row.file, row.number, row.written)
    enforced = settings_text(settings, "AccountingStorageEnforce").lower().split(",")
    limits = [*of_associations, *of_qos]
    if limits and not _ENFORCED & {*enforced}:
        for file in filter(None, (files[ASSOCIATIONS], files[QOS])):
            notes.add(
                file, 1, "limits, which are not in force without AccountingStorageEnforce=limits"
            )
        return [], shares
    note_replaced_limits(rows, cluster.qos, notes)
    return limits, shares


def _qos_of_partitions(cluster: _Cluster) -> dict[str, str]:
    """Return the QOS of each partition that has one.

    Raises
    ------
    InputError
        The listing lacks it.
    """
    found = {}
    listed = {row["name"] for row in cluster.qos}
    for partition in cluster.nodes.partitions:
        qos = (partition.line.get("QOS") or "").lower()
        if qos and cluster.qos and qos not in listed:
            raise partition.line.refused(f"{cluster.qos[0].file.name} has no QOS {qos}", "QOS")
        if qos and not cluster.qos:
            line = partition.line
            cluster.notes.add(line.file, line.number, f"QOS={qos}: no listing of QOS beside")
        if qos:
            found[partition.name] = qos
    return found
