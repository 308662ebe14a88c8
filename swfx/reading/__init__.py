"""Logs in: lines, parts, reports of what was dropped, sources."""
