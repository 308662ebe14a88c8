"""Running the command line in tests, as those of the core do."""

from tests.utilitysched.cli.conftest import _plain_terminal, command, log, market, process

__all__ = ["_plain_terminal", "command", "log", "market", "process"]
