"""The command line: each command parses, calls the library, and prints.

`utilitysched.cli.main` is the entry point; one file per command is beside it.
"""

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; see `utilitysched.cli.entry.run`."""
    import gc
    import sys

    gc.set_threshold(100_000)  # looking for garbage among what imports make takes 0.1 s of a start
    try:
        from utilitysched.cli.entry import run

        code = run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # while still importing
        code = 130
    sys.exit(code)
