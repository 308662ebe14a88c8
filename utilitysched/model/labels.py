"""One text for each scheduler, however its options are written."""

from collections.abc import Mapping

from swfx.base.options import as_text


def canonical(options: Mapping[str, str], defaults: Mapping[str, str]) -> dict[str, str]:
    """Return the options that differ from their defaults, in the order of these.

    Numbers are written in one way, where the default is a number or off.

    Parameters
    ----------
    options : mapping of str to str
        As given; keys of `defaults`.
    defaults : mapping of str to str
        Every option and its default; empty is off.

    Examples
    --------
    >>> canonical({"b": "2.0", "a": "1"}, {"a": "1", "b": "", "c": "x"})
    {'b': '2'}
    """
    written = {
        key: _number(options[key], default) for key, default in defaults.items() if key in options
    }
    return {key: text for key, text in written.items() if text != _number(defaults[key], "")}


def label_of(name: str, options: Mapping[str, str]) -> str:
    """Return ``NAME:key=value,...``, or the name alone; values with commas stand in brackets."""
    texts = (f"{key}=[{text}]" if "," in text else f"{key}={text}" for key, text in options.items())
    return f"{name}:{','.join(texts)}" if options else name


def _number(text: str, default: str) -> str:
    """Return the shortest text of a number; other texts, and all for which no number stands."""
    try:
        float(default or "0")
        return str(int(text)) if text.lstrip("+-").isdecimal() else as_text(float(text))
    except (ValueError, OverflowError):
        return text
