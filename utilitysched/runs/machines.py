"""Machine files of simulations: which log they are for, and what of them binds no job."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swfx import MISSING, Header, InputError, Workload
from swfx.base.numbers import plural
from swfx.clock import Clock
from swfx.label_kinds import LABEL_KINDS
from swfx.machine import Machine, machine_from
from swfx.machine.source import PREFIX
from swfx.reading.workload_source import WorkloadSource
from utilitysched.engine.loops import given_machine
from utilitysched.model.machine_table import amounts_needed

_ANY_LOG = Clock(0, UTC)
"""Clock for what of a machine does not depend on dates."""

_MOST_NAMES = 5
"""Groups and resources that a note names."""


def sized_by(source: WorkloadSource, file: Path) -> WorkloadSource:
    """Return the source of a log of as many processors as a machine file says.

    Raises
    ------
    InputError
        As by `processors_of`.
    """
    return replace(source, machine_size=processors_of(file, source.machine_size))


def processors_of(file: Path, given: int | None) -> int:
    """Return the processors of all pools of a machine file.

    Parameters
    ----------
    file : Path
        The machine file.
    given : int or None
        Processors of the machine that were asked for besides.

    Raises
    ------
    InputError
        As by `machine_from`; or the two differ.
    """
    processors = machine_from(file, _ANY_LOG).processors
    if given not in (None, processors):
        raise InputError(
            f"{given:,} is not the size of the machine, {processors:,}",
            field="`machine_size`",
            remedy="leave it out: the machine file says",
        )
    return processors


class MachineCopy(NamedTuple):
    """A machine file and what it said when an experiment was planned.

    Attributes
    ----------
    file : str
        Path.
    digest : str
        sha256 (hex) of its contents, but for comments.
    """

    file: str
    digest: str

    @classmethod
    def beside(cls, text: str, folder: Path) -> "MachineCopy":
        """Return the machine of a file whose path is relative to a folder.

        Raises
        ------
        InputError
            As by `machine_from`.
        """
        file = str((folder / text.removeprefix(PREFIX)).absolute())
        return cls(file, _digest(file))

    def of_log(self, header: Header) -> Machine:
        """Return the machine of a log, as it was when the experiment was planned.

        Raises
        ------
        InputError
            As by `machine_from`; the file says something else than it did.
        """
        if _digest(self.file) != self.digest:
            raise InputError(
                "says something else than when the experiment was started",
                source=self.file,
                remedy="start it again",
            )
        return given_machine(self.file, header)


def _digest(file: str) -> str:
    document = machine_from(file, _ANY_LOG).to_dict()
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def unused_notes(machine: Machine, workload: Workload, file: Path) -> Iterator[str]:
    """Yield what of a machine binds no job of a workload, for people.

    Parameters
    ----------
    machine : Machine
        The machine.
    workload : Workload
        Jobs as they are simulated.
    file : Path
        The machine file.
    """
    idle = [name for name in machine.resources if not amounts_needed(workload, name).any()]
    if idle:
        yield f"machine: no job needs {_listed(idle)}"
    for kind, names in _groups_named(machine).items():
        labels, words = workload.labels.of(kind), LABEL_KINDS[kind].words
        numbers = np.unique(labels.numbers[labels.numbers != MISSING])
        present = {labels.name(number) for number in numbers.tolist()}
        if not present:
            yield f"machine: the log does not say {words}: what the machine says of it binds no job"
        elif absent := sorted(names - present):
            yield f"machine: no job is of {words} {_listed(absent)}"
    if machine.not_simulated:
        count = len(machine.not_simulated)
        is_not, them = ("is not", "it") if count == 1 else ("are not", "them")
        yield (
            f"machine: {plural(count, 'statement')} of it {is_not} simulated:"
            f" utilitysched describe {PREFIX}{str(file).removeprefix(PREFIX)} lists {them}"
        )


def _groups_named(machine: Machine) -> Mapping[str, set[str]]:
    """Return the groups of limits and windows by kind, but for accounts above others."""
    named: dict[str, set[str]] = {}
    above = {share.parent for share in machine.shares}
    for limit in machine.limits:
        named.setdefault(limit.of, set()).update({limit.name} if limit.name else ())
    for groups in (*(each.within for each in machine.limits), *_exempt(machine)):
        for kind, name in groups.items():
            named.setdefault(kind, set()).add(name)
    named.pop("all", None)
    return {kind: names - above if kind == "account" else names for kind, names in named.items()}


def _exempt(machine: Machine) -> Iterator[Mapping[str, str]]:
    return (window.for_jobs_of for window in machine.windows)


def _listed(names: Iterable[str]) -> str:
    first = [*names]
    more = len(first) - _MOST_NAMES
    return ", ".join(first[:_MOST_NAMES]) + (f" and {more:,} more" if more > 0 else "")
