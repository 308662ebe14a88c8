"""Speculation: requests learned from past runs, in place of those that users made."""
