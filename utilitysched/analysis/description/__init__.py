"""Description of a workload: load over time, sizes, requests, users, queues, utilities."""

from utilitysched.analysis.description.describe import describe
from utilitysched.analysis.documents import (
    Column,
    ColumnChart,
    Description,
    Fact,
    Facts,
    ResultTable,
    column,
    panel,
)

__all__ = [
    "Column",
    "ColumnChart",
    "Description",
    "Fact",
    "Facts",
    "ResultTable",
    "column",
    "describe",
    "panel",
]
