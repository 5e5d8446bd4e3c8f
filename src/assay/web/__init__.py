"""The page: a local server with a JSON interface, and the same page as one file."""

from assay.web.library import Library
from assay.web.serve import ServeOptions, check_options, open_browser, serve
from assay.web.site import shown_size, write_page, write_site
from assay.web.token import read_token, user_token

__all__ = [
    "Library",
    "ServeOptions",
    "check_options",
    "open_browser",
    "read_token",
    "serve",
    "shown_size",
    "user_token",
    "write_page",
    "write_site",
]
