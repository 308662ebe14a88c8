"""Online selection: the ordering is chosen anew at the start of every period (GAUSSIER 5)."""

from utilitysched.schedulers.selection.scheduler import SelectionOptions, SelectionScheduler

__all__ = ["SelectionOptions", "SelectionScheduler"]
