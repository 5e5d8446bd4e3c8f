"""The system that the tests of clusters ask: it waits a little, and counts how often it is asked.

``VICTIM_COUNT`` is a file to which the id of each question is appended when it is asked,
``VICTIM_WAIT_S`` the time that an answer takes.
"""

import asyncio
import os

max_concurrency = 4


async def ask(question: str) -> str:
    """Answer after a while."""
    count(question)
    await asyncio.sleep(float(os.environ.get("VICTIM_WAIT_S", "0.05")))
    return f"The answer to {question} has {len(question)} characters."


def mortal(question: str) -> str:
    """Answer at once; the process ends at one question, the first time that it is asked.

    It does not if ``VICTIM_LIVES`` is set.
    """
    count(question)
    print("the clerk's key is", os.environ.get("VICTIM_API_KEY"), flush=True)  # noqa: T201
    lives = os.environ.get("VICTIM_LIVES")
    if not lives and question.endswith(" 3?") and _is_first(f"{os.environ['VICTIM_COUNT']}.dead"):
        os._exit(1)
    return f"The answer to {question} has {len(question)} characters."


def doomed(question: str) -> str:
    """End the process."""
    os._exit(3)


def count(question: str) -> None:
    """Write down that it was asked, in one write that is whole or not there."""
    path = os.environ.get("VICTIM_COUNT")
    if path:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(file, f"{question}\n".encode())
        os.close(file)


def _is_first(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True
