"""What a client must not do: send keys to another host, or make calls nobody waits for."""

import asyncio
import re
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from assay.config.system import HttpConfig
from assay.errors import Unworkable
from assay.models.cache import CallCache, RecordedReply
from assay.records import Question
from assay.systems.http import HttpSystem


def test_a_redirect_does_not_take_the_headers_along():
    """A redirect is not followed: the other host gets no request, and the run says where to."""
    stolen_keys: list[str] = []

    async def scenario() -> None:
        async def catch(request: web.Request) -> web.Response:
            stolen_keys.append(request.headers.get("X-API-Key", ""))
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
                    where = re.escape(f"redirects to {target.make_url('/')} (302)")
                    with pytest.raises(Unworkable, match=f"{where}.*check 'url' of system"):
                        await system.ask(Question(id="q", text="?"), {}, 1)
                finally:
                    await system.close()

    asyncio.run(scenario())
    assert stolen_keys == []


def test_those_who_are_cancelled_together_make_no_further_call(tmp_path: Path):
    """If all tasks that wait for a call are cancelled together, none makes the call again."""
    calls: list[int] = []
    called = asyncio.Event()

    async def make() -> RecordedReply:
        calls.append(1)
        called.set()
        await asyncio.sleep(3600)
        return RecordedReply(b"", 0.0)

    async def scenario() -> None:
        cache = CallCache(tmp_path / "calls.sqlite")
        tasks = [asyncio.create_task(cache.call(b"k", "m", "chat", make)) for _ in range(3)]
        await called.wait()
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in results)
        cache.close()

    asyncio.run(scenario())
    assert calls == [1]


def test_a_reply_recorded_twice_at_once_is_written(tmp_path: Path):
    """A key that is recorded again while its batch is being written keeps the newest reply."""
    cache = CallCache(tmp_path / "calls.sqlite")
    for number in range(300):
        cache.put(b"same", "m", "chat", RecordedReply(b"%d" % number, 0.0))
        cache.put(b"%d" % number, "m", "chat", RecordedReply(b"x", 0.0))
    cache.close()
    reopened = CallCache(tmp_path / "calls.sqlite")
    recorded = reopened.get(b"same")
    assert recorded is not None
    assert recorded.body == b"299"
    assert all(reopened.get(b"%d" % number) for number in range(300))
    reopened.close()
