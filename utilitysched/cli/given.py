"""Options that mean something only beside another."""

from collections.abc import Collection

import typer

from swfx import InputError


def refuse_without(option: str, context: typer.Context, names: Collection[str]) -> None:
    """Refuse options that were typed although the one that they need was not.

    Parameters
    ----------
    option : str
        That they need, as it is typed.
    context : typer.Context
        Of the command.
    names : collection of str
        Their names as parameters.

    Raises
    ------
    InputError
        One of them was typed.
    """
    for parameter in context.command.params:
        source = context.get_parameter_source(str(parameter.name))
        if parameter.name in names and source is not None and source.name == "COMMANDLINE":
            raise InputError(f"{parameter.opts[0]} needs {option}")
