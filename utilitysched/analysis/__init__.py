"""Measures of schedules and workloads: metrics, series over time, statistics, descriptions."""
