"""`utilitysched schedulers`."""

from utilitysched.cli.options import Json

EPILOG = """\b
Options follow the name: saf:placement=conservative,threshold=200000
Other distributions add orderings, placements and schedulers through entry points.
"""


def schedulers(json: Json = False) -> None:
    """List schedulers, their options and defaults."""
    from utilitysched.report.catalogue import catalogue, print_schedulers
    from utilitysched.report.console import print_json

    entries = catalogue()
    if json:
        print_json({"schedulers": [entry._asdict() for entry in entries]})
    else:
        print_schedulers(entries)
