"""The page: a local server with a JSON interface, and the same page as one file.

The door loads what is asked for: a check of a text (``assay.web.configure``) runs in a process of
its own, which needs no server.
"""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.web.library import Library
    from assay.web.serve import ServeOptions, check_options, open_browser
    from assay.web.serve import serve as serve_page
    from assay.web.site import shown_size, site_files, write_page, write_site
    from assay.web.token import read_token, user_token
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "Library": "library",
            "ServeOptions": "serve",
            "check_options": "serve",
            "open_browser": "serve",
            "read_token": "token",
            "serve_page": "serve:serve",
            "shown_size": "site",
            "site_files": "site",
            "user_token": "token",
            "write_page": "site",
            "write_site": "site",
        },
    )

__all__ = [
    "Library",
    "ServeOptions",
    "check_options",
    "open_browser",
    "read_token",
    "serve_page",
    "shown_size",
    "site_files",
    "user_token",
    "write_page",
    "write_site",
]
