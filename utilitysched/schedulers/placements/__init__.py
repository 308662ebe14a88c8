"""Placements: what turns an ordered queue into starts, one file each."""

from swfx.base.plugins import import_family
from utilitysched.schedulers.placements.registry import PLACEMENTS, Placement, placement

__all__ = ["Placement", "placement", "placements"]


def placements() -> dict[str, Placement]:
    """Return all placements by name."""
    import_family(__name__, "utilitysched.placements")
    return dict(sorted(PLACEMENTS.items()))
