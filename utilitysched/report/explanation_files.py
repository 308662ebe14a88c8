"""The graph around a job, drawn into a file."""

import tempfile
from functools import partial
from html import escape
from pathlib import Path

from swfx import InputError
from swfx.base.atomic import atomic_write, prove_writable
from utilitysched.counterfactual.explanation import Explanation
from utilitysched.report.charge_sentences import sentences
from utilitysched.report.explanation import verdict
from utilitysched.report.figures.canvas import FORMATS, require_matplotlib, save
from utilitysched.report.figures.style import PAGE
from utilitysched.report.page import frame

HTML = ".html"

STYLE = """\
p { font-size: 1rem; color: var(--ink); max-width: 50rem; }
figure { background: white; margin: 1.5rem 0 0; padding: .5rem; max-width: 60rem; }
"""


def check_drawable(path: Path) -> None:
    """Refuse a file that nothing can be drawn into.

    Raises
    ------
    InputError
        Its suffix is no format of ours, matplotlib is not installed, or it cannot be written.
    """
    if path.suffix != HTML and path.suffix.removeprefix(".") not in FORMATS:
        raise InputError(
            f"nothing is drawn as {path.suffix or 'a file without suffix'}",
            source=str(path),
            remedy="name it .svg, .pdf, .png or .html",
        )
    require_matplotlib()
    prove_writable(path)


def draw_explanation(explained: Explanation, path: Path) -> None:
    """Draw the graph around a job; in HTML with the sentences above it.

    Raises
    ------
    InputError
        There is nothing to draw, or the file cannot be written.
    """
    from utilitysched.report.figures import evidence  # noqa: PLC0415 - an extra

    drawn = partial(evidence.draw, explained, PAGE)
    if path.suffix != HTML:
        save(drawn, path)
        return
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "picture.svg"
        save(drawn, picture)
        svg = picture.read_text("utf-8")
    with atomic_write(path) as stream:
        stream.write(_page(explained, svg[svg.index("<svg") :]).encode())


def _page(explained: Explanation, svg: str) -> str:
    said = [*sentences(explained), verdict(explained)]
    text = "\n".join(f"<p>{escape(each)}</p>" for each in said)
    title = f"Job {explained.job_id}, {explained.charges.mechanism}"
    return frame(title, f"{text}\n<figure>{svg}</figure>\n", style=STYLE)
