"""`utilitysched list schedulers|mechanisms|models|transformations|formats`."""

from typing import TYPE_CHECKING, Any

from utilitysched.cli.layout import CommandFamily, Commands
from utilitysched.cli.shared import Json

if TYPE_CHECKING:
    from swfx.base.registry import Registry

EPILOGS = {
    "schedulers": """\b
Options follow the name: saf:placement=conservative,threshold=200000
Other distributions add orderings, placements and schedulers through entry points.
""",
    "mechanisms": """\b
Options follow the name: --mechanism single-price:rate=0.5
Other distributions add mechanisms through entry points.
""",
    "models": """\b
Options follow the name: --users zipf:groups=5, --checkpoints survey:jobs=0.2; those of a workload
stand behind commas, those of its users, requests and queues with their key before them:
  model:lublin,jobs=5000,machine_size=256,users=zipf,users.groups=5
Other distributions add models through entry points.
""",
    "transformations": """\b
Options follow the name: --apply scale-load:load=0.85 --apply nodes:per=8,count=260
Other distributions add transformations through entry points.
""",
    "formats": """\b
A log is read as FORMAT:FILE or FORMAT,key=value,...:FILE, slurm:sacct.txt
or slurm,timezone=Europe/Paris:sacct.txt; SWF needs no prefix.
Other distributions add formats through entry points.
""",
}


def schedulers(json: Json = False) -> None:
    """List schedulers, their options and defaults."""
    from utilitysched.report.listings import catalogue, print_schedulers
    from utilitysched.report.terminal import print_json

    entries = catalogue()
    if json:
        print_json({"schedulers": [entry._asdict() for entry in entries]})
    else:
        print_schedulers(entries)


def mechanisms(json: Json = False) -> None:
    """List price mechanisms, their options and defaults."""
    from pricing.registry import MECHANISMS

    _list_members("mechanisms", MECHANISMS, json=json)


def models(json: Json = False) -> None:
    """List models of workloads, users, requests, queues, utilities and checkpoints.

    With their options and defaults. Of a workload's model, `CLASS.PARAMETER` are not listed.
    """
    from utilitysched.report.listings import model_families, print_families
    from utilitysched.report.terminal import print_json

    families = model_families()
    if json:
        print_json(
            {name: [member._asdict() for member in members] for name, _, members in families}
        )
    else:
        print_families(families)


def transformations(json: Json = False) -> None:
    """List transformations of workloads, their options and defaults."""
    from swfx.families.transforms import TRANSFORMS

    _list_members("transformations", TRANSFORMS, json=json)


def formats(json: Json = False) -> None:
    """List formats that workloads are read from and written in."""
    from utilitysched.report.listings import formats as known_formats
    from utilitysched.report.listings import print_formats
    from utilitysched.report.terminal import print_json

    if json:
        print_json(
            {way: [each._asdict() for each in known] for way, known in known_formats().items()}
        )
    else:
        print_formats()


def _list_members(kind: str, registry: "Registry[Any]", *, json: bool) -> None:
    """List the members of a family under a name of theirs."""
    from utilitysched.report.listings import members, print_members
    from utilitysched.report.terminal import print_json

    entries = members(registry)
    if json:
        print_json({kind: [member._asdict() for member in entries]})
    else:
        print_members(entries)


app = Commands(
    cls=CommandFamily,
    help="List schedulers, mechanisms, models, formats and so on.",
)
for listing in (schedulers, mechanisms, models, transformations, formats):
    app.command(listing.__name__, epilog=EPILOGS[listing.__name__])(listing)
