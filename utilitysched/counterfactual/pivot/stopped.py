"""Pivot charges of a schedule in which jobs were stopped, or could have been."""

from collections.abc import Callable

from pricing.pivots import Pivots
from utilitysched.counterfactual.pivot.recorder import PivotRecorder
from utilitysched.counterfactual.pivot.stays import Stays
from utilitysched.engine.simulation import Simulation
from utilitysched.model.segments import Segments
from utilitysched.model.state import Integers


def stopped_pivots(
    simulation: Simulation,
    recorder: PivotRecorder,
    order: Integers,
    segments: Segments,
    on_progress: Callable[[float], None] | None = None,
) -> Pivots:
    """Simulate again, and compare plans at each start.

    Parameters
    ----------
    simulation : Simulation
        Of the recorder, before the first event.
    recorder : PivotRecorder
        Prepared.
    order : (n,) int64
        Position in the workload of each job in arrival order.
    segments : Segments
        How it goes.
    on_progress : callable, optional
        Called now and then with the share of jobs submitted so far.
    """
    recorder.stays = Stays.from_segments(segments, order.argsort())
    simulation.finish(on_progress)
    return recorder.pivots(order)
