"""A linear mix of job features."""

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering(
    "mixed",
    dynamic=True,
    parameters={
        "size": 0.0,
        "request": 0.0,
        "wait": 1.0,
        "ratio": 0.0,
        "stretch": 0.0,
        "area": 0.0,
    },
    given_by="either",
    summary="weights . (q, p~, wait, p~/q, (wait+p~)/p~, p~ q), highest first; weights scaled to 1",
)
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score by weighted features, the weights scaled to sum to 1 in magnitude (LEGRAND 4)."""
    # only the direction of the weights counts
    norm = 0.0
    for weight in parameters:
        norm += abs(weight)
    w = parameters / norm
    for i, job in enumerate(queue):
        q = known.size[job]
        p = known.request[job]
        wait = moment.now - known.submit[job]
        stretch = (wait + max(p, 1.0)) / max(p, 1.0)
        out[i] = -(
            w[0] * q + w[1] * p + w[2] * wait + w[3] * (p / q) + w[4] * stretch + w[5] * (p * q)
        )
