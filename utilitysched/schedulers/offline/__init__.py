"""Schedules made with hindsight: prices that clear the machine, and the best schedule found."""

from utilitysched.schedulers.offline.scheduler import OfflineSchedule

__all__ = ["OfflineSchedule"]
