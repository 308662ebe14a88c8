"""The Parallel Workloads Archive: its logs by name, downloaded once, checked, kept in a cache.

`swfx.archive.catalogue` lists them, `swfx.archive.fetch` downloads, `swfx.archive.cache` finds.
"""
