"""A chat model that is asked directly: for depth, review and bench, or as a baseline.

The question's text is the user message, and ``system_prompt`` is sent before it. A variant may
set the usual sampling parameters, the system prompt, and ``sample``, whose value is the number of
the draw: another number asks the model again.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.config import ModelConfig, nearest
from assay.errors import Unworkable
from assay.models import ModelClient
from assay.records import Answer, Question, digest
from assay.systems.protocol import Setting

SETTINGS: Mapping[str, Setting] = {
    "system_prompt": Setting(kind=str),
    "temperature": Setting(kind=float),
    "top_p": Setting(kind=float),
    "max_tokens": Setting(kind=int),
    "max_completion_tokens": Setting(kind=int),
    "seed": Setting(kind=int),
    "stop": Setting(),
    "frequency_penalty": Setting(kind=float),
    "presence_penalty": Setting(kind=float),
    "reasoning_effort": Setting(kind=str),
    "sample": Setting(kind=int, description="number of the draw; another number asks again"),
}


class OpenAISystem:
    """Asks a model behind an OpenAI-compatible address."""

    def __init__(self, client: ModelClient, *, system_prompt: str | None = None) -> None:
        self._client = client
        self._system_prompt = system_prompt

    @property
    def identity(self) -> str:
        """The model, its address and parameters, and the prompt."""
        prompt = f"#{digest(self._system_prompt)}" if self._system_prompt else ""
        return f"openai:{self._client.identity}{prompt}"

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """Sampling parameters and the system prompt."""
        return SETTINGS

    @property
    def max_concurrency(self) -> int | None:
        """The concurrency that the model's configuration allows."""
        return self._client.config.concurrency

    @property
    def model_config(self) -> ModelConfig:
        """The model's configuration, from which a cost estimate takes prices and averages."""
        return self._client.config

    def calls(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """One call for each question; variants with the same settings share it."""
        return (f"chat-{digest(settings)}",)

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Send the question; the text of the model's reply is the answer."""
        unknown = sorted(settings.keys() - SETTINGS.keys())
        if unknown:  # some providers ignore them, and then variants would differ in name only
            name = unknown[0]
            raise Unworkable(f"{self.identity}: unknown setting {name!r}{nearest(name, SETTINGS)}")
        parameters = dict(settings)
        prompt = parameters.pop("system_prompt", self._system_prompt)
        sample = parameters.pop("sample", 0)
        messages = [{"role": "user", "content": question.text}]
        if prompt:
            messages.insert(0, {"role": "system", "content": prompt})
        reply = await self._client.chat(messages, sample=sample, **parameters)
        extra: dict[str, Any] = {}
        if reply.reasoning:
            extra["reasoning"] = reply.reasoning
        if reply.truncated:
            extra["truncated"] = True
        return Answer(text=reply.text, finish_reason=reply.finish_reason, extra=extra)

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Open the connections."""
        await self._client.open_connections(concurrency)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
