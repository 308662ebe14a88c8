"""Orderings: what puts the queue in order, one file each."""

import sys

from utilitysched.orderings.registry import ORDERINGS, Ordering, ordering
from utilitysched.plugins import import_family

__all__ = ["Ordering", "ordering", "orderings"]


def orderings() -> dict[str, Ordering]:
    """Return all orderings by name."""
    import_family(sys.modules[__name__])
    return dict(sorted(ORDERINGS.items()))
