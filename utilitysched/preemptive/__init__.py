"""The event loop in which running jobs may be stopped and go on later.

References
----------
Lee, C. B. (2009). On the user-scheduler relationship in high-performance computing. Dissertation,
University of California, San Diego. Section 6.7.1.
"""

from utilitysched.preemptive.choice import stopping
from utilitysched.preemptive.conditions import failures_of, rules_for
from utilitysched.preemptive.failing import FailingSimulation
from utilitysched.preemptive.failures import Failures
from utilitysched.preemptive.simulation import PreemptiveSimulation
from utilitysched.preemptive.terms import Terms

__all__ = [
    "FailingSimulation",
    "Failures",
    "PreemptiveSimulation",
    "Terms",
    "failures_of",
    "rules_for",
    "stopping",
]
