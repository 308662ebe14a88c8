"""Reservations that scontrol lists as windows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from swfx.base.errors import InputError, placed
from swfx.clock import Clock
from swfx.machine.hostlist import host_names
from swfx.machine.machine import PROCESSORS, Window
from swfx.machine.notes import MachineNotes
from swfx.machine.slurm_lines import ConfLine, read_text
from swfx.machine.slurm_nodes import SlurmNodes

__all__ = ["ReservationReader", "reservation_lines"]

_PAIR = re.compile(r"(?:^|\s)([A-Za-z]+)=(\S*)")
_BEGINS = "ReservationName="
_PROCESSORS = re.compile(r"(?:^|,)cpu=([0-9]+)")
_NOTHING = frozenset({"", "(null)", "n/a"})
_EVERY = frozenset({"HOURLY", "DAILY", "WEEKLY", "WEEKDAY", "WEEKEND"})


def reservation_lines(file: Path) -> list[ConfLine]:
    """Return the records of ``scontrol show reservation``, in one line each (-o) or in several."""
    lines = read_text(file).splitlines()
    begins = [number for number, line in enumerate(lines) if line.startswith(_BEGINS)]
    records = (
        (first, _PAIR.findall(" ".join(lines[first:last])))
        for first, last in pairwise([*begins, len(lines)])
    )
    return [
        ConfLine(file, first + 1, {key: value for key, value in pairs if value not in _NOTHING})
        for first, pairs in records
    ]


@dataclass(frozen=True)
class ReservationReader:
    """Windows of a log that reservations make.

    Attributes
    ----------
    nodes : SlurmNodes
        Nodes and partitions of the cluster.
    clock : Clock or None
        The log's; without one there are no windows.
    notes : MachineNotes
        Gets what is not simulated.
    """

    nodes: SlurmNodes
    clock: Clock | None
    notes: MachineNotes

    def windows(self, record: ConfLine) -> Iterator[Window]:
        """Yield a window for each pool that a reservation takes something from, or one for all.

        Raises
        ------
        InputError
            A date or the nodes cannot be read.
        """
        begin, end = (record.get(key) or "" for key in ("StartTime", "EndTime"))
        if self.clock is None:
            self._note(record, f"from {begin} to {end}: a window only of a log with dates")
            return
        try:
            times = self.clock.seconds(begin), self.clock.seconds(end)
            names = {*host_names(record.get("Nodes") or "")} & self.nodes.nodes.keys()
        except InputError as error:
            raise placed(error, str(record.file), record.number) from None
        if times[1] <= 0:
            self._note(record, "reservation that is over before the log begins")
            return
        if not names:
            self._note(record, "reservation of no node of a pool")
            return
        self._note_flags(record)
        window = Window(record.name, max(times[0], 0.0), times[1], for_jobs_of=self._group(record))
        if names == self.nodes.nodes.keys():
            yield window
            return
        for pool, members in zip(self.nodes.pools(), self.nodes.groups(), strict=True):
            own = names & frozenset[str]().union(*(each.nodes for each in members))
            taken = self.nodes.amounts(own)
            if own == names and (given := _PROCESSORS.search(record.get("TRES") or "")):
                taken[PROCESSORS] = min(taken.get(PROCESSORS, 0), int(given[1]))
            if own:
                name = record.name if own == names else f"{record.name} ({pool.name})"
                yield replace(
                    window,
                    name=name,
                    pool=pool.name,
                    taken={} if taken == pool.capacity else taken,
                )

    def _group(self, record: ConfLine) -> dict[str, str]:
        """Return the group whose jobs may have what is reserved; none for maintenance."""
        if "MAINT" in _flags(record):
            return {}
        groups = [
            (kind, name)
            for key, kind in (("Accounts", "account"), ("Users", "user"))
            for name in filter(None, (record.get(key) or "").split(","))
        ]
        if len(groups) > 1 or any(name.startswith("-") for _, name in groups):
            self._note(record, "reservation for several groups: none of their jobs may use it")
            return {}
        if groups:
            self._note(record, "all jobs of its group may use it, in Slurm those that ask for it")
        return dict(groups)

    def _note_flags(self, record: ConfLine) -> None:
        for flag in sorted(_flags(record) & _EVERY):
            self._note(record, f"Flags={flag}: the reservation is simulated once")

    def _note(self, record: ConfLine, statement: str) -> None:
        self.notes.add(record.file, record.number, f"{record.name}: {statement}")


def _flags(record: ConfLine) -> frozenset[str]:
    return frozenset((record.get("Flags") or "").split(","))
