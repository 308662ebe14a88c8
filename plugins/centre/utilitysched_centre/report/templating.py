"""Pages from the templates of this package."""

from utilitysched.report import templating


def render(template: str, **values: object) -> str:
    """Return a template filled in; texts are escaped, `markupsafe.Markup` is not."""
    return templating.environment(__package__).get_template(template).render(**values)
