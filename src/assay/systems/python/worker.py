"""The process of a Python system: ``python -m assay.systems.python.worker IN OUT LIFELINE PARENT``.

It imports the user's module and answers one message after the other. ``assay.systems.python.
isolated`` is the other side. It ends with its parent, and so does what it has started.
"""

import asyncio
import ctypes
import os
import queue
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

from assay.errors import AssayError, SystemFailed, SystemLoadError
from assay.models.foreign_error import classify, describe, skip_of
from assay.models.meter import metering, stopwatch, time_to_first_text
from assay.records import Answer
from assay.systems.python.system import PythonSystem
from assay.systems.python.target import pack, read_frame, read_target, unpack, write_frame

_PR_SET_PDEATHSIG: Final = 1
Message = Mapping[str, Any]


class ProcessWorker:
    """Does what the messages ask for, with the system that the first one names."""

    def __init__(self) -> None:
        self._system: PythonSystem | None = None

    async def reply(self, message: Message) -> Message:
        """The reply to a message; an exception of the user's code is one of our errors in it."""
        try:
            match message["do"]:
                case "load":
                    return self._load(message)
                case "prepare":
                    return await self._prepare(message)
                case "ask":
                    return await self._ask(message)
                case _:
                    await self._loaded().close()
                    return {}
        except AssayError as error:
            return {"error": error}
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the user's code may raise anything
            return {"error": skip_of(error) or classify(error)}

    def _load(self, message: Message) -> Message:
        sys.path[:] = message["sys_path"]
        target = read_target(message["path"])
        system = self._system = PythonSystem.of(target, passages=message["passages"])
        return {
            "identity": system.identity,
            "settings": system.settings,
            "configuration": system.configuration,
            "notes": system.notes,
            "passages_order": system.passages_order,
            "declares_rank": system.declares_rank,
            "declared_limit": system.declared_limit,
            "takes_row": system.takes_row,
            "wants_sources": system.wants_sources,
        }

    async def _prepare(self, message: Message) -> Message:
        system = self._loaded()
        system.expect_sources(message["sources"])
        with metering() as meter:
            await system.warm_up(message["settings"], 1)
        return {"usage": meter.usage()}

    async def _ask(self, message: Message) -> Message:
        with metering() as meter, stopwatch() as watch:
            watch.start()
            answer = await self._loaded().ask(
                message["question"], message["settings"], message["top_k"]
            )
            watch.stop()
        ttft_s = time_to_first_text(watch, meter) if answer.ttft_s is None else answer.ttft_s
        usage = meter.usage() if answer.usage is None else answer.usage
        answer = msgspec.structs.replace(answer, usage=usage, ttft_s=ttft_s)
        return {"answer": _encoded(answer), "elapsed_s": watch.elapsed_s() + meter.replayed_s}

    def _loaded(self) -> PythonSystem:
        if self._system is None:
            raise SystemLoadError("the process of the system was not told which system to load")
        return self._system


def _encoded(answer: Answer) -> bytes:
    """The answer as JSON: the run must be able to read it without the user's modules."""
    try:
        return msgspec.json.encode(answer)
    except Exception as error:
        raise SystemFailed(f"the reply cannot be written as JSON: {describe(error)}") from error


async def serve(requests: "queue.SimpleQueue[bytes]", replies: int) -> None:
    """Answer messages until the one that closes the system has been answered."""
    worker = ProcessWorker()
    loop = asyncio.get_running_loop()
    while True:
        message = unpack(await loop.run_in_executor(None, requests.get))
        reply = await worker.reply(message)
        try:
            content = pack(reply)
        except TypeError as error:
            error_type = SystemLoadError if message["do"] == "load" else SystemFailed
            content = pack({"error": error_type(f"the process of the system cannot send {error}")})
        _flush()
        write_frame(replies, content)
        if message["do"] == "close":
            return


def _read_requests(descriptor: int, requests: "queue.SimpleQueue[bytes]") -> None:
    """Pass requests on; when the run has closed its end, this process is over."""
    while (frame := read_frame(descriptor)) is not None:
        requests.put(frame)
    os._exit(1)


def _watch(lifeline: int, *others: int) -> None:
    """Leave a process behind that ends the whole group when the run is gone.

    A thread could not do this while the user's code holds the interpreter's lock. The fork is safe
    because there is only one thread yet.
    """
    if os.fork() != 0:
        os.close(lifeline)
        return
    for descriptor in others:
        os.close(descriptor)
    while True:
        with suppress(InterruptedError):
            os.read(lifeline, 1)
            os.killpg(os.getpgrp(), signal.SIGKILL)


def _flush() -> None:
    """Write what the user's code has printed, if its streams are still there."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()


def _end_with_parent(parent: int) -> None:
    """On Linux, let the kernel end this process if its parent ends, even inside C code."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before this process could ask for the signal
        os._exit(1)


def main(arguments: list[str]) -> None:
    """Serve the run with this process id over these two descriptors."""
    reading, writing, lifeline, parent = map(int, arguments)
    _watch(lifeline, reading, writing)
    _end_with_parent(parent)
    for descriptor in (reading, writing):
        os.set_inheritable(descriptor, False)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(reading, requests), daemon=True).start()
    asyncio.run(serve(requests, writing))
    _flush()
    os._exit(0)  # threads of the user's code may never end


if __name__ == "__main__":
    main(sys.argv[1:])
