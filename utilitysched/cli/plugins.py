"""The option `--plugin`, which commands have in common, and what is said about broken ones."""

import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dis import get_instructions
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from swfx.base.typed import Typed
from utilitysched.cli.notifier import ProgressBar, notifier
from utilitysched.cli.options import option

PLUGIN_TEXT = "Python file with parts of your own; repeatable."
PLUGIN = option("--plugin FILE", PLUGIN_TEXT)
Plugins = Annotated[Sequence[Path], Typed("--plugin FILE", text=PLUGIN_TEXT)]


def takes_plugins(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option, which is obeyed before it begins."""

    @wraps(command)
    def begin(*, plugin: list[Path] | None, **given: Any) -> None:
        start(command, plugin or (), quiet=bool(given.get("quiet")))
        command(**given)

    begin.__annotations__ = command.__annotations__ | {"plugin": list[Path] | None}
    own = inspect.Parameter("plugin", inspect.Parameter.KEYWORD_ONLY, default=PLUGIN)
    parameters = inspect.signature(command).parameters.values()
    begin.__signature__ = inspect.Signature([*parameters, own])  # type: ignore[attr-defined]
    return begin


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
