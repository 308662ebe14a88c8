"""Online selection: the ordering is chosen anew at the start of every period.

`SelectionScheduler` is in the module `scheduler`: importing it imports numba.
"""

from utilitysched.schedulers.selection.family import select
from utilitysched.schedulers.selection.options import SelectionOptions

__all__ = ["SelectionOptions", "select"]
