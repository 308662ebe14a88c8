"""Priority preemption: urgent jobs may bump those of lower classes.

`PriorityPreempt` is in `utilitysched.urgency.scheduler`: importing it imports numba.
"""

from utilitysched.urgency.family import priority_preempt
from utilitysched.urgency.options import UrgencyOptions

__all__ = ["UrgencyOptions", "priority_preempt"]
