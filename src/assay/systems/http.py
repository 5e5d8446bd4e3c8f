"""Any JSON endpoint as the system under test: URL, body template, and where the answer stands.

Faults and retries are those of the model client (``assay.models.wire``): a 429 waits, a 401
stops the run, a web page is no answer.
"""

from collections.abc import Mapping
from typing import Any

import jmespath
import msgspec
from jmespath.exceptions import JMESPathError

from assay.config.model import Price
from assay.config.system import HttpConfig
from assay.errors import SystemFailed, TransientError, UseError
from assay.models.price import cost
from assay.models.secret import Environment, Secret
from assay.models.wire import Wire
from assay.records import Answer, Question, digest
from assay.systems.protocol import Setting
from assay.systems.reply import to_answer
from assay.systems.template import check_places, filled, filled_url

PLACES = {"question", "question_id", "top_k", "settings"}
CONCURRENCY = 256
_encode = msgspec.json.Encoder().encode


class HttpSystem:
    """Posts questions to an address and picks the answer out of the reply."""

    def __init__(
        self, config: HttpConfig, environment: Environment | None = None, *, name: str = "http"
    ) -> None:
        environment = environment or Environment()
        self._config = config
        self._url = environment.expand(config.url, f"{name}: url").reveal()
        check_places([config.url, config.body], PLACES, name)
        self._answer = _expression(config.answer, f"{name}: answer")
        self._passages = _expression(config.passages, f"{name}: passages")
        self._usage = _expression(config.usage, f"{name}: usage")
        self._error = _expression(config.error, f"{name}: error")
        headers: dict[str, str | Secret] = {"Content-Type": "application/json"}
        for header, value in config.headers.items():
            headers[header] = environment.expand(value, f"{name}: header {header}")
        self._wire = Wire(
            headers=headers,
            timeout_s=config.timeout_s,
            retries=config.retries,
            concurrency=CONCURRENCY,
            key_hint=f"the headers of system {name!r}",
            address_hint=f"'url' of system {name!r}",
        )

    @property
    def identity(self) -> str:
        """Address and everything that shapes the request; headers by name only."""
        shape = msgspec.to_builtins(self._config)
        shape["headers"] = sorted(self._config.headers)
        return f"http:{self._config.url}#{digest(shape)}"

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """As configured; any where nothing is said."""
        names = self._config.settings
        return None if names is None else {name: Setting() for name in names}

    @property
    def max_concurrency(self) -> int | None:
        """No bound of its own."""
        return None

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Fill the template, send it, read the reply."""
        values = {
            "question": question.text,
            "question_id": question.id,
            "top_k": top_k,
            "settings": dict(settings),
        }
        url = filled_url(self._url, values)
        body = None if self._config.method == "GET" else _encode(filled(self._config.body, values))
        _, answer = await self._wire.send(url, body, self._read, method=self._config.method)
        return answer

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()

    def _read(self, body: bytes) -> Answer:
        try:
            reply = msgspec.json.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            start = body[:80].decode("utf-8", "replace")
            raise TransientError(f"the endpoint's reply is not JSON: {start!r}") from None
        error = _search(self._error, reply)
        if error:
            raise SystemFailed(f"the endpoint reports an error: {error}")
        text = _search(self._answer, reply)
        if not isinstance(text, str):
            raise SystemFailed(
                f"the endpoint's reply has no text at {self._config.answer!r}: {_short(reply)}"
            )
        usage = _search(self._usage, reply)
        return to_answer(
            {
                "answer": text,
                "passages": _search(self._passages, reply) or (),
                "usage": _priced(usage, self._config.price),
            }
        )


def _expression(text: str | None, where: str) -> Any:
    if text is None:
        return None
    try:
        return jmespath.compile(text)
    except JMESPathError as error:
        what = " ".join(str(error).split())
        raise UseError(f"{where}: {text!r} is not a JMESPath expression: {what}") from None


def _search(expression: Any, reply: Any) -> Any:
    return None if expression is None else expression.search(reply)


def _priced(usage: Any, price: Price | None) -> Any:
    """Usage with its cost, where tokens are reported and a price is configured."""
    if not isinstance(usage, dict) or price is None or "cost" in usage:
        return usage
    prompt, completion = usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0
    return {**usage, "cost": cost(price, prompt, completion)}


def _short(reply: Any) -> str:
    text = msgspec.json.encode(reply).decode()
    return text if len(text) <= 120 else text[:119] + "…"
