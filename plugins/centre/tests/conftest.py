"""What tests of the core share: where compiled code is kept, how hypothesis runs, a server."""

from tests.conftest import postgresql, pytest_configure

__all__ = ["postgresql", "pytest_configure"]
