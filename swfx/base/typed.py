"""Names and values of fields of requests on the command line."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Typed"]


@dataclass(frozen=True)
class Typed:
    """Annotation of a field of a request, or of a parameter, that can be typed.

    The default is that of the field. The help text is the first paragraph about the field in the
    docstring of its class or function.

    Attributes
    ----------
    spec : str
        Names, then what stands for the value: ``--jobs A:B``; of a flag only names, of an argument
        only what stands for the value.
    shown : str
        What the help says of the default in place of itself.
    group : str
        Heading under which the help shows the option, below those without one.
    needs : str
        Other option that must be typed, too: ``--figures FOLDER``.
    text : str
        Help text where there is no docstring to take it from.

    Examples
    --------
    >>> Typed("--scheduler -s NAME").names, Typed("--scheduler -s NAME").metavar
    (('--scheduler', '-s'), 'NAME')
    """

    spec: str
    shown: str = ""
    group: str = ""
    needs: str = ""
    text: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the option; none of an argument."""
        return tuple(word for word in self.spec.split() if word.startswith("-"))

    @property
    def metavar(self) -> str | None:
        """What stands for the value; None for a flag."""
        words = [word for word in self.spec.split() if not word.startswith("-")]
        return " ".join(words) or None
