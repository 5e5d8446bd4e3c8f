"""A run from its start to its end in a real browser, with a model that fails and a server that dies."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assay.runs.write import writer_of
from tests.support.live_workspace import RUN, live_workspace
from tests.support.model_fault import Fault, RandomFaults
from tests.support.model_server import ModelServer
from tests.web.browser.conftest import WAIT_MS, wait_until_saved

QUESTIONS = 30
CASES = 4 * QUESTIONS
"""Two variables with two values each."""
FAULTS = ((Fault(kind="error_500"), 0.05), (Fault(kind="truncated_json"), 0.05))
TRIES = """
const target = "%s";
const body = JSON.stringify({job: "ablation", options: {experiment: "tone", resume: "fresh"}});
const kinds = ["application/json", "text/plain"];
const tries = kinds.flatMap(kind => ["cors", "no-cors"].map(mode => fetch(target + "api/v1/start", {
  method: "POST", mode, credentials: "include", body,
  headers: {"Content-Type": kind, ...(mode === "cors" ? {"X-Assay-Request": "1"} : {})},
})));
tries.push(fetch(target + "api/v1/runs/experiments%%2Ftone/stop", {
  method: "POST", mode: "no-cors", credentials: "include", body: "{}"}));
tries.push(fetch(target + "api/v1/workspace", {credentials: "include"}));
new EventSource(target + "api/v1/events", {withCredentials: true})
  .addEventListener("runs", () => { document.title = "heard"; });
Promise.allSettled(tries).then(all => {
  const read = all.filter(one => one.status === "fulfilled" && one.value.type !== "opaque").length;
  document.title = read ? "read" : document.title || "nothing";
});
"""


@pytest.fixture(name="model")
def _model() -> Iterator[ModelServer]:
    with ModelServer(latency_s=0.3, faults=RandomFaults(FAULTS, seed=3, at_most=2)) as server:
        yield server


@pytest.fixture(name="root")
def _root(tmp_path: Path, model: ModelServer) -> Iterator[Path]:
    root = live_workspace(tmp_path / "w", model.base_url, QUESTIONS)
    yield root
    owner = writer_of(root / f"{RUN}.jsonl")
    if owner is not None:
        os.kill(owner.process, signal.SIGKILL)


class View:
    """``assay view`` on one port, which can be killed and started again."""

    def __init__(self, root: Path, token: Path) -> None:
        self._root = root
        self._token = token
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        """The address with its token."""
        return f"http://127.0.0.1:{self._port}/?token={self._token.read_text().strip()}"

    def start(self) -> None:
        """Start the server and wait for its address."""
        words = ["view", "--no-open", "--port", str(self._port), "--token-file", str(self._token)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "assay", *words],
            cwd=self._root,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        next(line for line in self.process.stdout if "http" in line)

    def kill(self) -> None:
        """End the server without a word."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


@pytest.fixture(name="view")
def _view(root: Path, tmp_path: Path) -> Iterator[View]:
    view = View(root, tmp_path / "token")
    view.start()
    yield view
    view.kill()


def done(page: Page) -> int:
    """How many cases the panel of a run says are done; -1 if it does not go on."""
    found = page.locator(".live-panel [role=progressbar]")
    return int(found.get_attribute("aria-valuenow") or 0) if found.count() else -1


def wait_for_more(page: Page, cases: int) -> int:
    """Wait until the panel shows more than this many cases."""
    bar = '.live-panel [role="progressbar"]'
    page.wait_for_function(
        f"cases => Number(document.querySelector('{bar}')?.ariaValueNow ?? -1) > cases",
        arg=cases,
        timeout=WAIT_MS,
    )
    return done(page)


def configure(page: Page, model: ModelServer) -> None:
    """An ablation of two variables of a new OpenAI-type system, from nothing, and saved."""
    status = page.locator(".title-line [role=status]")
    page.get_by_role("link", name="Set up an experiment").first.click()
    expect(status).not_to_have_text("checking…")
    page.locator(".new-system summary").click()
    page.get_by_label("Kind").select_option("openai")
    for name, text in (("name", "fresh"), ("url", model.base_url), ("model", "clerk")):
        page.locator(f"input[name=system-{name}]").fill(text)
    page.get_by_role("button", name="Add it").click()
    system = page.get_by_label("System", exact=True)
    expect(system.locator("option", has_text="fresh")).to_have_count(1)
    page.locator("input[name=name]").fill("tone")
    page.get_by_label("Questions", exact=True).select_option("questions.jsonl")
    system.select_option("fresh")
    page.locator(".test-question summary").click()
    page.get_by_label("Ask a test question").fill("How long is the notice period?")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator(".test-question [role=status]")).to_contain_text("Answer after")
    page.get_by_label("every combination").check()
    expect(status).not_to_have_text("checking…")
    page.get_by_label("Variable", exact=True).select_option("system_prompt")
    page.get_by_label("Values").first.fill("brief, kind")
    page.get_by_role("button", name="Add a variable").click()
    page.get_by_label("Variable", exact=True).nth(1).select_option("temperature")
    page.get_by_label("Values").nth(1).fill("0, 1")
    page.get_by_label("Values").nth(1).blur()
    page.get_by_label("Metric that decides").select_option("cite_ok_rate")
    expect(page.locator(".dry-run")).to_contain_text(f"{CASES} (0 recorded)")
    expect(status).not_to_have_text("checking…")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Start it…").click()


