"""Options that mean the same in every command that has them, beside those of the library.

The types are parameters of commands; see `utilitysched.cli.derived`.
"""

from typing import Annotated

from swfx.base.document_values import whole
from swfx.base.typed import Typed

Json = Annotated[bool, Typed("--json", text="Print one JSON object and nothing else.")]
Quiet = Annotated[bool, Typed("--quiet -q", text="Print nothing but errors on standard error.")]

Digits = Annotated[
    int | None,
    whole(0),
    Typed("--digits N", shown="2", text="Decimals of numbers in tables, at most."),
]
"""Of the commands that print tables of metrics; see `utilitysched.cli.derived`."""

Machine = Annotated[
    int | None,
    whole(1),
    Typed("--machine-size N", shown="the log's header", text="Processors of the machine."),
]
LogMachine = Annotated[
    int | None,
    whole(1),
    Typed(
        "--machine-size N",
        shown="the log's header; else the most in use at a time",
        text="Processors of a log's machine.",
    ),
]
LogUtilities = Annotated[
    str | None,
    Typed(
        "--utilities SPEC",
        shown="the log's own",
        text="Utility functions of a log's jobs: curves:file=FILE.",
    ),
]

AT_HELP = "When: seconds on the log's clock, 12h or 2d after its beginning, or a date."
