"""Description of a workload: load over time, sizes, requests, users, queues, utilities."""

from utilitysched.analysis.description.describe import describe

__all__ = ["describe"]
