"""WFP3: waiting, wide and short jobs first."""

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering("wfp3", dynamic=True, summary="long waiting, wide, short first: -(w / p~)^3 q")
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Long waiting, wide, short first: -(w / p~)^3 q (Tang et al. 2009; CARASTAN 3.4)."""
    for i, job in enumerate(queue):
        ratio = (moment.now - known.submit[job]) / max(known.request[job], 1.0)
        out[i] = -(ratio * ratio * ratio) * known.size[job]
