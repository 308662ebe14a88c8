"""Co-scheduling: jobs that share nodes, and slow or speed one another."""

from utilitysched.schedulers.coscheduling.options import policy
from utilitysched.schedulers.coscheduling.own import SharedQueue
from utilitysched.schedulers.coscheduling.scheduler import CoScheduler

__all__ = ["CoScheduler", "SharedQueue", "policy"]
