"""Priority preemption: urgent jobs may preempt those of lower classes.

`PriorityPreempt` is in the module `scheduler`: importing it imports numba.
"""

from utilitysched.schedulers.priority_preemption.family import priority_preempt
from utilitysched.schedulers.priority_preemption.options import PriorityOptions

__all__ = ["PriorityOptions", "priority_preempt"]
