"""More or less work in the same machine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx.base.columns import Floats
from swfx.base.configured import choice, number
from swfx.base.errors import InputError
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed
from swfx.offered_load import offered_load
from swfx.workload import Workload

ROUNDING = 1 + 1e-9
LEAST_FACTOR = 1e-15
"""Makes a second of every run time that a log can hold."""


@TRANSFORMS.register("scale-load")
@dataclass(frozen=True)
class ScaleLoad(Transformation):
    """Multiply the load or bring it to a target, by arrivals or by run times.

    Load is sum(size x run time) / (machine size x (last submit - first submit)), run times up to
    the request, where simulations end jobs: `swfx.offered_load.offered_load`, the figure that
    `describe` shows. `arrivals` divides the times since the first
    submission by the factor. `run` multiplies run times, requested times and CPU times by it, so
    that p/p~ stays. In a log of whole seconds these times stay whole: each is rounded to the
    nearest, half to even, and no job or request that took time takes less than a second. So a
    target is met up to half a second in the span of submissions, or in each run time; the note
    says what is reached. A target that would take less than a second, for the span or for each
    run, is refused. Logged waits and utility functions are left as they are.

    Parameters
    ----------
    load : float
        Target, above 0.
    factor : float
        In place of a target: what the load is multiplied by, above 0.
    by : {"arrivals", "run"}
        What is changed.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 30, 100], run=[5, 5, 5])
    >>> ScaleLoad.from_text("factor=2").apply(log, 0).workload.submit.tolist()
    [0.0, 15.0, 50.0]
    """

    load: float | None = number(None)
    factor: float | None = number(None)
    by: str = choice(("arrivals", "run"), "arrivals")

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.load is None) == (self.factor is None):
            raise InputError(
                "needs a load or a factor, and not both",
                source="scale-load",
                remedy="write scale-load:load=0.85",
            )
        for name, value in (("load", self.load), ("factor", self.factor)):
            if value is not None and value <= 0:
                raise InputError(
                    f"{value:g} is not above 0", source="scale-load", field=name, remedy="give more"
                )

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Change the times."""
        factor = self._factor(workload)
        if self.load is not None:
            self._check_within_reach(self.load, workload)
        scaled = self._scale(workload, factor)
        return Transformed(scaled, (f"offered load {_load(workload)} -> {_load(scaled)}",))

    def _check_within_reach(self, load: float, workload: Workload) -> None:
        """Refuse a target that whole seconds do not allow."""
        now = offered_load(workload)
        if self.by == "arrivals":
            most = now * float(np.ptp(workload.submit)) if _whole(workload.submit) else np.inf
            beyond, within = load > most * ROUNDING, f"at most {most:.6g}, all submitted within 1 s"
        else:
            least = offered_load(self._scale(workload, LEAST_FACTOR))
            beyond, within = load * ROUNDING < least, f"at least {least:.6g}, at 1 s for each run"
        if beyond:
            raise InputError(
                f"{load:g} is out of reach in whole seconds",
                source="scale-load",
                field="load",
                remedy=f"give {within}",
            )

    def _factor(self, workload: Workload) -> float:
        if self.factor is not None:
            return self.factor
        now = offered_load(workload)
        if now <= 0:
            raise InputError("no job does any work", source=self.label, field="run")
        return float(self.load or 0) / now

    def _scale(self, workload: Workload, factor: float) -> Workload:
        header = workload.header.without("EndTime", *(("MaxRuntime",) if self.by == "run" else ()))
        if self.by == "arrivals":
            first = workload.submit.min()
            since = (workload.submit - first) / factor
            if _whole(workload.submit):
                since = np.rint(since)
            return workload.replace(submit=first + since, header=header)
        extra = (name for name in ("default_limit", "suspended") if name in workload.extra)
        names = ("run", "requested_time", "cpu_time", *extra)
        columns = {name: _longer(workload.column(name), factor) for name in names}
        return workload.replace(header=header, **columns)


def _load(workload: Workload) -> str:
    try:
        return f"{offered_load(workload):.6g}"
    except InputError:
        return "unknown"


def _whole(times: Floats) -> bool:
    return bool((times == np.floor(times)).all())


def _longer(times: Floats, factor: float) -> Floats:
    """Multiply the known times; whole seconds stay whole, and above 0 what was."""
    scaled = times * factor
    if _whole(times):
        scaled = np.maximum(np.rint(scaled), 1.0)
    return np.where(times > 0, scaled, times)
