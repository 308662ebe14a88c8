"""Description of a workload: load over time, sizes, requests, users, queues, utilities."""

from utilitysched.analysis.description.describe import describe
from utilitysched.analysis.description.panels import Chart, Column, Description, Fact, Facts, Table

__all__ = ["Chart", "Column", "Description", "Fact", "Facts", "Table", "describe"]
