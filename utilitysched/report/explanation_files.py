"""Files of explanations: the graph around a job."""

import tempfile
from functools import partial
from pathlib import Path

from markupsafe import Markup

from swfx import InputError
from swfx.base.atomic import prove_writable
from utilitysched.counterfactual.explanation import Explanation
from utilitysched.report.explanation import verdict
from utilitysched.report.figures.canvas import FORMATS, require_matplotlib, save
from utilitysched.report.figures.style import PAGE
from utilitysched.report.sentences import sentences
from utilitysched.report.templating import render, write_html

HTML = ".html"


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
    said = [*sentences(explained), verdict(explained)]
    title = f"Job {explained.job_id}, {explained.charges.mechanism}"
    drawing = Markup(svg[svg.index("<svg") :])
    write_html(render("explanation.html", title=title, said=said, picture=drawing), path)
