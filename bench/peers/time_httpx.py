"""A bare client with httpx: it takes the time around each call."""

import asyncio
import time
from collections.abc import Iterator

import httpx
from latencies import TimedJob, print_pairs


async def main() -> None:
    """Send all requests, as many at once as asked for."""
    job = TimedJob()
    numbers = iter(range(job.count))
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(limits=limits, timeout=60.0) as client:
        workers = (_work(job, client, numbers) for _ in range(job.concurrency))
        print_pairs([pair for pairs in await asyncio.gather(*workers) for pair in pairs])


async def _work(
    job: TimedJob, client: httpx.AsyncClient, numbers: Iterator[int]
) -> list[tuple[float, float]]:
    pairs = []
    for number in numbers:
        began_s = time.perf_counter()
        response = await client.post(f"{job.base_url}/chat/completions", json=job.request(number))
        elapsed_s = time.perf_counter() - began_s
        pairs.append((elapsed_s, float(response.json()["choices"][0]["message"]["content"])))
    return pairs


if __name__ == "__main__":
    asyncio.run(main())
