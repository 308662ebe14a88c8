"""The event loop in which running jobs may be stopped and go on later.

References
----------
Lee, C. B. (2009). On the user-scheduler relationship in high-performance computing. Dissertation,
University of California, San Diego. Section 6.7.1.
"""

from utilitysched.preemptive.conditions import rules_for
from utilitysched.preemptive.simulation import PreemptiveSimulation, run_preemptive
from utilitysched.preemptive.terms import Terms

__all__ = ["PreemptiveSimulation", "Terms", "rules_for", "run_preemptive"]
