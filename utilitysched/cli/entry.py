"""The entry point: every way a command can fail becomes one line and an exit code."""

import errno
import io
import os
import re
import signal
import sys
import textwrap
from collections.abc import Sequence

from typer.exceptions import Abort, TyperException

from utilitysched.cli.app import PROGRAM, program
from utilitysched.cli.completion import whole_words
from utilitysched.cli.plugins import telling_of_broken
from utilitysched.report.visible import visible_output

BUG = 1
USAGE = 2
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
INTERRUPTED = 128 + signal.SIGINT
LINE = 80
"""Characters of an error's lines where standard error is no terminal."""

_COMMAND = re.compile(rf"{PROGRAM}( [a-z-]+){{1,2}}")

_SUGGESTION = re.compile(r"[. ]+\(?(?:Did you mean|Possible options:|one of:) ", re.IGNORECASE)
"""What typer writes before names that could be meant."""

SHOWN = 64
"""Characters of a file name that is too long."""


def run(arguments: Sequence[str]) -> int:
    """Run a command of the program.

    Parameters
    ----------
    arguments : sequence of str
        What follows the program's name.

    Returns
    -------
    int
        Exit code: 0 done; 2 the input or an option cannot be used; 130 stopped by Ctrl-C; 1 an
        error of our own: one line on standard error says why. Also 1, silently, if the reader of
        a pipe went away.
    """
    _show_everything()
    with visible_output():
        return _run(arguments)


def _run(arguments: Sequence[str]) -> int:
    try:
        with whole_words(), telling_of_broken():
            code = program()(list(arguments), prog_name=PROGRAM, standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:  # what typer makes of Ctrl-C
            raise KeyboardInterrupt  # noqa: TRY301 - told like any other failure, below
    except BrokenPipeError:
        return _reader_gone()
    except (Exception, KeyboardInterrupt) as error:
        text, code = explained(error)
        if code == BUG and "--debug" in arguments:
            raise
        print(_filled(f"error: {text}"), file=sys.stderr)
        if _is_full(error):
            _drop_output()
    return int(code or 0)


def _filled(text: str) -> str:
    """Return a text in lines of the terminal's width; paths and commands stay whole."""
    from utilitysched.report.terminal import known_width  # brings rich, which --help does not need

    room = known_width(sys.stderr) or LINE
    whole = _COMMAND.sub(lambda command: command[0].replace(" ", "\xa0"), text)
    filled = textwrap.fill(
        whole, room, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return filled.replace("\xa0", " ")


def _show_everything() -> None:
    # headers hold any bytes, and tables blocks: what a terminal cannot show becomes ?
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def explained(error: BaseException) -> tuple[str, int]:
    """Return what to say about an error, in one line, and the exit code."""
    if isinstance(error, TyperException):
        return _usage(error), error.exit_code
    if isinstance(error, KeyboardInterrupt | Abort):
        return "interrupted; the files written so far are complete", INTERRUPTED
    if isinstance(error, MemoryError):
        return "not enough memory; try a slice with --jobs A:B", BUG
    if mistake := _of_the_user(error):
        return str(mistake), USAGE
    if isinstance(error, OSError) and (refusal := _outside(error)):
        return refusal, USAGE
    message = " ".join(str(error).split()) or "no message"
    request = f"this is a bug, please report it with what {PROGRAM} --debug ... prints"
    return f"unexpected {type(error).__name__}: {message}; {request}", BUG


def _of_the_user(error: BaseException) -> BaseException | None:
    """Return the error if the user can mend it: input, a plug-in, a package that is missing."""
    from swfx.base.errors import InputError  # brings numpy, which --help does not need
    from swfx.base.missing import missing_package
    from swfx.base.plugin_file import blamed

    if isinstance(error, InputError):
        return error
    missing = missing_package(error) if isinstance(error, ModuleNotFoundError) else None
    return blamed(error) or missing


def _usage(error: TyperException) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else PROGRAM
    message = " ".join(error.format_message().split()).rstrip(".?)")
    message, *names = _SUGGESTION.split(message)
    meant = f"did you mean {' or '.join(names[0].split(', '))}? " if names else ""
    return f"{message[:1].lower()}{message[1:]}; {meant}see {path} --help"


def _outside(error: OSError) -> str | None:
    """Say what the system refused that is not for us to mend."""
    if _is_full(error):
        return "standard output cannot be written: no space left; send it elsewhere"
    if error.errno == errno.ENAMETOOLONG:
        return f"{str(error.filename)[:SHOWN]}...: file name too long"
    return None


def _is_full(error: BaseException) -> bool:
    # files of ours tell their own name in an InputError: this is standard output
    return isinstance(error, OSError) and error.errno in FULL


def _reader_gone() -> int:
    _drop_output()
    return BUG


def _drop_output() -> None:
    # what is still buffered goes nowhere, without a second complaint at exit
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
