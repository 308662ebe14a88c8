"""The option `--plugin`, which commands have in common, and what is said about broken ones."""

import inspect
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dis import get_instructions
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

from utilitysched.cli.notifier import ProgressBar, notifier
from utilitysched.cli.options import option

PLUGIN = option("--plugin FILE", "Python file with parts of your own; repeatable.")


def takes_plugins(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option, which is obeyed before it begins."""

    @wraps(command)
    def begin(*, plugin: list[Path] | None, **given: Any) -> None:
        with ProgressBar("starting", quiet=bool(given.get("quiet"))):
            from swfx.base.plugin_file import read_plugins

            read_plugins(plugin or ())
            for module in _imported_by(command):  # seconds, on a machine that has much to do
                import_module(module)
        command(**given)

    begin.__annotations__ = command.__annotations__ | {"plugin": list[Path] | None}
    own = inspect.Parameter("plugin", inspect.Parameter.KEYWORD_ONLY, default=PLUGIN)
    parameters = inspect.signature(command).parameters.values()
    begin.__signature__ = inspect.Signature([*parameters, own])  # type: ignore[attr-defined]
    return begin


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
