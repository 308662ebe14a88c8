"""Comparisons with what would have been: charges by replays and pivots, explanations."""
