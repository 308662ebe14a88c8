"""Learned nonlinear policies: sums of products of powers and logarithms."""

import math

from utilitysched.kernels.compiling import leaf_kernel
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering
from utilitysched.schedulers.orderings.weights import SHIPPED, read_weights

FACTORS = ("coefficient", "p", "log_p", "q", "log_q", "r", "log_r")
"""Numbers of a term: its coefficient, and exponents of p~, log10 p~, q, log10 q, r and log10 r."""

TERMS = 10
"""Most terms of a policy: as many as a polynomial of degree two in p~, q and r has."""

NUMBERS = tuple(f"{factor}_{term}" for term in range(1, TERMS + 1) for factor in FACTORS)


@leaf_kernel
def _factor(number: float, power: float, log_power: float) -> float:
    """Return a number to a power times its logarithm to a power."""
    factor = 1.0
    if power != 0.0:
        factor = number**power
    if log_power != 0.0:
        logarithm = math.log10(number)
        if logarithm == 0.0 and log_power < 0.0:
            return math.inf
        factor *= logarithm**log_power
    return factor


@ordering(
    "nonlinear",
    parameters=read_weights(SHIPPED / "nonlinear.toml", NUMBERS),
    given_by="file",
    summary="learned: a sum of products of powers and logarithms of p~, q and r (CARASTAN 3.2)",
)
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score sum of c p~^a log10(p~)^b q^c log10(q)^d r^e log10(r)^f (CARASTAN 3.2.3).

    Times of less than a second count as one. What is not finite goes last.
    """
    for i, job in enumerate(queue):
        request = max(known.request[job], 1.0)
        arrival = max(known.arrival[job], 1.0)
        size = float(known.size[job])
        total = 0.0
        # terms with a coefficient of 0 are not evaluated: shorter policies cost less
        for k in range(0, len(parameters), len(FACTORS)):
            if parameters[k] != 0.0:
                term = parameters[k] * _factor(request, parameters[k + 1], parameters[k + 2])
                term *= _factor(size, parameters[k + 3], parameters[k + 4])
                total += term * _factor(arrival, parameters[k + 5], parameters[k + 6])
        out[i] = total if math.isfinite(total) else math.inf
