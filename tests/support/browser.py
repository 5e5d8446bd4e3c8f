"""A real browser for tests of pages: Debian's Chromium, controlled by Playwright.

If no browser is installed, the tests fail and say how to install one. ``ASSAY_NO_BROWSER=1`` skips
them.
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
    """No browser is installed."""


def wanted() -> bool:
    """Whether tests that need a browser should run."""
    return os.environ.get(LEFT_OUT) != "1"


def find_browser() -> str:
    """The path of the first installed browser of ``NAMES``; raises ``NoBrowser`` if none is."""
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    raise NoBrowser(
        f"no browser found ({', '.join(NAMES)}): install one with `apt-get install chromium`, "
        f"or skip the browser tests with {LEFT_OUT}=1"
    )


@contextmanager
def browser() -> Iterator[Browser]:
    """A headless browser that is closed at the end of the block."""
    program = find_browser()
    with sync_playwright() as playwright:
        instance = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        try:
            yield instance
        finally:
            instance.close()
