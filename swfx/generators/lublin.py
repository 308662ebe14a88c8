"""The Lublin-Feitelson model of rigid jobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from swfx.columns import Floats, Ints
from swfx.errors import InputError
from swfx.generators.bounds import require_between, require_positive, require_whole
from swfx.generators.daily_cycle import DailyCycle, slot_weights
from swfx.generators.job_class import (
    BATCH,
    INTERACTIVE,
    MAX_RUN_TIME,
    PARAMETERS,
    SOURCE,
    TYPELESS,
    JobClass,
)
from swfx.generators.randomness import stream
from swfx.generators.registry import Generated, register
from swfx.header import Header
from swfx.options import as_float, as_int, as_text, check_keys, nearest
from swfx.workload import Workload

Mode = Literal["mixed", "batch", "interactive", "typeless"]
Clock = Literal["continuous", "lagging"]

INTERACTIVE_QUEUE = 0
BATCH_QUEUE = 1
BLOCK = 8192
"""Jobs drawn at a time: bounds the memory, and makes the first jobs of a longer run the same."""

_MEMBERS: dict[str, tuple[str, ...]] = {
    "mixed": ("interactive", "batch"),
    "batch": ("batch",),
    "interactive": ("interactive",),
    "typeless": ("typeless",),
}
_QUEUES = {"interactive": INTERACTIVE_QUEUE, "batch": BATCH_QUEUE, "typeless": INTERACTIVE_QUEUE}
_PUBLISHED = {"interactive": INTERACTIVE, "batch": BATCH, "typeless": TYPELESS}
_SCALARS = ("processors", "mode", "start_hour", "clock", "gap_scale")
_OPTION_OF = {"processors": "procs"}


class _Block(NamedTuple):
    """Jobs of one class in order of arrival: unrounded submit (s), size, run time (s)."""

    submit: Floats
    size: Ints
    run: Floats


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
    processors : int, default 128
        Machine size. Powers of two above it are cut to it and counted in the notes.
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
        Factor on all gaps, above 0. Below 1 it raises the load and keeps the daily cycle.
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
    >>> workload, notes = LublinModel(processors=256).generate(jobs=1000, seed=1)
    >>> len(workload), workload.machine_size
    (1000, 256)
    """

    processors: int = 128
    mode: Mode = "mixed"
    start_hour: int = 0
    clock: Clock = "continuous"
    gap_scale: float = 1.0
    batch: JobClass = BATCH
    interactive: JobClass = INTERACTIVE
    typeless: JobClass = TYPELESS

    def __post_init__(self) -> None:
        for name, low, high in (("processors", 1, 2**40), ("start_hour", 0, 23)):
            require_whole(SOURCE, name, getattr(self, name))
            require_between(SOURCE, name, getattr(self, name), low, high)
        for name, choices in (("mode", get_args(Mode)), ("clock", get_args(Clock))):
            if getattr(self, name) not in choices:
                raise InputError(
                    f"no {name} is named {getattr(self, name)!r}",
                    source=SOURCE,
                    field=name,
                    remedy=nearest(str(getattr(self, name)), choices),
                )
        require_positive(SOURCE, "gap_scale", self.gap_scale)
        for name in _MEMBERS[self.mode]:
            self._job_class(name).on_machine(self.processors)

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        """Names of the text options: `procs`, `mode`, ..., and `CLASS.PARAMETER`."""
        scalars = tuple(_OPTION_OF.get(name, name) for name in _SCALARS)
        return scalars + tuple(f"{name}.{p}" for name in _PUBLISHED for p in PARAMETERS)

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> LublinModel:
        """Model from texts, as in `{"procs": "256", "batch.serial": "0.3"}`.

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
            elif key in ("procs", "start_hour"):
                changes["processors" if key == "procs" else key] = as_int(text, SOURCE, key)
            else:
                changes[key] = as_float(text, SOURCE, key) if key == "gap_scale" else text
        classes = {name: _changed(name, values) for name, values in of_class.items()}
        return cls(**changes, **classes)  # type: ignore[arg-type]  # checked by __post_init__

    def to_options(self) -> dict[str, str]:
        """Texts from which `from_options` makes the same model."""
        options = {_OPTION_OF.get(n, n): as_text(getattr(self, n)) for n in _SCALARS}
        for name, published in (
            ("batch", BATCH),
            ("interactive", INTERACTIVE),
            ("typeless", TYPELESS),
        ):
            for parameter in PARAMETERS:
                value = getattr(self._job_class(name), parameter)
                if value is not None and value != getattr(published, parameter):
                    options[f"{name}.{parameter}"] = as_text(value)
        return options

    def generate(self, jobs: int, seed: int) -> Generated:
        """Make a workload.

        Submit and run times are whole seconds, jobs are in order of submission. The first n
        jobs do not depend on how many follow.

        Parameters
        ----------
        jobs : int
            Number of jobs, at least 1.
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
        for name, value, low in (("jobs", jobs, 1), ("seed", seed, 0)):
            require_whole(SOURCE, name, value)
            require_between(SOURCE, name, value, low, 2**63)
        merged, queue = self._merge(jobs, seed)
        clamped = int(np.count_nonzero(merged.size > self.processors))
        workload = Workload.from_columns(
            submit=np.floor(merged.submit + 0.5),
            run=merged.run,
            processors=np.minimum(merged.size, self.processors),
            queue=queue,
            status=np.ones(jobs, dtype=np.int64),
            header=self._header(jobs, seed, clamped),
        )
        return Generated(workload, _notes(workload, self.processors, clamped))

    def _job_class(self, name: str) -> JobClass:
        job_class: JobClass = getattr(self, name)
        return job_class

    def _blocks(self, name: str, seed: int) -> Iterator[_Block]:
        """Endless blocks of one class; every class and purpose has a random stream of its own."""
        gap_rng, size_rng, run_rng = (
            stream(seed, f"lublin {name} {purpose}") for purpose in ("gaps", "sizes", "run times")
        )
        job_class = self._job_class(name).on_machine(self.processors)
        cycle = DailyCycle(slot_weights(job_class.a_num, job_class.b_num), self.start_hour)
        weighted = real = printed = 0.0
        while True:
            gaps = self.gap_scale * job_class.draw_gaps(BLOCK, gap_rng)
            arrival = weighted + np.cumsum(gaps)
            submit = cycle.real_time(arrival)
            weighted = arrival[-1]
            if self.clock == "lagging":
                whole_gaps = np.floor(np.diff(submit, prepend=real))
                real = submit[-1]
                submit = printed + np.cumsum(whole_gaps)
                printed = submit[-1]
            size = job_class.draw_sizes(BLOCK, size_rng)
            run_size = np.minimum(size, self.processors)
            yield _Block(submit, size, job_class.draw_run_times(run_size, run_rng))

    def _merge(self, jobs: int, seed: int) -> tuple[_Block, Ints]:
        """First jobs of all classes together, and their queues; ties: interactive first."""
        members = _MEMBERS[self.mode]
        sources = [self._blocks(name, seed) for name in members]
        blocks = [[next(source)] for source in sources]
        # The class that is behind is always the one extended, so every other class has at most
        # one block beyond its end: all but that many of the jobs drawn are final.
        while BLOCK * sum(map(len, blocks)) < jobs + BLOCK * (len(members) - 1):
            behind = min(range(len(members)), key=lambda i: blocks[i][-1].submit[-1])
            blocks[behind].append(next(sources[behind]))
        queues = [_QUEUES[name] for name in members]
        queue = np.repeat(queues, [BLOCK * len(chain) for chain in blocks])
        everything = [block for chain in blocks for block in chain]
        submit = np.concatenate([block.submit for block in everything])
        order = np.argsort(submit, kind="stable")[:jobs]
        size = np.concatenate([block.size for block in everything])[order]
        run = np.concatenate([block.run for block in everything])[order]
        return _Block(submit[order], size, run), queue[order]

    def _header(self, jobs: int, seed: int, clamped: int) -> Header:
        options = {"jobs": str(jobs), "seed": str(seed), **self.to_options()}
        text = ",".join(f"{key}={value}" for key, value in options.items())
        values = (
            ("Version", "2.2"),
            ("Computer", "none (Lublin-Feitelson workload model, JPDC 63(11), 2003)"),
            ("MaxJobs", jobs),
            ("MaxRecords", jobs),
            ("MaxProcs", self.processors),
            ("MaxNodes", self.processors),
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


def offered_load(workload: Workload, processors: int) -> float:
    """Processor-seconds of all jobs over processors times the time until the last submit."""
    last = float(workload.submit.max(initial=0.0))
    work = float(np.sum(workload.size * workload.run))
    return work / (processors * last) if last > 0 else float("inf")


def _notes(workload: Workload, processors: int, clamped: int) -> tuple[str, ...]:
    interactive = int(np.count_nonzero(workload.queue == INTERACTIVE_QUEUE))
    return (
        f"{clamped} jobs cut to the machine's {processors} processors",
        f"{interactive} jobs in queue {INTERACTIVE_QUEUE}",
        f"{len(workload) - interactive} jobs in queue {BATCH_QUEUE}",
        f"offered load {offered_load(workload, processors):.3f}",
    )
