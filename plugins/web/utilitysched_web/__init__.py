"""The market in a browser: pages for users and operators, and the same as JSON for programs.

`utilitysched_web.application.application` makes the server of a `Site`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from utilitysched_web.notebook import CurveEditor

__all__ = ["CurveEditor"]


def __getattr__(name: str) -> Any:
    if name == "CurveEditor":  # needs packages that the pages do not
        from utilitysched_web.notebook import CurveEditor  # noqa: PLC0415

        return CurveEditor
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
