"""Loads of known applications: jobs drawn from those of a heatmap."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from swfx.base.bounds import require_between, require_whole
from swfx.base.configured import Configured, choice, named, number, whole
from swfx.base.errors import InputError
from swfx.base.options import as_float, as_text, nearest
from swfx.families.generators.randomness import stream
from swfx.families.generators.registry import Generated, register
from swfx.header import Header
from swfx.heatmap import Heatmap, find_heatmap
from swfx.workload import Workload

SOURCE = "model:applications"
ARRIVALS = ("at-once", "constant", "uniform", "poisson", "weibull")
ARIS = 8400
"""Cores of the cluster on which the packaged heatmap was measured: 420 nodes of 20."""


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _shares(text: str, source: str, field: str) -> tuple[tuple[str, float], ...]:
    shares = []
    for part in _listed(text):
        name, _, share = part.rpartition(":")
        if not name:
            remedy = "write NAME:NUMBER,NAME:NUMBER,..."
            raise InputError(f"{part!r} has no frequency", source=source, remedy=remedy)
        shares.append((name, as_float(share, source, f"{field} of {name}")))
    return tuple(shares)


def _check_shares(frequency: tuple[tuple[str, float], ...], source: str, field: str) -> None:
    for name, share in frequency:
        require_between(source, f"{field} of {name}", share, 0.0, 1e9)
    if frequency and not any(share for _, share in frequency):
        raise InputError("all frequencies are 0", source=source, remedy="give one above 0")


def _shares_text(frequency: tuple[tuple[str, float], ...]) -> str:
    return ",".join(f"{name}:{as_text(share)}" for name, share in frequency)


@register("applications")
@dataclass(frozen=True)
class ApplicationsModel(Configured):
    """Jobs drawn from the applications of a heatmap, each with its processes and compact run time.

    Parameters
    ----------
    heatmap : str, default "aris"
        A file as `swfx.heatmap.read_heatmap` takes it, or the name of a packaged one.
    machine_size : int, default 8400
        Cores of the machine.
    frequency : tuple of (str, float)
        Applications and how often each is drawn; default: all, equally often.
    list : tuple of str
        Applications of the jobs in turn, over and over; then nothing is drawn.
    arrivals : {"at-once", "constant", "uniform", "poisson", "weibull"}
        Gaps between submissions: none, always `gap`, uniform up to twice `gap`, exponential, or
        Weibull.
    gap : float, default 10
        Mean gap (s).
    shape : float, default 1
        Of the Weibull distribution.
    request : float, default 1.4
        Requested over compact run time, at least 1.

    Raises
    ------
    InputError
        An unknown application or way to arrive, or a number out of its bounds.

    References
    ----------
    M. Kellari, "Co-scheduling algorithms for HPC applications", NTU Athens, 2025, section 4.1.
    """

    name = SOURCE

    heatmap: str = named(lambda text, *_: text, "aris")
    machine_size: int = whole(ARIS, (1, 2**31))
    frequency: tuple[tuple[str, float], ...] = named(_shares, (), _shares_text, _check_shares)
    list: tuple[str, ...] = named(lambda text, *_: _listed(text), (), ",".join)
    arrivals: str = choice(ARRIVALS, "at-once")
    gap: float = number(10.0, (0.0, 1e9))
    shape: float = number(1.0, (0.01, 100.0))
    request: float = number(1.4, (1.0, 1000.0))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.arrivals == "at-once" and self.gap != type(self).gap:
            raise InputError(
                "jobs that come at once have no gaps",
                source=SOURCE,
                field="gap",
                remedy="add arrivals=poisson, constant, uniform or weibull, or leave gap out",
            )
        for name in (*(name for name, _ in self.frequency), *self.list):
            self._row(name)

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        """Names of the text options."""
        return tuple(cls.defaults())

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> ApplicationsModel:
        """Model from texts, as in ``{"frequency": "bt.D.64:2,ep.E.256:1", "arrivals": "poisson"}``.

        Raises
        ------
        InputError
            An unknown name, or a text that is unusable.
        """
        return cls.from_texts(options)

    def to_options(self) -> dict[str, str]:
        """Texts from which `from_options` makes the same model."""
        return {each.name: each.metadata["text"](getattr(self, each.name)) for each in fields(self)}

    @cached_property
    def applications(self) -> Heatmap:
        """The heatmap."""
        return find_heatmap(self.heatmap)

    def generate(self, jobs: int, seed: int) -> Generated:
        """Make a workload; the executables of its jobs are numbered and named in its header.

        Raises
        ------
        InputError
            Number of jobs or seed out of bounds.
        """
        require_whole(SOURCE, "jobs", jobs, 1, 10**7)
        require_whole(SOURCE, "seed", seed, 0, 2**63)
        drawn = self._drawn(jobs, seed)
        heatmap = self.applications
        size, run = heatmap.processes[drawn], heatmap.compact[drawn]
        wide = np.flatnonzero(size > self.machine_size)
        if len(wide):
            raise InputError(
                f"{heatmap.names[drawn[wide[0]]]} has more than {self.machine_size} processes",
                source=SOURCE,
                field="machine_size",
                remedy="give a larger machine, or leave it out by frequency",
            )
        workload = Workload.from_columns(
            submit=self._submits(jobs, seed),
            run=run,
            # to a millisecond, as run times are
            requested_time=np.maximum(np.round(self.request * run, 3), run),
            processors=size,
            executable=drawn + 1,
            status=np.ones(jobs, np.int64),
            header=self._header(jobs, seed),
        )
        kinds = len(np.unique(drawn))
        return Generated(workload, (f"{kinds} of {len(heatmap.names)} applications drawn",))

    def _drawn(self, jobs: int, seed: int) -> NDArray[np.int64]:
        if self.list:
            return np.resize([self._row(name) for name in self.list], jobs)
        share = np.zeros(len(self.applications.names))
        for name, often in self.frequency:
            share[self._row(name)] += often
        share = share / share.sum() if self.frequency else np.full(len(share), 1 / len(share))
        drawn = stream(seed, "applications").random(jobs)
        return np.searchsorted(np.cumsum(share)[:-1], drawn, side="right").astype(np.int64)

    def _submits(self, jobs: int, seed: int) -> NDArray[np.float64]:
        draws = stream(seed, "application arrivals")
        if self.arrivals == "at-once":
            gaps = np.zeros(jobs)
        elif self.arrivals == "constant":
            gaps = np.full(jobs, self.gap)
        elif self.arrivals == "uniform":
            gaps = draws.uniform(0.0, 2.0 * self.gap, jobs)
        elif self.arrivals == "poisson":
            gaps = draws.exponential(self.gap, jobs)
        else:
            unscaled = draws.weibull(self.shape, jobs)
            gaps = unscaled * self.gap / _weibull_mean(self.shape)
        submits: NDArray[np.float64] = np.floor(np.cumsum(gaps) - gaps[0] + 0.5)
        return submits

    def _row(self, name: str) -> int:
        rows = self.applications.rows()
        if name not in rows:
            remedy = nearest(name, self.applications.names)
            raise InputError(f"no application is named {name!r}", source=SOURCE, remedy=remedy)
        return rows[name]

    def _header(self, jobs: int, seed: int) -> Header:
        options = {"jobs": str(jobs), "seed": str(seed), **self.to_options()}
        text = ",".join(f"{key}={value}" for key, value in options.items() if value)
        values = (
            ("Version", "2.2"),
            ("Computer", "none (jobs drawn from the applications of a heatmap)"),
            ("MaxJobs", jobs),
            ("MaxRecords", jobs),
            ("MaxProcs", self.machine_size),
            ("UnixStartTime", 0),
            ("Note", f"{SOURCE},{text}"),
            *(("Executable", f"{i + 1} {name}") for i, name in enumerate(self.applications.names)),
        )
        return Header(tuple(f" {key}: {value}" for key, value in values))


def _weibull_mean(shape: float) -> float:
    return math.gamma(1.0 + 1.0 / shape)
