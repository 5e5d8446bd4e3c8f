"""Scrolling the questions of a large run in a real browser: the tasks of the page's own thread.

Usage: ``scroll_task.py JOURNAL``. Serves the folder of the run with ``assay view``, scrolls by the
wheel, in leaps and by keys, and prints one JSON line. The browser's own trace says for each task of
the page's thread how long it took and how much of that was CPU time: on a busy machine only the
second is the page's doing.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import CDPSession, Page, Response

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.browser import browser

CATEGORIES = ("toplevel", "__metadata", "disabled-by-default-devtools.timeline")
RUN_TASK = {"ThreadControllerImpl::RunTask", "RunTask"}
WHEEL_STEPS = 120
LEAPS = 40
_OPEN_MS = 120_000


def scroll(journal: Path) -> dict[str, Any]:
    """Open the run, scroll, and return the longest task, the most rows and the largest reply."""
    with serving(journal.parent) as address, browser() as chromium:
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        sizes: list[int] = []
        page.on("response", lambda response: sizes.append(_size(response)))
        page.goto(address)
        page.evaluate("hash => { location.hash = hash }", f"#/run/{quote(journal.stem)}/questions")
        page.locator(".items-scroll [role=row]").first.wait_for(timeout=_OPEN_MS)
        page.wait_for_timeout(1_000)
        session = page.context.new_cdp_session(page)
        with traced(session, page) as tasks:
            most_rows = _scroll(page)
    return {
        "tasks": len(tasks),
        "longest_cpu_ms": max(cpu for _, cpu in tasks),
        "longest_ms": max(wall for wall, _ in tasks),
        "most_rows": most_rows,
        "largest_reply_mb": max(sizes) / 1e6,
    }


def _scroll(page: Page) -> int:
    """Scroll by the wheel, in leaps and by keys; returns the most row elements that were there."""
    frame = page.locator(".items-scroll")
    most_rows = 0
    frame.hover()
    for step in range(WHEEL_STEPS):
        page.mouse.wheel(0, 400 if step % 3 else 1_600)
        if step % 10 == 0:
            most_rows = max(most_rows, frame.locator("[role=row]").count())
    for leap in range(LEAPS):
        share = (leap * 0.618) % 1
        frame.evaluate(
            "(element, share) => element.scrollTo({ top: element.scrollHeight * share })", share
        )
        page.wait_for_timeout(30)
        most_rows = max(most_rows, frame.locator("[role=row]").count())
    for _ in range(LEAPS):
        page.keyboard.press("j")
    page.wait_for_timeout(500)
    return most_rows


@contextmanager
def traced(session: CDPSession, page: Page) -> Iterator[list[tuple[float, float]]]:
    """The tasks of the page's thread during the block: milliseconds, and those of CPU."""
    events: list[dict[str, Any]] = []
    is_over: list[bool] = []
    tasks: list[tuple[float, float]] = []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda _: is_over.append(True))
    session.send(
        "Tracing.start",
        {"transferMode": "ReportEvents", "traceConfig": {"includedCategories": [*CATEGORIES]}},
    )
    page.evaluate("() => performance.mark('page-thread')")
    yield tasks
    session.send("Tracing.end")
    while not is_over:
        page.wait_for_timeout(50)
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"].get("name") == "CrRendererMain"
    }
    tasks.extend(
        (event["dur"] / 1e3, event.get("tdur", event["dur"]) / 1e3)
        for event in events
        if event["name"] in RUN_TASK and (event["pid"], event["tid"]) in main and "dur" in event
    )


def _size(response: Response) -> int:
    """The bytes of a reply to the page's script; the page itself and its script are not counted."""
    if "/api/" not in response.url:
        return 0
    return int(response.headers.get("content-length", "0"))


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """``assay view`` in a process of its own; yields the address that it prints."""
    words = ("view", str(folder), "--no-open", "--port", "0", "--token-file", str(folder / "token"))
    command = [sys.executable, "-m", "assay", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield next(
                match[0] for line in process.stdout if (match := re.search(r"http\S+", line))
            )
        finally:
            process.terminate()
            process.stdout.read()


if __name__ == "__main__":
    print(json.dumps(scroll(Path(sys.argv[1]))))
