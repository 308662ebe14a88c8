"""Inputs of a cell: the workload that it simulates, and how it is made."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from checkpoint import ANNOTATIONS
from swfx import InputError, Workload
from swfx.base.options import slice_of
from swfx.base.plugin_file import plugin_digests
from swfx.families.splitting import read_length, split
from swfx.families.transforms.submit_at import simulated
from swfx.reading.sources import open_workload
from utilitysched.engine.valued import ensure
from utilitysched.experiments.files import NamedFile, check_unchanged, without_paths

Cleaning = Literal["standard", "strict", "lenient"]

KEPT = 4
"""Logs, and workloads made from them, that a process keeps for the next cells."""


@dataclass(frozen=True)
class Log:
    """Source, slice, machine size and cleaning of a workload.

    Attributes
    ----------
    source : str
        As `swfx.reading.sources.open_workload` takes it; not standard input.
    jobs : str or None
        Slice A:B of its job lines, or a window of time, as `selection_of` reads them; None for all.
    machine_size : int or None
        Processors of the machine; None for what the log says.
    cleaning : {"standard", "strict", "lenient"}
        As in `swfx.read`.
    """

    source: str
    jobs: str | None = None
    machine_size: int | None = None
    cleaning: Cleaning = "standard"


@dataclass(frozen=True)
class Inputs:
    """Log, transformations, utility functions and checkpoints of a simulated workload.

    Attributes
    ----------
    log : Log
        What is read.
    apply : tuple of str
        Transformations, in order.
    apply_seed : int
        Of the transformations; 0 where they draw nothing.
    utilities : str or None
        Specification, ``none`` for the workload as it is, None for its own, else the default.
    utility_seed : int
        Of the utility functions.
    utilities_first : bool
        Utility functions are drawn before the transformations, for the jobs as the log has them.
    classes : tuple of (int, int)
        Queue number and its priority class, where it differs from the default.
    files : tuple of NamedFile
        Files that `log`, `apply`, `utilities` and `checkpoints` name.
    checkpoints : str
        Annotation that says who takes checkpoints, drawn for the transformed jobs with the seed of
        the utility functions; empty for what the workload says.
    plugins : tuple of str
        sha256 (hex) of each plug-in in force, of one file or installed.
    """

    log: Log
    apply: tuple[str, ...] = ()
    apply_seed: int = 0
    utilities: str | None = None
    utility_seed: int = 0
    utilities_first: bool = False
    classes: tuple[tuple[int, int], ...] = ()
    files: tuple[NamedFile, ...] = ()
    checkpoints: str = ""
    plugins: tuple[str, ...] = field(default_factory=plugin_digests)

    def identity(self) -> dict[str, Any]:
        """Return all that decides the workload, without paths: equal on every machine."""
        identity = self.as_dict()
        del identity["files"]
        identity["log"]["source"] = without_paths(self.log.source, self.files)
        identity["apply"] = [without_paths(text, self.files) for text in self.apply]
        if self.utilities is not None:
            identity["utilities"] = without_paths(self.utilities, self.files)
        if self.checkpoints:
            identity["checkpoints"] = without_paths(self.checkpoints, self.files)
        identity["classes"] = [list(pair) for pair in sorted(self.classes)]
        return identity

    def as_dict(self) -> dict[str, Any]:
        """Return the attributes; checkpoints and plug-ins only where there are any."""
        attributes = asdict(self)
        for name in ("checkpoints", "plugins"):
            if not attributes[name]:
                del attributes[name]
        return attributes


@lru_cache(maxsize=KEPT)
def workload_of(inputs: Inputs, *, dependencies: bool = False) -> Workload:
    """Read, transform and value a workload, or return the one kept since the last time.

    Jobs are submitted when they became eligible; see
    `swfx.families.transforms.submit_at.simulated`.

    Parameters
    ----------
    inputs : Inputs
        What decides it.
    dependencies : bool
        Dependencies are simulated.

    Raises
    ------
    InputError
        It cannot be read, transformed or valued, or a file of it has changed.
    """
    check_unchanged(inputs.files)  # each time: transformations read files of their own
    if inputs.checkpoints:
        annotation = ANNOTATIONS.make(inputs.checkpoints)
        plain = workload_of(replace(inputs, checkpoints=""), dependencies=dependencies)
        return annotation.annotate(plain, inputs.utility_seed).workload
    workload = read_log(inputs.log, inputs.files, inputs.plugins)
    if inputs.utilities_first:
        workload = _valued(workload, inputs)
    transforms = inputs.apply, inputs.apply_seed
    workload = simulated(workload, *transforms, dependencies=dependencies).workload
    return workload if inputs.utilities_first else _valued(workload, inputs)


def _valued(workload: Workload, inputs: Inputs) -> Workload:
    require_machine_of(workload, inputs.log)
    return ensure(
        workload,
        inputs.utilities,
        inputs.utility_seed,
        classes=dict(inputs.classes) or None,
        say=_silent,
    ).workload


@lru_cache(maxsize=KEPT)
def read_log(log: Log, *known: tuple[object, ...]) -> Workload:
    """Read the jobs of a log that are meant; `known` tells one of other bytes apart."""
    chosen = None if log.jobs is None else selection_of(log.jobs)
    if isinstance(chosen, Windows):
        return chosen.only(read_log(replace(log, jobs=None), *known))
    return open_workload(
        log.source,
        jobs=chosen,
        machine_size=log.machine_size,
        cleaning=log.cleaning,
    ).workload


def require_machine_of(workload: Workload, log: Log) -> None:
    """Refuse a workload whose machine is of unknown size.

    Raises
    ------
    InputError
        Neither the log nor `machine_size` says.
    """
    if workload.machine_size is None:
        raise InputError(
            "does not say how many processors the machine has",
            source=log.source,
            remedy="give `machine_size=N`",
        )


class Windows(NamedTuple):
    """Selection of one window of time or of all windows.

    Attributes
    ----------
    length : str
        Of each, as `swfx.families.splitting.read_length` takes it.
    number : int or None
        Of the one that is meant, from 1.
    whole : bool
        Jobs that start in one window and end in another are left out, by the waits in the log.
    """

    length: str
    number: int | None = None
    whole: bool = False

    def __str__(self) -> str:
        """Return the text that `selection_of` reads."""
        words = ["whole"] if self.whole else []
        return " ".join([*words, self.length, *([] if self.number is None else [str(self.number)])])

    def all_of(self, workload: Workload) -> dict[int, Workload]:
        """Return the jobs of each window by its number, windows without jobs left out."""
        parts = split(workload, read_length(self.length), whole=self.whole)
        return {part.number: part.workload for part in parts if len(part.workload)}

    def only(self, workload: Workload) -> Workload:
        """Return the jobs of the window that is meant.

        Raises
        ------
        InputError
            No job is submitted in it.
        """
        windows = self.all_of(workload)
        if self.number not in windows:
            raise InputError(
                f"no job in {self}", remedy=f"give a number from {min(windows)} to {max(windows)}"
            )
        return windows[self.number]


def selection_of(text: str) -> slice | Windows:
    """Read `A:B`, or windows of time: ``[whole] weeks|half-months|36h [NUMBER]``.

    Raises
    ------
    InputError
        Anything else.

    Examples
    --------
    >>> selection_of("whole weeks 3")
    Windows(length='weeks', number=3, whole=True)
    """
    parts = re.fullmatch("(whole )?([a-z0-9.-]*[a-z][a-z0-9.-]*)( [0-9]{1,9})?", text)
    if not parts:
        return slice_of(text)
    whole, length, number = parts.groups()
    read_length(length)
    return Windows(length, int(number) if number else None, bool(whole))


def check_part(text: str) -> None:
    """Refuse texts other than a slice `A:B` or one window of time.

    Raises
    ------
    InputError
        It is not.
    """
    selection = selection_of(text)
    if isinstance(selection, Windows) and selection.number is None:
        raise InputError(
            f"{text!r} are all windows", field="`jobs`", remedy=f"name one, as in '{text} 1'"
        )


def windows_of(log: Log, files: tuple[NamedFile, ...]) -> list[Log]:
    """Return one log per selected window; the log alone without windows.

    Raises
    ------
    InputError
        The log cannot be read.
    """
    chosen = None if log.jobs is None else selection_of(log.jobs)
    if not isinstance(chosen, Windows) or chosen.number is not None:
        return [log]
    windows = chosen.all_of(read_log(replace(log, jobs=None), files))
    return [replace(log, jobs=str(chosen._replace(number=number))) for number in windows]


def _silent(_: str) -> None:
    return
