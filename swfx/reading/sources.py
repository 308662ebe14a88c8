"""Sources of workloads: files, standard input, logs of other formats, models, samples."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from swfx.archive.catalogue import ArchiveCache, find_log
from swfx.base.errors import InputError
from swfx.base.options import as_int, check_keys, nearest, split_lists
from swfx.families.annotation import Annotator
from swfx.families.annotators import ANNOTATORS, annotate_all, annotators_from, is_annotator_key
from swfx.families.formats.registry import IMPORTERS, Importer
from swfx.families.generators import find_model
from swfx.families.generators.registry import WorkloadModel
from swfx.reading.cleaning import OVER_REQUEST, RELATIVE
from swfx.reading.imports import cleaned, files_of, find_importer, import_log
from swfx.reading.reader import Cleaning, Loaded, read
from swfx.reading.streaming import ReadOptions
from swfx.workload import Workload
from swfx.writer import to_bytes

__all__ = [
    "DEFAULT_SAMPLE",
    "check_source",
    "every_run",
    "open_sized",
    "open_workload",
    "sample_names",
    "swf_file",
]

DEFAULT_SAMPLE = "market"
SAMPLE_SUFFIX = ".swfx.gz"
DEFAULT_JOBS = 1000
REQUEST = "requested_time"  # option of tables
SWF = {"swf", "swfx"}  # formats that are read without a name before the file


class _NamedBytes(io.BytesIO):
    """A binary stream whose name is what the user wrote, for messages and reports."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


def open_workload(
    text: str,
    *,
    jobs: slice | None = None,
    machine_size: int | None = None,
    cleaning: Cleaning = "standard",
) -> Loaded:
    """Load a workload from wherever `text` says.

    Parameters
    ----------
    text : str
        `model:NAME,key=value,...` (keys: `jobs`, default 1000; `seed`, default 0; those of the
        model; and `users`, `estimates`, `priorities`, each the name of a model whose own options
        are written `users.exponent=1`), `sample:NAME` (`sample:` alone is the default one),
        `archive:NAME` for a fetched log of the Parallel Workloads Archive, `FORMAT:FILE` or
        `FORMAT,key=value,...:FILE` for a log of another format (`slurm:sacct.txt`), whose FILE
        may be a pattern of several that are read as one (`pbs:accounting/2026*`), `-` for
        standard input, or a path. A file whose name begins like one of these is written
        `./model:...`.
    jobs : slice, optional
        Positions of jobs to keep, from 0, end excluded, before cleaning; jobs of another format
        are in the order of submission.
    machine_size : int, optional
        Processors of the machine, in place of what the header says.
    cleaning : {"standard", "strict", "lenient", "none"}
        As in `swfx.read`.

    Returns
    -------
    Loaded
        Workload and report; a model's notes are among the report's. Models go through the same
        reader as files, so every option means the same for them.

    Raises
    ------
    InputError
        An unknown model, sample or key (the message has the nearest known one), a value out of
        bounds, or whatever `swfx.read` refuses.

    Examples
    --------
    >>> len(open_workload("model:lublin,jobs=50,machine_size=64,seed=1").workload)
    50
    """
    kind, colon, rest = text.partition(":")
    if colon and kind == "model":
        stream, notes = _generate(text, rest)
    elif colon and kind == "sample":
        stream, notes = _NamedBytes(_sample(rest).read_bytes(), text), ()
    elif colon and (importer := find_importer(kind)):
        options = ReadOptions(jobs, machine_size, cleaning)
        return _in_minutes(cleaned(import_log(importer, rest), options), importer, rest)
    else:
        file = swf_file(text) or text
        return read(file, jobs=jobs, machine_size=machine_size, cleaning=cleaning)
    loaded = read(stream, jobs=jobs, machine_size=machine_size, cleaning=cleaning)
    of_log = (note for note in loaded.report.notes if not note.startswith(RELATIVE))
    report = dataclasses.replace(loaded.report, notes=(*notes, *of_log))
    return Loaded(loaded.workload, report)


def open_sized(
    text: str,
    size_of: Callable[[Workload], int],
    *,
    jobs: slice | None = None,
    cleaning: Cleaning = "standard",
) -> Loaded:
    """Load a workload; `size_of` gives the size of a machine that is otherwise unknown.

    Cleaning depends on that size, so `size_of` is given the jobs as they are without it. A log of
    another format is read once.

    Raises
    ------
    InputError
        As `open_workload`.
    """
    importer, file = _importer_and_file(text)
    log = import_log(importer, file) if importer else None

    def load(machine_size: int | None) -> Loaded:
        if importer and log:
            options = ReadOptions(jobs, machine_size, cleaning)
            return _in_minutes(cleaned(log, options), importer, file)
        return open_workload(text, jobs=jobs, machine_size=machine_size, cleaning=cleaning)

    loaded = load(None)
    if loaded.workload.machine_size is not None:
        return loaded
    return load(size_of(loaded.workload))


