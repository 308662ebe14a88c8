"""Entry points of other distributions in the families of ours."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

from swfx.base.errors import InputError


def load_entry_points(group: str) -> None:
    """Load every entry point of a group, by name: each enters itself where it belongs.

    Parameters
    ----------
    group : str
        For instance ``utilitysched.orderings``.

    Raises
    ------
    InputError
        One cannot be loaded, for whatever reason; names it and its distribution.
    """
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            point.load()
        except Exception as error:  # other people's code may raise anything
            raise _broken(point, error) from error


def _broken(point: EntryPoint, error: Exception) -> InputError:
    owner = point.dist.name if point.dist else "the distribution it came with"
    return InputError(
        f"plug-in {point.name!r} ({point.value}) cannot be loaded: {type(error).__name__}: {error}",
        source=point.group,
        remedy=f"update or uninstall {owner}",
    )
