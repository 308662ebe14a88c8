"""The one exception for everything a user can do wrong."""

from __future__ import annotations

__all__ = ["InputError", "failed", "placed"]


class InputError(ValueError):
    """Input that cannot be used; its text is one line, fit to be shown to the user.

    Parameters of functions stand in backticks, as in "give `machine_size=N`"; the command line
    shows its options in their place.

    Parameters
    ----------
    message : str
        What is wrong, with the value and the limit it breaks.
    source : str, optional
        File (or other source) the input came from.
    line : int, optional
        Line in `source`, counted from 1.
    field : str, optional
        Name of the field, column or option.
    remedy : str, optional
        What the user can do about it.

    Examples
    --------
    >>> str(InputError("is not a number: 'x'", source="a.swf", line=3, field="run (4)"))
    "a.swf:3: field run (4): is not a number: 'x'"
    """

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        field: str | None = None,
        remedy: str | None = None,
    ) -> None:
        self.message = message
        self.source = source
        self.line = line
        self.field = field
        self.remedy = remedy
        super().__init__(message)

    def __str__(self) -> str:
        is_option = (self.field or "").startswith("-")
        field = f"{'' if is_option else 'field '}{self.field}" if self.field else ""
        parts = [self._place(), field, self.message]
        text = ": ".join(part for part in parts if part)
        if self.remedy:
            text = f"{text}; {self.remedy}"
        return " ".join(text.splitlines())

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.message, self.__dict__.copy())

    def _place(self) -> str:
        if self.line is None:
            return (self.source or "").removesuffix(":")
        return f"{self.source}:{self.line}" if self.source else f"line {self.line}"


def failed(
    what: str, error: Exception, source: object = None, remedy: str | None = None
) -> InputError:
    """Return the error that says why something about a file failed, in the system's words.

    Examples
    --------
    >>> str(failed("cannot be read", OSError(2, "No such file"), "a.swf", "name another"))
    'a.swf: cannot be read: no such file; name another'
    """
    reason = getattr(error, "strerror", None) or str(error)
    place = None if source is None else str(source)
    return InputError(f"{what}: {reason.lower()}", source=place, remedy=remedy)


def _rebuild(kind: type[InputError], message: str, state: dict[str, object]) -> InputError:
    error = kind.__new__(kind, message)
    error.__dict__.update(state)
    return error


def placed(error: InputError, source: str, line: int | None = None) -> InputError:
    """Return the same error with its place: the source where it has none, and the line if given."""
    return InputError(
        error.message,
        source=error.source or source,
        line=error.line if line is None else line,
        field=error.field,
        remedy=error.remedy,
    )
