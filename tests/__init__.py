"""Tests; `tests.reference` holds the readable twins of the compiled code."""
