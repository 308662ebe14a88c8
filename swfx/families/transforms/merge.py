"""Two logs on one machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from swfx.base.columns import Bools, Ints
from swfx.base.configured import choice, option
from swfx.base.errors import InputError
from swfx.base.numbers import plural
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed, lost_links
from swfx.fields import MISSING
from swfx.header import named
from swfx.job_names import FIRST_INVENTED, job_lines
from swfx.label_kinds import LABEL_KINDS
from swfx.labels import label_column, label_names
from swfx.links import chosen
from swfx.reading.sources import open_workload
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

MACHINES = ("largest", "sum", "first")
CLOCKS = ("unix", "first")
USERS = ("apart", "same")
PEOPLE = ("user", "group", "executable", "account", "project", "department", "job_name")
"""Kinds of labels of which those of the other log may be others though they are called alike."""

_SAME = ("user", "cluster")
"""Kinds of labels that a job has alike in two logs, if both have them."""

_DIGITS = 3
"""Of submissions (s) by which jobs are the same: clocks are moved, which rounds."""


@TRANSFORMS.register("merge")
@dataclass(frozen=True)
class Merge(Transformation):
    """Add the jobs of another workload to the same machine.

    Where a number of the other is in the first, those of the other get numbers above those of the
    first, invented ones above invented ones; links and names follow. With times by UnixStartTime a
    job that is in both logs is kept once: one of the same number or name, submission, start, run
    time, processors, user and cluster. Jobs stand in the order of submission, at the same moment
    those of the first before. The header is the first's, with names of the other. Queues,
    partitions, QOS and so on of the same name are the same, where one has no name those of the same
    number.

    Parameters
    ----------
    log : str
        The other workload, as `open_workload` takes it; one with options stands in brackets:
        ``merge:log=[model:lublin,jobs=500],users=same``.
    machine : {"largest", "sum", "first"}
        Size of the machine: of the larger of both, of both together, or of the first; jobs that are
        wider are dropped.
    clocks : {"unix", "first"}
        How times meet: by UnixStartTime, or so that both logs have their first job at once.
    users : {"apart", "same"}
        Whether users, groups, accounts, applications and job names of the other are others, with
        numbers above those of the first, or the same where names or numbers agree; always the same
        where a job is in both logs.
    """

    log: str = option(str)
    machine: str = choice(MACHINES, "largest")
    clocks: str = choice(CLOCKS, "unix")
    users: str = choice(USERS, "apart")
    keeps_jobs = False

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Read the second workload, and merge both."""
        loaded = open_workload(self.log)
        _check_units(workload, loaded.workload)
        first, second = self._on_one_clock(workload, loaded.workload)
        shared = _in_both(first, second) if self.clocks == "unix" else {}
        second = second[~np.isin(second.job_id, [*shared])]
        machine = self._machine(first, second)
        above = _numbers_above(first.job_id, second.job_id)
        together = _together(first, *self._apart(first, second, shared, above), machine)
        narrow = together.size <= (machine or np.inf)
        fitting, lost = chosen(together, narrow)
        wide = int((~narrow).sum())
        report = loaded.report
        note = (
            f"{len(second):,} jobs of {report.source}, {_moved(above)};"
            f" {report.dropped:,} dropped and {report.repaired:,} repaired when it was read"
        )
        both = f"{plural(len(shared), 'job')} of {report.source} in both logs: kept once"
        dropped = {"wider than the machine": wide} if wide else {}
        notes = (note, both) if len(shared) else (note,)
        return Transformed(fitting, notes, dropped, lost_links(lost))

    def _on_one_clock(self, first: Workload, second: Workload) -> tuple[Workload, Workload]:
        if self.clocks == "first":
            moved = second.submit + (first.submit.min() - second.submit.min())
            return first, second.replace(submit=moved)
        starts = [log.header.unix_start_time for log in (first, second)]
        known = [start for start in starts if start is not None]
        if len(known) < 2:
            raise InputError(
                "one of the logs does not say when it began",
                source=self.label,
                field="UnixStartTime",
                remedy="give clocks=first",
            )
        zero = min(known)
        header = first.header
        if zero != known[0]:
            header = header.with_value("UnixStartTime", zero).without("StartTime")
        return (
            first.replace(submit=first.submit + (known[0] - zero), header=header),
            second.replace(submit=second.submit + (known[1] - zero)),
        )

    def _apart(
        self,
        first: Workload,
        second: Workload,
        shared: Mapping[int, int],
        above: Callable[[Ints], Ints],
    ) -> tuple[Workload, list[str]]:
        """Second log with numbers that are not in the first, and header lines of its names.

        Links to jobs in both logs lead to those of the first, whose numbers `shared` has; the
        others get the numbers that `above` gives them.
        """
        columns: dict[str, Any] = {
            "job_id": np.where(second.job_id >= 0, above(second.job_id), second.job_id)
        }
        for name in ("preceding_job", "part_of"):
            numbers = second.column(name)
            if (numbers > 0).any():
                others = np.where(numbers > 0, above(numbers), numbers)
                links = zip(numbers.tolist(), others.tolist(), strict=True)
                columns[name] = np.array([shared.get(*link) for link in links], np.int64)
        names = enumerate(second.job_names.named(second.job_id.tolist()))
        lines = [*job_lines(columns["job_id"], {job: name for job, name in names if name})]
        for kind in LABEL_KINDS:
            apart = self.users == "apart" and not shared
            labels, named_anew = _labelled(first, second, kind, apart)
            columns |= labels
            lines += named_anew
        return second.replace(**columns), lines

    def _machine(self, first: Workload, second: Workload) -> int | None:
        sizes = first.machine_size, second.machine_size
        if self.machine == "first":
            return sizes[0]
        if sizes == (None, None):
            return None
        if sizes[0] is None or sizes[1] is None:
            raise InputError(
                "the size of one of the machines is unknown",
                source=self.label,
                field="MaxProcs",
                remedy="give `machine=first`",
            )
        return sizes[0] + sizes[1] if self.machine == "sum" else max(sizes[0], sizes[1])


