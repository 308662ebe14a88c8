"""The Parallel Workloads Archive: its logs by name, downloaded once, checked, kept in a cache."""
