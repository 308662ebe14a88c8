"""`utilitysched transformations`."""

from utilitysched.cli.options import Json

EPILOG = """\b
Options follow the name: --apply scale-load:load=0.85 --apply nodes:per=8,count=260
Other distributions add transformations through entry points.
"""


def transformations(json: Json = False) -> None:
    """List transformations of workloads, their options and defaults."""
    from swfx.families.transforms import TRANSFORMS
    from utilitysched.report.console import print_json
    from utilitysched.report.members import members, print_members

    found = members(TRANSFORMS)
    if json:
        print_json({"transformations": [member._asdict() for member in found]})
    else:
        print_members(found)
