"""Measurements: `make bench`, or `make bench ARGS=parse` for one; see docs/performance.md."""
