"""Pages by topic: each module has a `router`, and its pages are functions that return a `View`."""
