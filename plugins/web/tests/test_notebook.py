"""The curve editor in a notebook: Python and the browser have the same curve."""

from __future__ import annotations

import pytest

from swfx import InputError, UtilityFunction
from utilitysched_web import CurveEditor


def test_the_browser_and_python_have_the_same_curve() -> None:
    editor = CurveEditor(UtilityFunction([0, 14_400], [8, 2]))
    heard = []
    editor.observe(lambda change: heard.append(change["new"]), "value")

    sent = editor.get_state()
    editor.set_state({"value": "0:9,6h:1"})  # what a message of the browser does
    drawn = editor.curve
    editor.curve = UtilityFunction([0, 60], [3, 3])

    assert sent["value"] == "0:8,4h:2"
    assert "export default {render}" in sent["_esm"]
    assert "curve-editor {" in sent["_css"]
    assert drawn == UtilityFunction([0, 21_600], [9, 1])
    assert heard == ["0:9,6h:1", "0:3,1min:3"]


def test_what_is_no_curve_is_refused() -> None:
    editor = CurveEditor()

    with pytest.raises(InputError, match="nothing is drawn yet"):
        _ = editor.curve
    with pytest.raises(InputError, match="values must not increase"):
        editor.value = "0:1,1h:2"
    with pytest.raises(InputError, match="Foo/Bar"):
        editor.zone = "Foo/Bar"
    assert (editor.value, editor.zone) == ("", "")
