"""Nouns of a simulation: queue states, decisions, arrivals, schedules, schedulers."""
