"""The programs of the benchmark of live runs: ``live_task.py NAME …``; each prints JSON.

``run`` records cases at a steady pace of more than a thousand a second. ``read`` reads the rows of the
run by several connections at once and compares them with the journal; ``watch`` reads progress.
"""

import asyncio
import json
import re
import selectors
import socket
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import msgspec
from kernel_task import NoopSystem, Questions, ScoredHandler, plan_of, run_cases

from assay.records import Answer, Question

LATENCY_S = 0.03
TEXT = "Berth 12 costs a tenth less from November to March, as the harbour code says [1]. " * 8


class PacedSystem(NoopSystem):
    """A system that needs a moment for each answer, so that the pace does not depend on the CPU."""

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Return an answer of usual length after a moment."""
        await asyncio.sleep(LATENCY_S)
        return Answer(text=TEXT)


def run(journal: str, cases: str) -> dict[str, Any]:
    """Record the cases; the seconds that it took."""
    began = time.monotonic()
    run_cases(plan_of(Questions(int(cases)), 1), ScoredHandler(PacedSystem()), Path(journal))
    return {"seconds": time.monotonic() - began}


def read(address: str, token: str, readers: str, journal: str, asleep_s: str) -> dict[str, Any]:
    """Read all rows by several connections; the first takes nothing for ``asleep_s`` seconds."""
    path = "/api/v1/events?run=run"
    texts = _streams(address, token, path, int(readers), asleep_s=float(asleep_s))
    found = [re.findall(rb"event: row\ndata: (.*)\n\n", text) for text in texts]
    wanted = Path(journal).read_bytes().splitlines()
    return {"rows": [len(rows) for rows in found], "is_same": all(rows == wanted for rows in found)}


def watch(address: str, token: str, readers: str, _journal: str, _asleep_s: str) -> dict[str, Any]:
    """Read progress by several connections until the run has ended; how many events each got."""
    texts = _streams(address, token, "/api/v1/events", int(readers), last=b'"is_running":false')
    return {"events": [text.count(b"event: progress\n") for text in texts]}


def _streams(
    address: str, token: str, path: str, count: int, *, last: bytes = b"", asleep_s: float = 0.0
) -> list[bytes]:
    """What each reader got until its stream ended, or ``last`` came.

    Readers are programs on other machines; here they share the cores with the run. So this one only
    keeps what comes, and looks at it when everything was read.
    """
    opened = [_opened(address, token, path) for _ in range(count)]
    texts = {reader: bytearray(begun) for reader, begun in opened}
    waking_at = time.monotonic() + asleep_s
    asleep = [opened[0][0]] if asleep_s else []
    with selectors.DefaultSelector() as selector:
        for reader, _ in opened[len(asleep) :]:
            selector.register(reader, selectors.EVENT_READ)
        while asleep or selector.get_map():
            if asleep and time.monotonic() >= waking_at:
                selector.register(asleep.pop(), selectors.EVENT_READ)
            for key, _ in selector.select(1.0):
                reader = cast("socket.socket", key.fileobj)
                data = reader.recv(1 << 18)
                texts[reader] += data
                if not data or (last and last in data):
                    selector.unregister(reader)
    for reader in texts:
        reader.close()
    return [bytes(text) for text in texts.values()]


def _opened(address: str, token: str, path: str) -> tuple[socket.socket, bytes]:
    """A stream and what came with its headers; it is tried again until the run is there.

    An answer to HTTP 1.0 is not cut into chunks: what follows the headers are the events.
    """
    host = address.removeprefix("http://").strip("/")
    name, _, port = host.partition(":")
    asked = f"GET {path} HTTP/1.0\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n"
    while True:
        reader = socket.create_connection((name, int(port)))
        reader.sendall(asked.encode())
        answer = b""
        while b"\r\n\r\n" not in answer and (part := reader.recv(1 << 16)):
            answer += part
        if b" 200 " in answer.partition(b"\r\n")[0]:
            return reader, answer.partition(b"\r\n\r\n")[2]
        reader.close()
        time.sleep(0.05)


if __name__ == "__main__":
    task = {"run": run, "read": read, "watch": watch}[sys.argv[1]]
    print(json.dumps(msgspec.to_builtins(task(*sys.argv[2:]))))
