"""The page: a local server with a JSON interface, and the same page as one file."""

from assay.web.library import Library
from assay.web.serve import ServeOptions, check_options, open_browser, serve
from assay.web.site import shown_size, write_page, write_site
from assay.web.token import default_token_file, read_token

__all__ = [
    "Library",
    "ServeOptions",
    "check_options",
    "default_token_file",
    "open_browser",
    "read_token",
    "serve",
    "shown_size",
    "write_page",
    "write_site",
]
