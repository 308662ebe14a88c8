"""`utilitysched generate`."""

from collections.abc import Sequence
from typing import Annotated

import typer

from swfx.base.document_values import whole
from swfx.base.request_fields import (
    Checkpoints,
    Estimates,
    ExportFormat,
    OutputFile,
    Priorities,
    Users,
    UtilitySeed,
)
from swfx.base.typed import Typed
from utilitysched.cli.shared import Quiet

EPILOG = """\b
Examples:
  utilitysched generate lublin jobs=5000 machine_size=256 -o model.swf.gz --seed 1
  utilitysched generate lublin,jobs=5000,machine_size=256,seed=1 -o - | utilitysched check -
  utilitysched generate lublin jobs=2000 -o model.swfx.gz --utilities factor=3
  utilitysched generate lublin -o m.swf --users zipf --estimates tsafrir --priorities by-request
"""


def generate(
    model: Annotated[Sequence[str], Typed("MODEL")],
    out: OutputFile,
    to: ExportFormat = None,
    seed: Annotated[int | None, whole(), Typed("--seed N")] = None,
    users: Users = None,
    estimates: Estimates = None,
    priorities: Priorities = None,
    utilities: Annotated[str | None, Typed("--utilities SPEC")] = None,
    utility_seed: UtilitySeed = None,
    checkpoints: Checkpoints = None,
    quiet: Quiet = False,
) -> None:
    """Make a workload from a model.

    Writes SWF, extended if jobs have utility functions or checkpoints; other suffixes or --to say
    another format. The same seed writes the same bytes.

    Parameters
    ----------
    model : sequence of str
        Name of a model, then its options: lublin jobs=5000 machine_size=256.
    seed : int, optional
        The same as seed=N.
    utilities : str, optional
        Draw utility functions, too: factor=3,step=1, diurnal:at=09:00, curves:file=FILE, default.
    """
    from swfx.families.utilities.valuation import Valuation
    from swfx.reading.notes import read_notes
    from swfx.reading.saving import exporter_for, save
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import notifier, noting_compilation
    from utilitysched.engine.valued import attach
    from utilitysched.runs.steps import checkpointing, modelling, take_steps

    echo = notifier(quiet=quiet)
    valuation = None if utilities is None else Valuation.parse(utilities)
    text = model_text(model, seed)
    drawn = model_seed(text)
    models = {"users": users, "estimates": estimates, "priorities": priorities}
    added = modelling(models, drawn)
    checkpointed = checkpointing(checkpoints, drawn)
    exporter = exporter_for(out, to)
    loaded = WorkloadSource(text).load()
    lost = read_notes(loaded.report) if loaded.report.dropped else ()
    for note in (*loaded.report.notes, *lost):
        echo(note)
    workload = take_steps(loaded.workload, [added], echo)
    if valuation is not None:
        of_utilities = drawn if utility_seed is None else utility_seed
        with noting_compilation(echo):
            workload = attach(workload, valuation, of_utilities, classes=None, say=echo).workload
    save(take_steps(workload, [checkpointed], echo), exporter, out, echo)


def model_text(words: Sequence[str], seed: int | None) -> str:
    """Put a model's name, options and seed together as ``model:...``.

    Raises
    ------
    typer.BadParameter
        The seed is given both ways.
    """
    text = ",".join(words).removeprefix("model:")
    if seed is None:
        return f"model:{text}"
    if any(part.strip().startswith("seed=") for part in text.split(",")):
        raise typer.BadParameter("the model has a seed= already", param_hint="'--seed'")
    return f"model:{text},seed={seed}"


def model_seed(text: str) -> int:
    """Return the seed of a model's text, 0 if it has none.

    Raises
    ------
    InputError
        The text has no such form, or the seed is no whole number.
    """
    from swfx.base.options import as_int, split_lists

    model, _, options = text.partition(",")
    return as_int(split_lists(options, model).get("seed", "0"), model, "seed")
