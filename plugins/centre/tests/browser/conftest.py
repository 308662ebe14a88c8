"""A real browser, as for pages of the core."""

from tests.browser.conftest import browser, opened, screenshots

__all__ = ["browser", "opened", "screenshots"]
