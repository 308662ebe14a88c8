"""Options of commands, derived from the requests that the library declares.

A command is a function. A parameter of it that is a dataclass stands for all fields of that
dataclass which can be typed; they, and parameters of the function's own, are annotated by `Typed`.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import typer

from swfx.base.document import check_document
from swfx.base.document_values import Annotation
from swfx.base.errors import InputError
from swfx.base.typed import Typed
from utilitysched.cli.completion import COMPLETERS
from utilitysched.cli.plugins import Plugins, start
from utilitysched.cli.shared import Digits

__all__ = ["DerivedCommand", "field_texts"]

REQUIRED = dataclasses.MISSING

_SEQUENCES = (list, tuple, Sequence)

_PARAMETER = re.compile(r"`(?P<name>[a-z]\w*)(?:=(?P<value>[^`]*))?`")
"""A parameter in the text of an error, with a value or without."""

_SECTION = re.compile(r"^(?:Attributes|Parameters)\n-+\n", re.MULTILINE)
_NEXT_SECTION = re.compile(r"^\w[\w ]*\n-+\n", re.MULTILINE)
_ENTRY = re.compile(r"^([\w*, ]+?) : .*\n((?:[ ]+\S.*\n?)*)", re.MULTILINE)


class DerivedCommand:
    """A command of typer with options and arguments derived from the parameters of a function.

    Parameters
    ----------
    command : callable
        Function with annotated parameters. The part of its docstring before the section Parameters
        is the help text of the command.
    plugins : bool
        Whether it takes plug-ins of the user, too, which are loaded before it begins.
    tables : bool
        Whether it prints tables of metrics, and takes the decimals of their numbers.
    """

    def __init__(
        self, command: Callable[..., None], *, plugins: bool = True, tables: bool = False
    ) -> None:
        self._command = command
        self._plugins = plugins
        self._tables = tables
        self.__name__ = command.__name__
        self.__doc__ = _SECTION.split(inspect.getdoc(command) or "")[0].rstrip()

    def __call__(self, **given: Any) -> None:
        """Run the command with what was typed."""
        if self._plugins:
            start(self._command, given["plugin"] or (), quiet=bool(given.get("quiet")))
        from swfx.base.numbers import table_digits

        _check_needs(self._fields, given)
        try:
            with table_digits(given.get("digits")):
                self._request.made(given)
        except InputError as error:
            _name_options(error, self._options)
            raise

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.Signature([each.parameter() for each in self._fields])

    @property
    def __annotations__(self) -> dict[str, Any]:  # type: ignore[override]
        return {each.name: each.annotation for each in self._fields}

    @cached_property
    def _request(self) -> _Request:
        return _Request.of(self._command)

    @cached_property
    def _fields(self) -> list[_Field]:
        digits = _Field.of("digits", Digits, None, "") if self._tables else None
        plugin = _Field.of("plugin", Plugins, (), "") if self._plugins else None
        return [*self._request.leaves(), *filter(None, (digits, plugin))]

    @property
    def _options(self) -> dict[str, Typed]:
        """Options by the parameter: of the command, and of a simulation for what it lacks."""
        from utilitysched.runs.records import SimulationPlan

        fields = (*_Request.of(SimulationPlan).leaves(), *self._fields)
        return {each.name: each.typed for each in fields}


def _name_options(error: InputError, options: Mapping[str, Typed]) -> None:
    """Write what can be typed in place of parameters of the library, in backticks or as field."""
    if not error.source and error.field in options:
        error.field = f"`{error.field}`"
    for part in ("message", "field", "remedy"):
        if text := getattr(error, part):
            setattr(error, part, _PARAMETER.sub(lambda name: _option(name, options), text))


def _option(parameter: re.Match[str], options: Mapping[str, Typed]) -> str:
    typed = options.get(parameter["name"])
    if typed is None:
        return parameter[0]
    if typed.metavar is None:
        return typed.names[0]
    value = parameter["value"] and f" {parameter['value']}"
    return f"{typed.names[0]}{value or ''}" if typed.names else typed.metavar


def _check_needs(fields: Sequence[_Field], given: Mapping[str, Any]) -> None:
    """Refuse options typed without the option that they need."""
    typed = {
        name
        for each in fields
        if given[each.name]
        for name in each.typed.names or (each.typed.metavar,)
    }
    for each in fields:
        needed = each.typed.needs
        if needed and needed.split()[0] not in typed and not typed.isdisjoint(each.typed.names):
            raise InputError(f"{each.typed.names[0]} needs {needed}")


class _Field(NamedTuple):
    """A field that can be typed.

    Attributes
    ----------
    name : str
        Name of the field, and of the parameter.
    kind : type
        Its type without None; of a repeatable one that of a member.
    many : bool
        Whether it is repeatable.
    default : object
        Value where it is not typed, or `REQUIRED`.
    typed : Typed
        How it is typed.
    read : callable or None
        Makes the value from its text; None where typer does.
    text : str
        Help text.
    """

    name: str
    kind: Any
    many: bool
    default: Any
    typed: Typed
    read: Callable[[str], Any] | None
    text: str

    @classmethod
    def of(cls, name: str, hint: Any, default: Any, text: str) -> _Field | None:
        """Return the field, None if it cannot be typed."""
        kind, notes = _taken_apart(hint)
        typed = next((each for each in notes if isinstance(each, Typed)), None)
        if typed is None:
            return None
        many = typed.metavar is not None and get_origin(kind) in _SEQUENCES
        if many:
            kind, notes = _taken_apart(get_args(kind)[0])
        notes = [each for each in notes if isinstance(each, Annotation)]
        plain = not notes and kind in (bool, str, Path)
        read = None if plain else _reader(kind, notes)
        return cls(name, kind, many, default, typed, read, typed.text or text)

    @property
    def inverse(self) -> bool:
        """Whether it is a flag that takes something away: ``--no-allocations``."""
        return self.kind is bool and self.default is True and not self.is_pair

    @property
    def is_pair(self) -> bool:
        """Whether it is a flag with a name for each answer: ``--strict/--lenient``."""
        return any("/" in name for name in self.typed.names)

    @property
    def annotation(self) -> Any:
        """Type for typer."""
        kind = str if self.read else self.kind
        return list[kind] if self.many else kind if self.default is REQUIRED else kind | None  # type: ignore[valid-type]

    def parameter(self) -> inspect.Parameter:
        """Return the parameter of the command."""
        names, metavar = self.typed.names, self.typed.metavar
        more: dict[str, Any] = {"metavar": metavar, "help": self.text, "parser": self._parser()}
        completed = [f"{name} {metavar}" for name in names] or [str(metavar)]
        completers = [COMPLETERS[each] for each in completed if each in COMPLETERS]
        if completers:
            more["autocompletion"] = completers[0]
        default: Any = ... if self.default is REQUIRED else None
        if metavar is None:
            default = None if self.default is None or self.is_pair else False
        if names:
            more |= {"show_default": self._shown(), "rich_help_panel": self.typed.group or None}
            info = typer.Option(default, *names, **more)
        else:
            info = typer.Argument(default, show_default=False, **more)
        kind = inspect.Parameter.KEYWORD_ONLY
        return inspect.Parameter(self.name, kind, default=info, annotation=self.annotation)

    def value(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the argument for the request; empty where the default holds."""
        value = given[self.name]
        if value is None or (self.many and not value):
            return {}
        if self.inverse:
            value = not value
        return {self.name: tuple(value) if self.many else value}

    def _shown(self) -> str | bool:
        if self.typed.shown:
            return self.typed.shown
        known = self.default not in (REQUIRED, None, "", ()) and self.typed.metavar is not None
        return str(self.default) if known else False

    def _parser(self) -> Callable[[str], Any] | None:
        read = self.read
        if read is None:
            return Path if self.kind is Path else None

        def parse(text: str) -> Any:
            try:
                return read(text)
            except InputError as error:
                raise typer.BadParameter(str(error)) from error

        return parse


