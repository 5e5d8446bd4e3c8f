"""A system that gives prepared answers: for tests, demonstrations and dry runs.

It is public, so that projects that use assay can test without a model.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from assay.errors import SystemFailed
from assay.records import Answer, Question
from assay.systems.protocol import Setting
from assay.systems.reply import to_answer

Script = Mapping[str, Any] | Callable[[Question, Mapping[str, Any]], Any]


class ScriptedSystem:
    """Answers from a script: a mapping by question id or text, or a function.

    A scripted value may be anything that a system can return, an exception, which is raised, or
    ``ScriptedSystem.HANG``, for which the system never answers. ``asked`` lists the ids of the
    questions in the order in which they were asked.

    >>> import asyncio
    >>> system = ScriptedSystem({"q1": "forty-two"})
    >>> asyncio.run(system.ask(Question(id="q1", text="?"), {}, 10)).text
    'forty-two'
    """

    HANG = object()

    def __init__(
        self,
        script: Script,
        *,
        identity: str = "scripted",
        settings: Mapping[str, Setting] | None = None,
        latency_s: float = 0.0,
        max_concurrency: int | None = None,
    ) -> None:
        self._script = script
        self._identity = identity
        self._settings = settings
        self._latency_s = latency_s
        self._max_concurrency = max_concurrency
        self.asked: list[str] = []

    @property
    def identity(self) -> str:
        """The identity passed to the constructor."""
        return self._identity

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """The settings passed to the constructor."""
        return self._settings

    @property
    def max_concurrency(self) -> int | None:
        """The limit passed to the constructor."""
        return self._max_concurrency

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Give the answer that the script contains for the question."""
        self.asked.append(question.id)
        if self._latency_s:
            await asyncio.sleep(self._latency_s)
        reply = self._look_up(question, settings)
        if reply is self.HANG:
            await asyncio.Event().wait()
        if isinstance(reply, BaseException):
            raise reply
        return to_answer(reply)

    async def close(self) -> None:
        """Nothing to release."""

    def _look_up(self, question: Question, settings: Mapping[str, Any]) -> Any:
        if not isinstance(self._script, Mapping):
            return self._script(question, settings)
        for name in (question.id, question.text):
            if name in self._script:
                return self._script[name]
        raise SystemFailed(f"the script has no answer for question {question.id!r}")
