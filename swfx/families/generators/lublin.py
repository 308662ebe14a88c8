"""The Lublin-Feitelson model of rigid jobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from swfx.base.bounds import require_between, require_whole
from swfx.base.errors import InputError
from swfx.base.options import as_float, as_int, as_text, check_keys, nearest
from swfx.families.generators.job_class import (
    BATCH,
    INTERACTIVE,
    MAX_LOG_SIZE,
    MAX_RUN_TIME,
    PARAMETERS,
    SOURCE,
    TYPELESS,
    JobClass,
)
from swfx.families.generators.job_stream import JobStream, merge
from swfx.families.generators.registry import Generated, register
from swfx.header import Header
from swfx.offered_load import offered_load
from swfx.workload import Workload

Mode = Literal["mixed", "batch", "interactive", "typeless"]
Clock = Literal["continuous", "lagging"]

INTERACTIVE_QUEUE = 0
BATCH_QUEUE = 1
MAX_JOBS = 10**8
"""Most jobs of one workload: they fill 15 GB while they are made."""

_MEMBERS: dict[str, tuple[str, ...]] = {
    "mixed": ("interactive", "batch"),
    "batch": ("batch",),
    "interactive": ("interactive",),
    "typeless": ("typeless",),
}
_QUEUES = {"interactive": INTERACTIVE_QUEUE, "batch": BATCH_QUEUE, "typeless": INTERACTIVE_QUEUE}
_PUBLISHED = {"interactive": INTERACTIVE, "batch": BATCH, "typeless": TYPELESS}
_SCALARS = ("machine_size", "mode", "start_hour", "clock", "gap_scale")


@register("lublin")
@dataclass(frozen=True)
class LublinModel:
    """Rigid jobs with a daily cycle of arrivals (Lublin and Feitelson 2003).

    Jobs of a class arrive at gaps exp(g), g from a gamma distribution cut at 13, on a clock
    that runs with the daily cycle. Sizes are serial, a power of two, or other, log2 of the size
    two-stage uniform. ln(run time) is a mixture of two gammas cut at 12, its weights linear in
    the size. The model has no users, no requested times and no weekly cycle.

    Parameters
    ----------
    machine_size : int, default 128
        Processors of the machine. Powers of two above it are cut to it and counted in the notes.
    mode : {"mixed", "batch", "interactive", "typeless"}
        `mixed` merges independent streams of batch jobs (queue 1) and interactive ones (queue
        0); `typeless` is the published fit to all jobs together (queue 0).
    start_hour : int, default 0
        Hour of the day at submit time 0, 0 to 23.
    clock : {"continuous", "lagging"}
        `continuous` rounds submit times to whole seconds on output only; `lagging` cuts every
        gap to whole seconds, as the authors' program does, so that printed times fall behind
        the daily cycle by half a second a job (for comparison only).
    gap_scale : float, default 1
        Factor on all gaps, 1e-6 to 1e6. Below 1 it raises the load and keeps the daily cycle.
    batch, interactive, typeless : JobClass
        Parameters of the classes, by default the published ones.

    Raises
    ------
    InputError
        A parameter outside its bound, which the message names.

    References
    ----------
    U. Lublin, D. G. Feitelson, "The workload on parallel supercomputers: modeling the
    characteristics of rigid jobs", JPDC 63(11), 2003.

    Examples
    --------
    >>> workload, notes = LublinModel(machine_size=256).generate(jobs=1000, seed=1)
    >>> len(workload), workload.machine_size
    (1000, 256)
    """

    machine_size: int = 128
    mode: Mode = "mixed"
    start_hour: int = 0
    clock: Clock = "continuous"
    gap_scale: float = 1.0
    batch: JobClass = BATCH
    interactive: JobClass = INTERACTIVE
    typeless: JobClass = TYPELESS

    def __post_init__(self) -> None:
        for name, low, high in (("machine_size", 1, 2**MAX_LOG_SIZE), ("start_hour", 0, 23)):
            require_whole(SOURCE, name, getattr(self, name), low, high)
        for name, choices in (("mode", get_args(Mode)), ("clock", get_args(Clock))):
            if getattr(self, name) not in choices:
                raise InputError(
                    f"no {name} is named {getattr(self, name)!r}",
                    source=SOURCE,
                    field=name,
                    remedy=nearest(str(getattr(self, name)), choices),
                )
        require_between(SOURCE, "gap_scale", self.gap_scale, 1e-6, 1e6)
        for name in _MEMBERS[self.mode]:
            self._job_class(name).on_machine(self.machine_size)

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        """Names of the text options: `machine_size`, `mode`, ..., and `CLASS.PARAMETER`."""
        return _SCALARS + tuple(f"{name}.{p}" for name in _PUBLISHED for p in PARAMETERS)

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> LublinModel:
        """Model from texts, as in `{"machine_size": "256", "batch.serial": "0.3"}`.

        Raises
        ------
        InputError
            An unknown name, a text that is no number, or a value outside its bound.
        """
        check_keys(options, cls.option_names(), SOURCE)
        changes: dict[str, object] = {}
        of_class: dict[str, dict[str, float]] = {}
        for key, text in options.items():
            name, _, parameter = key.partition(".")
            if parameter:
                of_class.setdefault(name, {})[parameter] = as_float(text, SOURCE, key)
            elif key in ("machine_size", "start_hour"):
                changes[key] = as_int(text, SOURCE, key)
            else:
                changes[key] = as_float(text, SOURCE, key) if key == "gap_scale" else text
        classes = {name: _changed(name, values) for name, values in of_class.items()}
        return cls(**changes, **classes)  # type: ignore[arg-type]  # checked by __post_init__

    def to_options(self) -> dict[str, str]:
        """Texts from which `from_options` makes the same model."""
        options = {name: as_text(getattr(self, name)) for name in _SCALARS}
        for name, published in _PUBLISHED.items():
            for parameter in PARAMETERS:
                value = getattr(self._job_class(name), parameter)
                if value != getattr(published, parameter):
                    options[f"{name}.{parameter}"] = as_text(value)
        return options

    def generate(self, jobs: int, seed: int) -> Generated:
        """Make a workload.

        Submit and run times are whole seconds, jobs are in order of submission. The first n
        jobs do not depend on how many follow.

        Parameters
        ----------
        jobs : int
            Number of jobs, 1 to 10^8.
        seed : int
            Fixes every draw, at least 0.

        Returns
        -------
        Generated
            Workload (submit, run, processors, queue, status 1) and notes.

        Raises
        ------
        InputError
            Number of jobs or seed out of bounds.
        """
        require_whole(SOURCE, "jobs", jobs, 1, MAX_JOBS)
        require_whole(SOURCE, "seed", seed, 0, 2**63)
        members = _MEMBERS[self.mode]
        merged, member = merge([self._stream(name).blocks(seed) for name in members], jobs)
        clamped = int(np.count_nonzero(merged.size > self.machine_size))
        workload = Workload.from_columns(
            submit=np.floor(merged.submit + 0.5),
            run=merged.run,
            processors=np.minimum(merged.size, self.machine_size),
            queue=np.array([_QUEUES[name] for name in members])[member],
            status=np.ones(jobs, dtype=np.int64),
            header=self._header(jobs, seed, clamped),
        )
        return Generated(workload, _notes(workload, self.machine_size, clamped))

    def _job_class(self, name: str) -> JobClass:
        job_class: JobClass = getattr(self, name)
        return job_class

    def _stream(self, name: str) -> JobStream:
        settled = self._job_class(name).on_machine(self.machine_size)
        lagging = self.clock == "lagging"
        return JobStream(name, settled, self.machine_size, self.start_hour, self.gap_scale, lagging)

    def _header(self, jobs: int, seed: int, clamped: int) -> Header:
        options = {"jobs": str(jobs), "seed": str(seed), **self.to_options()}
        text = ",".join(f"{key}={value}" for key, value in options.items())
        values = (
            ("Version", "2.2"),
            ("Computer", "none (Lublin-Feitelson workload model, JPDC 63(11), 2003)"),
            ("MaxJobs", jobs),
            ("MaxRecords", jobs),
            ("MaxProcs", self.machine_size),
            ("MaxNodes", self.machine_size),
            ("MaxRuntime", MAX_RUN_TIME),
            ("UnixStartTime", 0),
            ("Note", f"model:lublin,{text}"),
            ("Note", f"{clamped} jobs cut to the size of the machine"),
            ("Queue", f"{INTERACTIVE_QUEUE} interactive (or typeless), {BATCH_QUEUE} batch"),
        )
        return Header(tuple(f" {key}: {value}" for key, value in values))


def _changed(name: str, values: Mapping[str, float]) -> JobClass:
    """Return a published class with some values changed; messages name the class."""
    try:
        return replace(_PUBLISHED[name], **values)
    except InputError as error:
        raise InputError(
            error.message,
            source=error.source,
            field=f"{name}.{error.field}",
            remedy=error.remedy,
        ) from error


def _notes(workload: Workload, processors: int, clamped: int) -> tuple[str, ...]:
    interactive = int(np.count_nonzero(workload.queue == INTERACTIVE_QUEUE))
    return (
        f"{clamped} jobs cut to the machine's {processors} processors",
        f"{interactive} jobs in queue {INTERACTIVE_QUEUE}",
        f"{len(workload) - interactive} jobs in queue {BATCH_QUEUE}",
        f"offered load {_load(workload)}",
    )


def _load(workload: Workload) -> str:
    try:
        return f"{offered_load(workload):.3f}"
    except InputError:  # all jobs at once
        return "unknown"