class _Request(NamedTuple):
    """A function or dataclass, whose parameters can be typed, or are requests themselves.

    Attributes
    ----------
    name : str
        Name of the parameter that the request is.
    make : callable
        The function, or the constructor of the dataclass.
    parts : list of _Field or _Request
        Its parameters.
    needed : frozenset of str
        Fields without which there is no request, where the parameter may be None.
    """

    name: str
    make: Callable[..., Any]
    parts: list[_Field | _Request]
    needed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, make: Callable[..., Any], name: str = "") -> _Request:
        """Return the request that a function or the constructor of a dataclass is."""
        hints = get_type_hints(make, include_extras=True)
        texts = field_texts(make)
        parts: list[_Field | _Request] = []
        for each, default in _defaults(make).items():
            kind, _ = _taken_apart(hints[each])
            field = _Field.of(each, hints[each], default, texts.get(each, ""))
            if field is not None:
                parts.append(field)
            elif dataclasses.is_dataclass(kind):
                part = cls.of(kind, each)  # type: ignore[arg-type]
                parts.append(part._optional() if default is None else part)
        return cls(name, make, parts)

    def _optional(self) -> _Request:
        """Return the request of a parameter that is None unless its required fields are typed."""
        required = {
            part.name: part._replace(default=None)
            for part in self.parts
            if isinstance(part, _Field) and part.default is REQUIRED
        }
        parts = [required.get(part.name, part) for part in self.parts]
        return self._replace(parts=parts, needed=frozenset(required))

    def leaves(self) -> Iterator[_Field]:
        """Yield the fields that can be typed."""
        for part in self.parts:
            yield from part.leaves() if isinstance(part, _Request) else (part,)

    def made(self, given: Mapping[str, Any]) -> Any:
        """Call the function with what was typed."""
        arguments: dict[str, Any] = {}
        for part in self.parts:
            arguments |= part.value(given)
        return self.make(**arguments)

    def value(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the request as a keyword argument; empty without its required fields."""
        missing = any(given[name] is None for name in self.needed)
        return {} if missing else {self.name: self.made(given)}


def field_texts(described: Any) -> dict[str, str]:
    """Return the first paragraph about each field or parameter in a docstring.

    Parameters
    ----------
    described : type or function
        What has the docstring, as numpydoc lays it out.

    Examples
    --------
    >>> field_texts(field_texts)
    {'described': 'What has the docstring, as numpydoc lays it out.'}
    """
    texts: dict[str, str] = {}
    for each in reversed(getattr(described, "__mro__", (described,))):
        _, *section = _SECTION.split(inspect.cleandoc(each.__doc__ or ""), maxsplit=1)
        for names, text in _ENTRY.findall(_NEXT_SECTION.split(section[0])[0] if section else ""):
            plain = " ".join(text.replace("`", "").split())
            texts |= dict.fromkeys(names.split(", "), plain)
    return texts


def _defaults(make: Any) -> dict[str, Any]:
    """Return the default of each parameter, `REQUIRED` for none, None for one that is made anew."""
    if dataclasses.is_dataclass(make):
        return {
            each.name: each.default if each.default_factory is REQUIRED else None
            for each in dataclasses.fields(make)
        }
    parameters = inspect.signature(make).parameters.values()
    return {
        each.name: REQUIRED if each.default is each.empty else each.default for each in parameters
    }


def _taken_apart(hint: Any) -> tuple[Any, list[Any]]:
    """Return a type without None, and its annotations."""
    notes: list[Any] = []
    if get_origin(hint) is Annotated:
        hint, *notes = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        kinds = [each for each in get_args(hint) if each is not NoneType]
        if len(kinds) == 1:
            inner, more = _taken_apart(kinds[0])
            return inner, [*more, *notes]
    return hint, notes


def _reader(kind: Any, notes: list[Annotation]) -> Callable[[str], Any]:
    """Return what reads the text of a value of a type with annotations."""
    for each in notes:
        if each.make is not None:
            return each.make
    annotated: Any = Annotated[kind, *notes] if notes else kind
    plain: Callable[[str], object] = {int: _whole, float: _number}.get(kind, str)
    return lambda text: check_document(annotated, plain(text))


def _whole(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,1000}", text):
        raise InputError(f"{text!r} is not a whole number")
    return int(text)


def _number(text: str) -> float | str:
    """Return the number, or a text that may be a time with its unit."""
    try:
        return float(text)
    except ValueError:
        if not any(character.isdigit() for character in text):
            raise InputError(f"{text!r} is not a number") from None
        return text
