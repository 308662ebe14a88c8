"""A market for supercomputer time: utility-aware scheduling, simulated and billed."""

from utilitysched.schedule import Schedule
from utilitysched.state import Decision, Known, QueueState

__all__ = ["Decision", "Known", "QueueState", "Schedule"]
