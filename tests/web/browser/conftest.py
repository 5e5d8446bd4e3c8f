"""A real browser on real runs: served by ``assay view``, and inside a file.

A page must stay quiet to its end: no error in the console, no request to any other address.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from assay.web.embedded import REMEDY, is_built
from tests.support.browser import browser, require_browser
from tests.support.command_server import shared_server
from tests.support.page_runs import shared_runs

WAIT_MS = 60_000
"""How long a page may take on the busiest machine to show what is expected of it."""
expect.set_options(timeout=WAIT_MS)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """These tests need a browser and the page's script."""
    require_browser()
    if not is_built():
        pytest.skip(REMEDY)


class _OpenBrowser:
    """One browser for all tests of this folder that follow each other.

    A fixture of the session would keep it too long: Playwright keeps an event loop running in the
    thread, and other tests need one of their own.
    """

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._browser: Browser | None = None

    def get(self) -> Browser:
        """The browser, which is opened if need be."""
        if self._browser is None:
            self._browser = self._stack.enter_context(browser())
        return self._browser

    def close(self) -> None:
        """Close the browser, if it is open."""
        self._browser = None
        self._stack.close()


_open = _OpenBrowser()


@pytest.fixture(name="chromium")
def _chromium() -> Browser:
    return _open.get()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close the browser after the last test of this folder."""
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        _open.close()


@pytest.fixture(name="runs", scope="session")
def _runs(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    base = tmp_path_factory.getbasetemp()
    return shared_runs((base if worker_id == "master" else base.parent) / "page-runs")


@pytest.fixture(name="worker_id", scope="session")
def _worker_id(request: pytest.FixtureRequest) -> str:
    """The worker of pytest-xdist, or "master" without it."""
    return str(getattr(request.config, "workerinput", {}).get("workerid", "master"))


@contextmanager
def serving(*words: str) -> Iterator[str]:
    """``assay view`` in a process of its own; yields the address that it prints."""
    line = ["view", "--no-open", "--port", "0", *words]
    with shared_server(os.environ).running(line, Path.cwd(), os.environ) as printed:
        yield next(found[0] for text in printed if (found := re.search(r"http\S+", text)))


@pytest.fixture(name="served", scope="session")
def _served(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    token = tmp_path_factory.mktemp("token") / "token"
    with serving(str(runs), "--token-file", str(token)) as address:
        yield address


def wait_for_frame(page: Page) -> None:
    """Wait until what just happened is on the page."""
    # a page that is not painted has no frames, and would be waited for without end
    page.evaluate(
        "() => new Promise(done => {"
        " requestAnimationFrame(() => setTimeout(done)); setTimeout(done, 2000) })"
    )


def wait_until_saved(page: Page) -> None:
    """Wait until the server has written what was changed just now."""
    wait_for_frame(page)
    expect(page.locator(".saving")).to_have_text("")


@dataclass(kw_only=True)
class Visit:
    """A page, and what it did besides showing itself."""

    page: Page
    address: str
    faults: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def go(self, hash_: str) -> Page:
        """Open a view and wait for its data."""
        self.page.evaluate("hash => { location.hash = hash }", hash_)
        return self.settle()

    def go_without_settling(self, hash_: str) -> Page:
        """Open a view as it is before its data comes."""
        self.page.evaluate("hash => { location.hash = hash }", hash_)
        return self.page

    def run(self, run: str, rest: str = "overview") -> Page:
        """Open a part of a run."""
        return self.go(f"#/run/{quote(run, safe='')}/{rest}")

    def settle(self) -> Page:
        """Wait until nothing is being loaded."""
        wait_for_frame(self.page)
        busy = ".loading, .waiting, .match-count[aria-busy=true]"
        self.page.locator(busy).first.wait_for(state="detached")
        assert self.page.locator(".failure").count() == 0, self.page.locator(
            ".failure"
        ).inner_text()
        return self.page


Opener = Callable[..., Visit]


@pytest.fixture(name="visit")
def _visit(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Opens the served page; the context's words (language, colours, size) are those of a reader."""
    contexts: list[tuple[BrowserContext, Visit]] = []

    def open_page(address: str = "", **words: Any) -> Visit:
        address = address or request.getfixturevalue("served")
        given = {"viewport": {"width": 1280, "height": 800}, "locale": "en-US"} | words
        context = chromium.new_context(**given)
        page = context.new_page()
        visit = Visit(page=page, address=address)
        page.on("console", lambda said: visit.faults.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: visit.faults.append(str(error)))
        page.on("request", lambda request: visit.requests.append(request.url))
        contexts.append((context, visit))
        page.goto(address)
        visit.settle()
        return visit

    yield open_page
    for context, visit in contexts:
        title = visit.page.title()
        context.close()
        assert visit.faults == []
        own = (visit.address.split("?")[0], "data:", "blob:")
        assert [url for url in visit.requests if not url.startswith(own)] == []
        assert title not in {"owned", "1"}
