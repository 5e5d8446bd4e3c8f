"""A bare client with aiohttp, which assay uses too: it takes the time around each call."""

import asyncio
import json
import time
from collections.abc import Iterator

import aiohttp
from latencies import TimedJob, print_pairs


async def main() -> None:
    """Send all requests, as many at once as asked for."""
    job = TimedJob()
    numbers = iter(range(job.count))
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        workers = (_work(job, session, numbers) for _ in range(job.concurrency))
        print_pairs([pair for pairs in await asyncio.gather(*workers) for pair in pairs])


async def _work(
    job: TimedJob, session: aiohttp.ClientSession, numbers: Iterator[int]
) -> list[tuple[float, float]]:
    pairs = []
    url = f"{job.base_url}/chat/completions"
    for number in numbers:
        began_s = time.perf_counter()
        async with session.post(url, json=job.request(number)) as response:
            body = await response.read()
        elapsed_s = time.perf_counter() - began_s
        reply = json.loads(body)
        pairs.append((elapsed_s, float(reply["choices"][0]["message"]["content"])))
    return pairs


if __name__ == "__main__":
    asyncio.run(main())
