"""The best schedule of a small queue, and the charges that follow from it.

Finding it needs OR-tools (the extra ``exact``).
"""

from utilitysched.exact.charges import (
    PROMISES,
    StaticCharges,
    UnprovenOptimum,
    exact_charges,
    exact_pivot,
    static_charges,
)
from utilitysched.exact.optimum import EFFORT, LIMIT, Optimum, optimum
from utilitysched.exact.orders import best_order
from utilitysched.exact.planned import planned
from utilitysched.exact.problem import StaticProblem

__all__ = [
    "EFFORT",
    "LIMIT",
    "PROMISES",
    "Optimum",
    "StaticCharges",
    "StaticProblem",
    "UnprovenOptimum",
    "best_order",
    "exact_charges",
    "exact_pivot",
    "optimum",
    "planned",
    "static_charges",
]