def _in_minutes(loaded: Loaded, importer: Importer, file: str) -> Loaded:
    """Say how to read requested times in minutes, where a note asks whether they are."""
    if not any(map(_asks_for_minutes, loaded.report.notes)):
        return loaded
    column = str(getattr(importer, REQUEST, None) or importer.defaults().get(REQUEST, ""))
    if not column or "@" in column:
        return loaded
    reader = importer.changed(f"{REQUEST}={column}@min").label.replace(":", ",", 1)
    remedy = f" If so, write: utilitysched check {quote(f'{reader}:{file}')}"
    notes = (f"{note}{remedy}" if _asks_for_minutes(note) else note for note in loaded.report.notes)
    return loaded._replace(report=dataclasses.replace(loaded.report, notes=tuple(notes)))


def _asks_for_minutes(note: str) -> bool:
    return note.startswith(OVER_REQUEST) and note.endswith("?")


def every_run(text: str) -> str:
    """Text of `open_workload` for the same log with all runs of jobs that ran more than once.

    >>> every_run("slurm,timezone=Europe/Paris:sacct.txt")
    'slurm,timezone=Europe/Paris,requeue=each:sacct.txt'
    >>> every_run("log.swf")
    'log.swf'

    Raises
    ------
    InputError
        An option of the format is not known.
    """
    importer, file = _importer_and_file(text)
    return f"{importer.every_run().label.replace(':', ',', 1)}:{file}" if importer else text


def _importer_and_file(text: str) -> tuple[Importer | None, str]:
    """Return the importer of the format before a colon, if there is one, and the text behind."""
    kind, colon, rest = text.partition(":")
    return find_importer(kind) if colon else None, rest


def swf_file(text: str) -> str | Path | None:
    """File in SWF that a text of `open_workload` names; None where it names something else.

    >>> swf_file("log.swf.gz"), swf_file("model:lublin")
    ('log.swf.gz', None)

    Raises
    ------
    InputError
        A log that is not fetched, or a name before a colon that stands for nothing.
    """
    kind, colon, rest = text.partition(":")
    if colon and kind == "archive":
        return ArchiveCache().find(find_log(rest))
    if colon and (kind in {"model", "sample"} or find_importer(kind)):
        return None
    _check_kind(text, kind, colon)
    return text


def _check_kind(text: str, kind: str, colon: str) -> None:
    """Refuse what looks like a format or a kind of source of another name, and is no file."""
    name = kind.partition(",")[0].strip()
    if colon and name and "/" not in name and not Path(text).exists():
        known = ("archive", "model", "sample", *IMPORTERS.names())
        file = text.partition(":")[2]
        raise InputError(
            f"no file has this name, and no format is named {name!r}",
            source=text,
            remedy=f"write {file} alone" if name in SWF else nearest(name, known),
        )


def sample_names() -> tuple[str, ...]:
    """Names of the packaged workloads.

    Examples
    --------
    >>> sample_names()
    ('market',)
    """
    files = (entry.name for entry in _samples().iterdir())
    return tuple(sorted(n.removesuffix(SAMPLE_SUFFIX) for n in files if n.endswith(SAMPLE_SUFFIX)))


def check_source(text: str) -> None:
    """Refuse what `open_workload` cannot open, without opening it: nothing is read or generated.

    Raises
    ------
    InputError
        An unknown model, sample, log or key, an unusable option, or a file that does not exist.
    """
    kind, colon, rest = text.partition(":")
    if colon and kind == "model":
        _Model.of(rest)
    elif colon and kind == "sample":
        _sample(rest)
    else:
        importer, _ = _importer_and_file(text)
        for file in files_of(rest) if importer else [str(swf_file(text))]:
            if not Path(file).is_file():
                raise InputError("no such file", source=str(file), remedy="give the path of a log")


class _Model(NamedTuple):
    """Model, annotators, number of jobs and seed in a text behind ``model:``."""

    generator: WorkloadModel
    annotators: tuple[Annotator, ...]
    jobs: int
    seed: int

    @classmethod
    def of(cls, rest: str) -> _Model:
        name, _, options_text = rest.partition(",")
        model_type = find_model(name.strip())
        source = f"model:{name.strip()}"
        options = split_lists(options_text, source)
        added = {key: options.pop(key) for key in list(options) if is_annotator_key(key)}
        known = ("jobs", "seed", *model_type.option_names(), *ANNOTATORS)
        check_keys(options, known, source, "utilitysched list models")
        jobs = as_int(options.pop("jobs", str(DEFAULT_JOBS)), source, "jobs")
        seed = as_int(options.pop("seed", "0"), source, "seed")
        annotators = annotators_from(added, source)
        return cls(model_type.from_options(options), annotators, jobs, seed)


def _generate(text: str, rest: str) -> tuple[_NamedBytes, tuple[str, ...]]:
    model = _Model.of(rest)
    generated, notes = model.generator.generate(model.jobs, model.seed)
    workload, more = annotate_all(generated, model.annotators, model.seed)
    return _NamedBytes(to_bytes(workload), text), (*notes, *more)


def _sample(name: str) -> Traversable:
    name = name or DEFAULT_SAMPLE
    if name not in sample_names():
        raise InputError(
            f"no sample is named {name!r}", source="sample", remedy=nearest(name, sample_names())
        )
    return _samples() / f"{name}{SAMPLE_SUFFIX}"


def _samples() -> Traversable:
    return resources.files("swfx") / "samples"
