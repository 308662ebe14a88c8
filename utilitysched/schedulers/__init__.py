"""Schedulers: orderings x placements, genetic, priority preemption; their registry."""
