"""What `audit` does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from swfx import Workload
from utilitysched.cli.progress import Progress
from utilitysched.cli.say import COMPILING, Say, speaker, told_of_compilation
from utilitysched.cli.seeds import Seeds
from utilitysched.cli.source import Source
from utilitysched.engine.valued import ensure, require_machine
from utilitysched.market.audit import Audit, Design, Game, Reply, audit, respond, summarise
from utilitysched.market.audit.files import FIGURE, document, write_audit
from utilitysched.market.audit.world import check, require_values
from utilitysched.report.audit import print_audit
from utilitysched.report.console import print_json
from utilitysched.report.figures.audit import draw
from utilitysched.report.figures.canvas import check_format, require_matplotlib, save
from utilitysched.report.figures.style import PAGE
from utilitysched.runs import prove_writable
from utilitysched.workers.local import processors


@dataclass(frozen=True)
class Asked:
    """What is to be audited.

    Attributes
    ----------
    source : Source
        The workload.
    utilities : str or None
        Its utility functions, see `utilitysched.engine.valued.ensure`.
    seeds : Seeds
        Of those, and of the audit.
    classes : mapping of int to int or None
        Queue number to priority class.
    scheduler : str
        Name and options.
    mechanisms : tuple of str
        Names and options.
    design : Design
        How it is made.
    game : Game or None
        Who answers lies by lies, if anybody.
    """

    source: Source
    utilities: str | None
    seeds: Seeds
    classes: Mapping[int, int] | None
    scheduler: str
    mechanisms: tuple[str, ...]
    design: Design
    game: Game | None

    def to_dict(self) -> dict[str, object]:
        """Return what provenance keeps."""
        return {
            **self.source.to_dict(),
            "classes": dict(self.classes) if self.classes else None,
            "seed": self.seeds.scheduler,
            "design": asdict(self.design),
            "game": asdict(self.game) if self.game else None,
        }


def run_audit(
    asked: Asked,
    out: Path,
    plot: str | None,
    processes: int | None,
    *,
    json: bool,
    quiet: bool,
) -> None:
    """Audit, write the files and print what was found."""
    check(asked.scheduler, asked.mechanisms)
    if plot is not None:
        require_matplotlib()
        check_format(plot)
    say = speaker(quiet=quiet)
    loaded = asked.source.load()
    require_machine(loaded.workload)
    many = processes or processors()
    with told_of_compilation(say):
        valued = ensure(
            loaded.workload, asked.utilities, asked.seeds.utilities, classes=asked.classes, say=say
        )
        require_values(valued.workload)
        prove_writable(out)
        found = _audit(asked, valued.workload, many, say, quiet=quiet)
        replies = _replies(asked, valued.workload, many, say, quiet=quiet)
    rows = summarise(found)
    provenance = asked.to_dict() | {"utilities": valued.utilities}
    files = write_audit(out, valued.workload, found, rows, replies, provenance)
    if plot is not None:
        path = out / f"{FIGURE}.{plot}"
        save(partial(draw, rows, PAGE, found.scheduler), path)
        files.append(path)
    say(f"wrote {', '.join(path.name for path in files)} in {out}")
    if json:
        print_json(document(found, rows, replies, provenance))
    else:
        print_audit(found, rows, replies)


def _audit(asked: Asked, workload: Workload, processes: int, say: Say, *, quiet: bool) -> Audit:
    with Progress("lying about one job after the other", quiet=quiet) as progress:
        return audit(
            workload,
            asked.scheduler,
            asked.mechanisms,
            asked.design,
            classes=asked.classes,
            seed=asked.seeds.scheduler,
            processes=processes,
            on_progress=progress,
            on_compile=partial(say, COMPILING),
        )


def _replies(
    asked: Asked, workload: Workload, processes: int, say: Say, *, quiet: bool
) -> tuple[Reply, ...]:
    if asked.game is None:
        return ()
    with Progress("answering lies by lies", quiet=quiet) as progress:
        return respond(
            workload,
            asked.scheduler,
            asked.mechanisms,
            asked.design,
            asked.game,
            classes=asked.classes,
            seed=asked.seeds.scheduler,
            processes=processes,
            on_progress=progress,
            on_compile=partial(say, COMPILING),
        )