def _labelled(
    first: Workload, second: Workload, kind: str, apart: bool
) -> tuple[dict[str, Ints], list[str]]:
    """Labels of the second log in the columns of the first, and header lines of new names."""
    source = label_column(second.header, kind)
    names = label_names(second.header, kind).names
    if source is None or not (names or (second.column(source) != MISSING).any()):
        return {}, []
    target = label_column(first.header, kind)
    if target is None and names:
        raise InputError(
            f"the other log names a {kind}, and in this log another kind stands in its field",
            source="merge",
            field=f"{LABEL_KINDS[kind].key}Means",
            remedy="merge the logs the other way round",
        )
    target = target or source
    new = _new_numbers(first, second.column(source), kind, target, names, apart)
    old, place = np.unique(second.column(source), return_inverse=True)
    moved = {source: np.full(len(second), MISSING)} if source != target else {}
    moved[target] = np.array([new.get(n, n) for n in old.tolist()], np.int64)[place]
    known = first.header.names(LABEL_KINDS[kind].key)
    lines = [
        named(LABEL_KINDS[kind].key, new[number], name)
        for number, name in names.items()
        if new[number] not in known
    ]
    return moved, lines


def _new_numbers(
    first: Workload, numbers: Ints, kind: str, target: str, names: Mapping[int, str], apart: bool
) -> dict[int, int]:
    """Numbers in the first log of labels of the second."""
    known = first.header.names(LABEL_KINDS[kind].key)
    mine = first.column(target)
    theirs = [*dict.fromkeys([*names, *numbers[numbers >= 0].tolist()])]
    if kind in PEOPLE and apart:
        above = _above(np.array([-1, *mine.tolist(), *known]), np.array([-1, *theirs]))
        return {number: number + above for number in theirs}
    by_name = {name: number for number, name in reversed([*known.items()])}
    taken = {*known, *(mine.tolist() if known else ())}
    free = max([0, *taken, *theirs])
    renumbered = {}
    for number in theirs:
        name = names.get(number)
        if name is None or name in by_name or number not in taken:
            renumbered[number] = number if name is None else by_name.get(name, number)
        else:
            free += 1
            renumbered[number] = free
    return renumbered


def _check_units(first: Workload, second: Workload) -> None:
    units = [log.header.get("UtilityUnits") for log in (first, second) if log.has_utilities]
    if len(set(units)) > 1:
        raise InputError(
            f"utilities are in {units[0]} in one log and in {units[1]} in the other",
            source="merge",
            field="UtilityUnits",
            remedy="convert one of them",
        )


def _moved(above: Callable[[Ints], Ints]) -> str:
    offset = int(above(np.zeros(1, np.int64))[0])
    return f"numbers {offset:,} higher" if offset else "numbers kept"


def _numbers_above(first: Ints, second: Ints) -> Callable[[Ints], Ints]:
    """Return what gives job numbers of the second log theirs: the same, if the first has none.

    Invented numbers have an offset of their own.
    """
    own, invented = first[first < FIRST_INVENTED], first[first >= FIRST_INVENTED]
    above = _above(own, second) if np.isin(second, own).any() else 0
    beyond = int(invented.max(initial=FIRST_INVENTED - 1)) + 1 - FIRST_INVENTED
    above_invented = beyond if np.isin(second, invented).any() else 0
    return lambda numbers: numbers + np.where(numbers >= FIRST_INVENTED, above_invented, above)


def _above(first: Ints, second: Ints) -> int:
    """How much higher the numbers of the second become; those below 0 are none, and stay."""
    return int(first.max(initial=0)) + int((second == 0).any())


def _in_both(first: Workload, second: Workload) -> dict[int, int]:
    """Return the numbers in the second log of jobs that are in both, with those in the first."""
    kinds = [kind for kind in _SAME if kind in first.labels.kinds and kind in second.labels.kinds]
    here, there = (np.round(log.submit, _DIGITS) for log in (first, second))
    mine, theirs = np.isin(here, there), np.isin(there, here)
    known = dict(zip(_keys(first, mine, kinds), first.job_id[mine].tolist(), strict=True))
    keys = zip(second.job_id[theirs].tolist(), _keys(second, theirs, kinds), strict=True)
    return {number: known[key] for number, key in keys if number > 0 and key in known}


def _keys(log: Workload, which: Bools, kinds: list[str]) -> Iterator[tuple[Any, ...]]:
    """Yield what jobs have in common that are the same, labels of some kinds among it."""
    numbers = (np.round(log.submit, _DIGITS), log.wait, log.run, log.size)
    labels = (log.job_names, *map(log.labels.of, kinds))
    names = ([*map(label.name, label.numbers[which].tolist())] for label in labels)
    return zip(*(column[which].tolist() for column in numbers), *names, strict=True)


def _together(first: Workload, second: Workload, lines: list[str], machine: int | None) -> Workload:
    logs = (first, second)
    columns: dict[str, Any] = {
        name: np.concatenate([log.column(name) for log in logs])
        for name in first.columns | second.columns
    }
    header = replace(first.header, lines=(*first.header.lines, *lines)) if lines else first.header
    if machine != first.machine_size:
        header = header.with_value("MaxProcs", machine).without("MaxNodes")
    utility = UtilityTable.stacked([log.utility for log in logs])
    both = Workload.from_columns(**columns, utility=utility, header=header)
    return both[np.argsort(both.submit, kind="stable")]
