"""The bound of bounded slowdowns that a run was measured with."""

from utilitysched.analysis.metrics.times import TAU
from utilitysched.runs import RunResults


def tau_of(run: RunResults) -> float:
    """Return the bound (s)."""
    return float(run.summary.get("tau", TAU))
