"""The lower bound: a bare aiohttp loop that only sends the requests and parses the replies."""

import asyncio
import json
from collections.abc import Iterator

import aiohttp
from figures import CONCURRENCY, EXPECTED, Job, measured


async def ask_all(job: Job, count: int) -> int:
    """Ask so many questions and return how many answers contain the expected words."""
    numbers = iter(range(count))
    # a pool without a limit, as in any fast client: connections are kept open and reused
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        workers = (_work(job, session, numbers) for _ in range(CONCURRENCY))
        return sum(await asyncio.gather(*workers))


async def _work(job: Job, session: aiohttp.ClientSession, numbers: Iterator[int]) -> int:
    right = 0
    url = f"{job.base_url}/chat/completions"
    for number in numbers:
        async with session.post(url, json=job.request(number)) as response:
            reply = json.loads(await response.read())
        right += EXPECTED in reply["choices"][0]["message"]["content"]
    return right


if __name__ == "__main__":
    job = Job()
    asyncio.run(ask_all(job, 1))
    with measured(job.folder):
        assert asyncio.run(ask_all(job, job.count)) == job.count
