"""A real browser for tests of pages, controlled by Playwright.

It is the Chromium or Chrome of the machine, otherwise the one of ``tests/chromium``, which ``make
test`` installs. ``ASSAY_NO_BROWSER=1`` leaves these tests out.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from playwright.sync_api import Browser, sync_playwright

from assay.report.chart.bundled_font import bundled_font
from tests.chromium import install
from tests.chromium.install import FONTS, LEFT_OUT, LIBRARIES, NOT_SERVED, PROGRAM, REMEDY

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


def require_browser() -> None:
    """Skip a test or a file if browsers are left out, or cannot be had on this platform.

    Called outside fixtures, it is the place that pytest reports: once for all tests.
    """
    reason = ""
    if os.environ.get(LEFT_OUT) == "1":
        reason = f"{LEFT_OUT}=1 leaves browser tests out"
    elif install.browser_of_machine() is None and not install.is_served():
        reason = NOT_SERVED
    if reason:
        pytest.skip(reason, allow_module_level=True)


def find_browser() -> str:
    """The browser of this machine, otherwise that of the tests; raises ``NoBrowser`` without any."""
    program = install.browser_of_machine()
    if program is not None:
        return program
    if install.is_installed():
        return str(PROGRAM)
    raise NoBrowser(f"no browser: {REMEDY}")


@contextmanager
def browser() -> Iterator[Browser]:
    """A headless browser that is closed at the end of the block, and leaves nothing behind."""
    program = find_browser()
    with (
        tempfile.TemporaryDirectory(prefix="assay-", ignore_cleanup_errors=True) as scratch,
        sync_playwright() as playwright,
    ):
        instance = playwright.chromium.launch(
            executable_path=program, args=list(ARGUMENTS), env=_environment(program, Path(scratch))
        )
        try:
            yield instance
        finally:
            instance.close()


def _environment(program: str, scratch: Path) -> dict[str, str]:
    """The variables of the browser's process, and of no other."""
    environment = {**os.environ, "TMPDIR": str(scratch)}
    if program == str(PROGRAM):
        libraries = (str(LIBRARIES), os.environ.get("LD_LIBRARY_PATH"))
        environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, libraries))
        environment["FONTCONFIG_FILE"] = str(_write_fonts(scratch))
    return environment


def _write_fonts(scratch: Path) -> Path:
    """Let the pages have the same letters on every machine, Chinese ones among them."""
    chinese = bundled_font()
    folders = [FONTS, *([chinese.parent] if chinese else [])]
    lines = "".join(f"<dir>{escape(str(folder))}</dir>" for folder in folders)
    file = scratch / "fonts.conf"
    file.write_text(
        f"<fontconfig>{lines}<cachedir>{escape(str(scratch))}</cachedir></fontconfig>",
        encoding="utf-8",
    )
    return file
