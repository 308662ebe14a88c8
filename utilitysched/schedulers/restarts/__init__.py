"""Holes and priced restarts: processors taken back from jobs that may be run again.

`RestartingScheduler` is in the module `scheduler`: importing it imports numba.
"""

from utilitysched.schedulers.restarts.options import RestartOptions

__all__ = ["RestartOptions"]
