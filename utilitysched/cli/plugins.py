"""The option `--plugin`, which commands have in common, and what is said about broken ones."""

import inspect
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

from utilitysched.cli.notifier import notifier
from utilitysched.cli.options import option

PLUGIN = option("--plugin FILE", "Python file with parts of your own; repeatable.")


def takes_plugins(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option, which is obeyed before it begins."""

    @wraps(command)
    def begin(*, plugin: list[Path] | None, **given: Any) -> None:
        from swfx.base.plugin_file import read_plugins

        read_plugins(plugin or ())
        command(**given)

    begin.__annotations__ = command.__annotations__ | {"plugin": list[Path] | None}
    own = inspect.Parameter("plugin", inspect.Parameter.KEYWORD_ONLY, default=PLUGIN)
    parameters = inspect.signature(command).parameters.values()
    begin.__signature__ = inspect.Signature([*parameters, own])  # type: ignore[attr-defined]
    return begin


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