def label_ten(page: Page, person: str, key: str) -> None:
    """One answer blind of each of ten questions; equal answers of two variants are one."""
    page.get_by_role("link", name="Label answers").first.click()
    page.get_by_label("Your name").fill(person)
    page.get_by_role("button", name="Start").click()
    for _ in range(10):
        page.locator(".label-card.active").wait_for()
        before = page.locator(".asked-text").inner_text()
        known = page.locator(".label-progress progress").get_attribute("value") or "0"
        page.keyboard.press(key)
        expect(page.locator(".label-progress progress")).not_to_have_attribute("value", known)
        wait_until_saved(page)
        page.keyboard.press("n")
        expect(page.locator(".asked-text")).not_to_have_text(before)
    page.get_by_role("link", name="Labels").first.click()


@pytest.mark.slow
def test_the_whole_story_from_nothing_to_the_agreement_of_two_people(
    chromium: Browser, view: View, root: Path, model: ModelServer
):
    """Configured, estimated, started, watched, stopped; resumed from a terminal; labelled blind.

    The model fails now and then. The server is killed on the way; the run goes on, and the page finds
    it again.
    """
    journal = root / f"{RUN}.jsonl"
    (root / "experiments" / "experiments.yaml").unlink()
    context = chromium.new_context(locale="en-US", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(view.address)
    configure(page, model)
    page.get_by_label("Cases at the same time").fill("2")
    expect(page.locator(".start-side code").first).to_have_text(
        "assay ablate --experiment=tone --concurrency=2"
    )
    page.get_by_role("button", name="Start", exact=True).click()
    wait_for_more(page, 3)
    assert "/run/" in page.url
    expect(page.locator(".live-values")).to_contain_text("has no value so far")
    expect(page.locator(".last-answers li").first).to_contain_text("contract")
    owner = writer_of(journal)

    seen = done(page)
    view.kill()
    expect(page.locator(".connection")).to_contain_text("does not answer")
    view.start()
    wait_for_more(page, seen)
    expect(page.locator(".connection p")).to_have_count(0)
    assert writer_of(journal) == owner  # the same process all the time

    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Go on").wait_for()
    rows = len(journal.read_bytes().splitlines())
    assert 0 < rows < CASES

    model._latency_s = 0.05
    words = [sys.executable, "-m", "assay", "ablate", "-e", "tone", "--concurrency", "8"]
    with subprocess.Popen(words, cwd=root, stdout=subprocess.DEVNULL) as terminal:
        wait_for_more(page, rows)
        assert terminal.wait() == 0
    page.locator(".run-title .state.complete").wait_for()
    expect(page.locator(".live-panel")).to_have_count(0)
    page.get_by_role("link", name="Labels").first.click()
    label_ten(page, "Анна", "g")
    page.evaluate("localStorage.removeItem('assay.labeller')")
    page.reload()
    label_ten(page, "Wei", "b")
    expect(page.locator(".label-agreement")).to_contain_text("Wei and Анна")
    context.close()
    ended = Counter(json.loads(line)["key"] for line in journal.read_bytes().splitlines())
    assert len(ended) == CASES
    assert set(ended.values()) == {1}


@contextmanager
def other_site(script: str) -> Iterator[str]:
    """A page of another origin on this computer: of the same site, so that cookies are sent to it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f"<!doctype html><title></title><script>{script}</script>".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_request(self, code: object = "-", size: object = "-") -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_another_site_in_the_same_browser_changes_nothing(
    chromium: Browser, view: View, root: Path
):
    """The user is logged in, and the browser sends the cookie to the other port as well."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(view.address)
    page.get_by_role("link", name="New run").wait_for()
    own = view.address.partition("?")[0]
    with other_site(TRIES % own) as address:
        stranger = context.new_page()
        stranger.goto(address)
        stranger.wait_for_function("document.title !== ''")
        assert stranger.title() == "nothing"
        form = f'<form method="post" action="{own}api/v1/start"><input name="job" value="ablation">'
        stranger.set_content(f"{form}<button>go</button></form>")
        stranger.get_by_role("button").click()
        stranger.wait_for_function("document.body.innerText.includes('error')")
    context.close()
    assert not (root / ".assay").exists()
    assert not (root / f"{RUN}.jsonl").exists()
