"""The floor: a bare aiohttp loop that sends the requests and parses the replies, no more."""

import asyncio
import json
from collections.abc import Iterator

import aiohttp
from figures import CONCURRENCY, EXPECTED, Job, counted


async def ask_all(job: Job) -> int:
    """How many answers held what they should."""
    numbers = iter(range(job.count))
    # pooled like any client that means to be quick: connections are kept, none is refused
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
    given = Job()
    with counted(given.folder):
        assert asyncio.run(ask_all(given)) == given.count
