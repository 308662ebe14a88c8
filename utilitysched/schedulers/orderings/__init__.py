"""Orderings: what puts the queue in order, one file each."""

from swfx.base.plugins import import_family
from utilitysched.schedulers.orderings.registry import ORDERINGS, Ordering, ordering

__all__ = ["Ordering", "ordering", "orderings"]


def orderings() -> dict[str, Ordering]:
    """Return all orderings by name."""
    import_family(__name__, "utilitysched.orderings")
    return dict(sorted(ORDERINGS.items()))
