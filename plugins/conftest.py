"""What tests of plug-ins share with those of the core."""

from tests.conftest import (
    postgresql,
    pytest_collection_finish,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_xdist_make_scheduler,
    traces,
    works_alone,
)
from tests.utilitysched.cli.conftest import command, process

__all__ = [
    "command",
    "postgresql",
    "process",
    "pytest_collection_finish",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_xdist_make_scheduler",
    "traces",
    "works_alone",
]
