"""Mutated files against the readers; `python -m tests.fuzz --help` for a long run."""

from pathlib import Path

FINDINGS = Path(".fuzz")
"""Folder for files that a reader mistreats."""
