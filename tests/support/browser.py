"""A real browser for tests of pages: Debian's Chromium, driven by Playwright.

Without one the tests fail and say how to get it; ``ASSAY_NO_BROWSER=1`` leaves them out.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

LEFT_OUT = "ASSAY_NO_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class NoBrowser(AssertionError):
    """There is no browser to test with."""


def wanted() -> bool:
    """Whether tests that need a browser are to run."""
    return os.environ.get(LEFT_OUT) != "1"


def find_browser() -> str:
    """The program of the first browser there is."""
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    raise NoBrowser(
        f"no browser found ({', '.join(NAMES)}): install one with `apt-get install chromium`, "
        f"or leave browser tests out with {LEFT_OUT}=1"
    )


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser without a window, closed at the end."""
    program = find_browser()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        try:
            yield opened
        finally:
            opened.close()
