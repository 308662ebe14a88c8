"""The option `--plugin`, which commands have in common, and what is said about broken ones."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dis import get_instructions
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from swfx.base.typed import Typed
from utilitysched.cli.notifier import ProgressBar, notifier

Plugins = Annotated[
    Sequence[Path],
    Typed("--plugin FILE", text="Python file with parts of your own; repeatable."),
]


def start(command: Callable[..., None], plugins: Sequence[Path], *, quiet: bool) -> None:
    """Load plug-ins, and what a command imports itself: seconds, on a busy machine."""
    with ProgressBar("starting", quiet=quiet):
        from swfx.base.plugin_file import read_plugins

        read_plugins(plugins)
        for module in _imported_by(command):
            import_module(module)


def _imported_by(command: Callable[..., None]) -> list[str]:
    """Return the modules that a function imports itself."""
    return [each.argval for each in get_instructions(command) if each.opname == "IMPORT_NAME"]


@contextmanager
def telling_of_broken() -> Iterator[None]:
    """Write a line for each installed plug-in that is left out because it cannot be loaded."""

    def tell(message: Any, category: type[Warning], *where: Any) -> None:
        from swfx.base.plugins import BrokenPlugin

        if issubclass(category, BrokenPlugin):
            notifier(quiet=False)(f"left out: {message}")
        else:
            before(message, category, *where)

    with warnings.catch_warnings():
        before = warnings.showwarning
        warnings.showwarning = tell  # type: ignore[assignment]
        yield
