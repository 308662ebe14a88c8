"""Report on an experiment: tables printed and written, plots drawn, and a page of all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from swfx.base.atomic import write_whole
from swfx.reading.notes import Echo
from utilitysched.analysis.documents import ResultTable
from utilitysched.experiments.results import ExperimentResult
from utilitysched.experiments.work import ExperimentWork, remove_sheets, result_of
from utilitysched.report.description import write_page
from utilitysched.report.experiment.page import experiment_page
from utilitysched.report.experiment.plots import experiment_plots
from utilitysched.report.experiment.sheets import comparisons_csv, write_sheets
from utilitysched.report.experiment.tables import experiment_tables
from utilitysched.report.figures.canvas import save
from utilitysched.report.tables.formats import latex, markdown
from utilitysched.report.terminal import print_tables


def report_on(work: ExperimentWork, echo: Echo, page: Path | None = None) -> None:
    """Print and write the tables of what is finished, and a page of all if one is named.

    Raises
    ------
    InputError
        Nothing is finished.
    """
    result = result_of(work)
    if result.finished < result.wanted:
        echo(f"{result.finished:,} of {result.wanted:,} results: what is missing is left out")
    tables = experiment_tables(result)
    if "terminal" in work.experiment.report.tables:
        print_tables(tables)
    if page is not None:
        write_page(experiment_page(result, tables), page)
        echo(f"wrote {page}")
    if work.outputs is None:
        return
    if result.finished == result.wanted:
        written = write_sheets(result, work.outputs)
    else:
        written = []
        remove_sheets(work.outputs)
        echo("wrote no results.csv: it holds whole grids only")
    written += _write_tables(result, tables, work.outputs)
    for plot in experiment_plots(result, echo):
        for kind in work.experiment.report.plot_formats:
            written.append(work.outputs / f"{plot.name}.{kind}")
            save(plot.draw, written[-1])
    if written:
        echo(f"wrote to {work.outputs}: {', '.join(path.name for path in written)}")


def _write_tables(
    result: ExperimentResult, tables: Sequence[ResultTable], directory: Path
) -> list[Path]:
    """Write the tables wanted, each whole or not at all."""
    written = []
    for name in result.experiment.report.tables:
        if name == "csv":
            written.append(write_whole(directory / "comparisons.csv", comparisons_csv(result)))
        elif name == "markdown":
            content = f"# {result.experiment.name}\n\n" + "\n".join(map(markdown, tables))
            written.append(write_whole(directory / "tables.md", content))
        elif name == "latex":
            content = "\n".join(map(latex, tables))
            written.append(write_whole(directory / "tables.tex", content))
    return written
