"""The market in a browser: pages for users and operators, and the same as JSON for programs.

`utilitysched.web.application.application` makes the server of a `Site`.
"""
