"""Loads of known applications: jobs drawn from those of a heatmap."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from swfx.base.bounds import require_between, require_whole
from swfx.base.errors import InputError
from swfx.base.options import as_choice, as_float, as_int, as_text, check_keys, nearest
from swfx.families.generators.randomness import stream
from swfx.families.generators.registry import Generated, register
from swfx.header import Header
from swfx.heatmap import Heatmap, find_heatmap
from swfx.workload import Workload

SOURCE = "model:applications"
ARRIVALS = ("at-once", "constant", "uniform", "poisson", "weibull")
ARIS = 8400
"""Cores of the cluster on which the packaged heatmap was measured: 420 nodes of 20."""


@register("applications")
@dataclass(frozen=True)
class ApplicationsModel:
    """Jobs drawn from the applications of a heatmap, each with its processes and compact run time.

    Parameters
    ----------
    heatmap : str, default "aris"
        A file as `swfx.heatmap.read_heatmap` takes it, or the name of a packaged one.
    machine_size : int, default 8400
        Cores of the machine.
    frequency : tuple of (str, float)
        Applications and how often each is drawn; default: all, equally often.
    jobs_of : tuple of str
        Applications of the jobs in turn, over and over; then nothing is drawn.
    arrivals : {"at-once", "constant", "uniform", "poisson", "weibull"}
        Gaps between submissions: none, always `gap`, uniform up to twice `gap`, exponential, or
        Weibull.
    gap : float, default 10
        Mean gap (s).
    shape : float, default 1
        Of the Weibull distribution.

    Raises
    ------
    InputError
        An unknown application or way to arrive, or a number out of its bounds.

    References
    ----------
    M. Kellari, "Co-scheduling algorithms for HPC applications", NTU Athens, 2025, section 4.1.
    """

    heatmap: str = "aris"
    machine_size: int = ARIS
    frequency: tuple[tuple[str, float], ...] = ()
    jobs_of: tuple[str, ...] = ()
    arrivals: str = "at-once"
    gap: float = 10.0
    shape: float = 1.0

    def __post_init__(self) -> None:
        require_whole(SOURCE, "machine_size", self.machine_size, 1, 2**31)
        as_choice(self.arrivals, ARRIVALS, SOURCE, "arrivals")
        require_between(SOURCE, "gap", self.gap, 0.0, 1e9)
        require_between(SOURCE, "shape", self.shape, 0.01, 100.0)
        for name, share in self.frequency:
            require_between(SOURCE, f"frequency of {name}", share, 0.0, 1e9)
        for name in (*(name for name, _ in self.frequency), *self.jobs_of):
            self._number(name)
        if self.frequency and not any(share for _, share in self.frequency):
            raise InputError("all frequencies are 0", source=SOURCE, remedy="give one above 0")

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        """Names of the text options."""
        return ("heatmap", "machine_size", "frequency", "list", "arrivals", "gap", "shape")

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> ApplicationsModel:
        """Model from texts, as in ``{"frequency": "bt.D.64:2,ep.E.256:1", "arrivals": "poisson"}``.

        Raises
        ------
        InputError
            An unknown name, or a text that is unusable.
        """
        check_keys(options, cls.option_names(), SOURCE)
        default = cls()
        return cls(
            options.get("heatmap", default.heatmap),
            as_int(options.get("machine_size", str(ARIS)), SOURCE, "machine_size"),
            tuple(_share(part) for part in _listed(options.get("frequency", ""))),
            _listed(options.get("list", "")),
            options.get("arrivals", default.arrivals),
            as_float(options.get("gap", as_text(default.gap)), SOURCE, "gap"),
            as_float(options.get("shape", as_text(default.shape)), SOURCE, "shape"),
        )

    def to_options(self) -> dict[str, str]:
        """Texts from which `from_options` makes the same model."""
        return {
            "heatmap": self.heatmap,
            "machine_size": str(self.machine_size),
            "frequency": ",".join(f"{name}:{as_text(share)}" for name, share in self.frequency),
            "list": ",".join(self.jobs_of),
            "arrivals": self.arrivals,
            "gap": as_text(self.gap),
            "shape": as_text(self.shape),
        }

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
        size = heatmap.processes[drawn]
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
            run=heatmap.compact[drawn],
            processors=size,
            executable=drawn + 1,
            status=np.ones(jobs, np.int64),
            header=self._header(jobs, seed),
        )
        kinds = len(np.unique(drawn))
        return Generated(workload, (f"{kinds} of {len(heatmap.names)} applications drawn",))

    def _drawn(self, jobs: int, seed: int) -> NDArray[np.int64]:
        if self.jobs_of:
            return np.resize([self._number(name) for name in self.jobs_of], jobs)
        share = np.zeros(len(self.applications.names))
        for name, often in self.frequency:
            share[self._number(name)] += often
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

    def _number(self, name: str) -> int:
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


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _share(text: str) -> tuple[str, float]:
    name, _, often = text.rpartition(":")
    if not name:
        raise InputError(
            f"{text!r} has no frequency", source=SOURCE, remedy="write NAME:NUMBER,NAME:NUMBER,..."
        )
    return name, as_float(often, SOURCE, "frequency")


def _weibull_mean(shape: float) -> float:
    return math.gamma(1.0 + 1.0 / shape)
