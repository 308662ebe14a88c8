"""The event loop in which running jobs may be stopped and go on later.

References
----------
Lee, C. B. (2009). On the user-scheduler relationship in high-performance computing. Dissertation,
University of California, San Diego. Section 6.7.1.
"""

from utilitysched.engine.preemptive.choice import stopping
from utilitysched.engine.preemptive.conditions import failures_of, rules_for
from utilitysched.engine.preemptive.failing import FailingSimulation
from utilitysched.engine.preemptive.failures import Failures
from utilitysched.engine.preemptive.simulation import PreemptiveSimulation
from utilitysched.engine.preemptive.terms import Terms

__all__ = [
    "FailingSimulation",
    "Failures",
    "PreemptiveSimulation",
    "Terms",
    "failures_of",
    "rules_for",
    "stopping",
]
