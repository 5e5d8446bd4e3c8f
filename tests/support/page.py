"""Runs and servers for tests of the page."""

import asyncio
import socket
from collections.abc import Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from aiohttp.test_utils import TestClient, TestServer

from assay.web.guard import Access
from assay.web.library import Library
from assay.web.server import make_app
from tests.support.journal import answered, failed, judged, skipped, write_header, write_rows

TOKEN = "a token that only tests know"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


def run(story: Coroutine[Any, Any, None]) -> None:
    """Run a story on a loop of its own; the thread of a test may have a browser's loop."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, story).result()


def never() -> bool:
    """Nobody cancels."""
    return False


def write_study(journal: Path, rows: Iterable[dict[str, Any]] | None = None) -> Path:
    """A run of two variants with every kind of outcome; ``off`` is worse on two questions."""
    given = list(rows) if rows is not None else study_rows()
    journal.parent.mkdir(parents=True, exist_ok=True)
    write_rows(journal, given)
    variants = list(dict.fromkeys(row["config"] for row in given))
    write_header(journal, variants, baseline=variants[0] if variants else "")
    return journal


def study_rows() -> list[dict[str, Any]]:
    """The rows of ``write_study``."""
    rows = []
    for number in range(8):
        name, source = f"q{number}", f"document {number % 2}"
        worse = number in {2, 5}
        rows.append(judged(name, "on", 1.0, source=source, abstained=False))
        rows.append(
            judged(name, "off", 0.5 if worse else 1.0, source=source, abstained=number == 5)
        )
    rows.append(judged("without", "on", None, question="Who signed the lease?"))
    rows.append(judged("without", "off", None))
    rows += [failed("broken", "on"), skipped("broken", "off")]
    rows += [answered("waiting", "on", question="?"), judged("waiting", "off", 0.0)]
    return rows


async def client_of(root: Path, **access: Any) -> TestClient[Any, Any]:
    """A client of the server of a folder, without a token of its own."""
    listener = socket.create_server(("127.0.0.1", 0))
    opened = Access(port=listener.getsockname()[1], token=TOKEN, **access)
    server = TestServer(make_app(Library(root), opened), socket_factory=lambda *_: listener)
    await server.start_server()
    return TestClient(server)
