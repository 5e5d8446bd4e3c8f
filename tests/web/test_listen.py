"""What is no HTTP is refused quietly, with the headers of every answer."""

import asyncio
import socket
from pathlib import Path

import pytest

from assay.web.guard import POLICY, Access
from assay.web.library import Library
from assay.web.server import listen, make_app
from tests.support.page import TOKEN, run


@pytest.mark.parametrize(
    "words", [b"GET / HTTP/9.9\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x00\r\n\r\n"]
)
def test_a_malformed_request_prints_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], words: bytes
):
    """A port scanner must not fill the terminal of the user, nor get an answer without a policy."""

    async def story() -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        stop = await listen(make_app(Library(tmp_path), Access(port=port, token=TOKEN)), listener)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(words)
        await writer.drain()
        answer = (await reader.read()).decode()
        writer.close()
        await stop()
        assert answer.startswith(("HTTP/1.1 400", "HTTP/1.0 400"))
        assert f"Content-Security-Policy: {POLICY}" in answer
        assert "nosniff" in answer

    run(story())
    assert capfd.readouterr() == ("", "")
