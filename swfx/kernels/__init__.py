"""Compiled loops of the reader; imported only when a log is read."""
