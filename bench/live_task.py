"""The programs of the benchmark of live runs: ``live_task.py NAME …``; each prints JSON.

``run`` records cases at a steady pace of more than a thousand a second. ``read`` reads the rows of the
run by several connections at once and compares them with the journal; ``watch`` reads progress.
"""

import asyncio
import json
import re
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import ClientSession, ClientTimeout, TCPConnector
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

    async def one(session: ClientSession, number: int) -> bytes:
        response = await _opened(session, f"{address}api/v1/events?run=run")
        if number == 0:
            await asyncio.sleep(float(asleep_s))
        text = await response.read()
        response.close()
        return text

    texts = asyncio.run(_together(one, int(readers), token))
    found = [re.findall(rb"event: row\ndata: (.*)\n\n", text) for text in texts]
    wanted = Path(journal).read_bytes().splitlines()
    return {
        "rows": [len(rows) for rows in found],
        "is_same": all(rows == wanted for rows in found),
        "cpu_s": time.process_time(),
    }


def watch(address: str, token: str, readers: str, _journal: str, _asleep_s: str) -> dict[str, Any]:
    """Read progress by several connections until the run has ended; how many events each got."""

    async def one(session: ClientSession, _: int) -> int:
        response, events = await _opened(session, f"{address}api/v1/events"), 0
        async for line in response.content:
            if line.startswith(b"data: ") and b'"is_running"' in line:
                events += 1
                if b'"is_running":false' in line:
                    break
        response.close()
        return events

    events = asyncio.run(_together(one, int(readers), token))
    return {"events": events, "cpu_s": time.process_time()}


async def _opened(session: ClientSession, address: str) -> Any:
    """A stream; it is tried again until the run is there."""
    while True:
        response = await session.get(address)
        if response.status == 200:
            return response
        response.close()
        await asyncio.sleep(0.05)


async def _together(one: Any, readers: int, token: str) -> list[Any]:
    async with ClientSession(
        headers={"Authorization": f"Bearer {token}"},
        timeout=ClientTimeout(total=None),
        connector=TCPConnector(limit=0),
        read_bufsize=1 << 22,
    ) as session:
        return await asyncio.gather(*(one(session, number) for number in range(readers)))


if __name__ == "__main__":
    task = {"run": run, "read": read, "watch": watch}[sys.argv[1]]
    print(json.dumps(msgspec.to_builtins(task(*sys.argv[2:]))))
