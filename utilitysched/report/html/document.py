"""Charts as JSON that the charts' library reads, the same bytes each time."""

import json
import re
from collections.abc import Sequence

from bokeh.document import Document
from bokeh.model import Model

NUMBER = re.compile(r"p[0-9]+")


def document_json(roots: Sequence[Model]) -> str:
    """Return models as JSON to stand in a script of a page.

    The library numbers its models in the order in which a process makes them. Here they are
    numbered anew, by the order in which they are found, so that a page does not depend on what
    the process did before.
    """
    document = Document()
    with document.models.freeze():  # its models are counted once, not after every root
        for root in roots:
            document.add_root(root)
    names: dict[str, str] = {}
    plain = _renamed(document.to_json(deferred=False), names)
    return json.dumps(plain, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _renamed(value: object, names: dict[str, str]) -> object:
    if isinstance(value, dict):
        return {
            key: _name(item, names)
            if key == "id" and isinstance(item, str) and NUMBER.fullmatch(item)
            else _renamed(item, names)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_renamed(item, names) for item in value]
    return value


def _name(number: str, names: dict[str, str]) -> str:
    return names.setdefault(number, f"m{len(names) + 1}")
