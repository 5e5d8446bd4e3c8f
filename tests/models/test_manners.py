"""What a client must not do: carry keys away, or call on behalf of those who have left."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from assay.config.system import HttpConfig
from assay.errors import CaseError
from assay.models.cache import CallCache, RecordedReply
from assay.records import Question
from assay.systems import HttpSystem


def test_a_redirect_does_not_take_the_headers_along():
    """The other host sees no request at all; the user is told."""
    seen: list[str] = []

    async def scenario() -> None:
        async def catch(request: web.Request) -> web.Response:
            seen.append(request.headers.get("X-API-Key", ""))
            return web.json_response({"answer": "stolen"})

        other = web.Application()
        other.router.add_route("*", "/", catch)
        async with TestServer(other) as target:

            async def send_away(_: web.Request) -> web.Response:
                raise web.HTTPFound(str(target.make_url("/")))

            app = web.Application()
            app.router.add_post("/", send_away)
            async with TestServer(app) as server:
                config = HttpConfig(
                    url=str(server.make_url("/")), headers={"X-API-Key": "top-secret"}, retries=0
                )
                system = HttpSystem(config)
                try:
                    with pytest.raises(CaseError):
                        await system.ask(Question(id="q", text="?"), {}, 1)
                finally:
                    await system.close()

    asyncio.run(scenario())
    assert seen == []


def test_those_who_are_cancelled_together_make_no_further_call(tmp_path: Path):
    """When a whole run ends, no follower takes over the call that its leader gave up."""
    made: list[int] = []

    async def make() -> RecordedReply:
        made.append(1)
        await asyncio.sleep(3600)
        return RecordedReply(b"", 0.0)

    async def scenario() -> None:
        cache = CallCache(tmp_path / "calls.sqlite")
        tasks = [asyncio.create_task(cache.call(b"k", "m", "chat", make)) for _ in range(3)]
        await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in results)
        cache.close()

    asyncio.run(scenario())
    assert made == [1]


def test_a_reply_recorded_twice_at_once_is_written(tmp_path: Path):
    """A key put again while its batch is written neither kills the writer nor is lost."""
    cache = CallCache(tmp_path / "calls.sqlite")
    for number in range(300):
        cache.put(b"same", "m", "chat", RecordedReply(b"%d" % number, 0.0))
        cache.put(b"%d" % number, "m", "chat", RecordedReply(b"x", 0.0))
    cache.close()
    again = CallCache(tmp_path / "calls.sqlite")
    found = again.get(b"same")
    assert found is not None
    assert found.body == b"299"
    assert all(again.get(b"%d" % number) for number in range(300))
    again.close()
