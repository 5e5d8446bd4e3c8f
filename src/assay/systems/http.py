"""Any JSON endpoint as the system under test: URL, body template, and where the answer stands.

Faults and retries are those of the model client (``assay.models.wire``): a 429 waits, a 401
stops the run, a web page is no answer.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import jmespath
import msgspec
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions

from assay.config import HttpConfig, Price
from assay.errors import SystemFailed, TransientError, UseError
from assay.models import Environment, Secret, Wire, cost
from assay.records import Answer, Question, digest
from assay.systems.protocol import Setting, named_settings
from assay.systems.reply import to_answer
from assay.systems.template import check_places, fill_template, fill_url, with_texts

PLACES = {"question", "question_id", "top_k", "settings"}
CONCURRENCY = 256
_SHAPELESS = ("headers", "price", "retries", "settings", "timeout_s")
_encode = msgspec.json.Encoder().encode


class HttpSystem:
    """Posts questions to an address and picks the answer out of the reply."""

    def __init__(
        self, config: HttpConfig, environment: Environment | None = None, *, name: str = "http"
    ) -> None:
        environment = environment or Environment()
        self._config = config
        secrets: list[Secret] = []

        def expanded(text: str, where: str) -> str:
            secret = environment.expand(text, f"{name}: {where}")
            secrets.extend(secret.parts)
            return secret.reveal()

        check_places([config.url, config.body], PLACES, name)
        self._url = expanded(config.url, "url")
        self._body = with_texts(config.body, lambda text: expanded(text, "body"))
        self._answer = _Expression("answer", config.answer, name)
        self._passages = _Expression("passages", config.passages, name)
        self._citations = _Expression("citations", config.citations, name)
        self._usage = _Expression("usage", config.usage, name)
        self._error = _Expression("error", config.error, name)
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
            secrets=secrets,
        )

    @property
    def identity(self) -> str:
        """Address and everything that shapes the answer; headers by name only."""
        shape = msgspec.to_builtins(self._config)
        for field in _SHAPELESS:
            del shape[field]
        shape["headers"] = sorted(self._config.headers)
        return f"http:{self._config.url}#{digest(shape)}"

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """As configured; any where nothing is said."""
        return named_settings(self._config.settings)

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
        url = fill_url(self._url, values)
        body = None if self._config.method == "GET" else _encode(fill_template(self._body, values))
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
        error = self._error.found_in(reply)
        if error:
            raise SystemFailed(f"the endpoint reports an error: {error}")
        text = self._answer.found_in(reply)
        if not isinstance(text, str):
            raise SystemFailed(
                f"the endpoint's reply has no text at {self._config.answer!r}: {_short(reply)}"
            )
        return to_answer(
            {
                "answer": text,
                "passages": self._passages.found_in(reply) or (),
                "citations": self._citations.found_in(reply),
                "usage": _priced(self._usage.found_in(reply), self._config.price),
            }
        )


class _Expression:
    """Where in a reply something stands; nowhere, if nothing is configured."""

    def __init__(self, name: str, text: str | None, system: str) -> None:
        self._name = name
        self._text = text
        self._compiled = None if text is None else _compiled(text, f"{system}: {name}")

    def found_in(self, reply: Any) -> Any:
        """What stands there, ``None`` for nothing."""
        if self._compiled is None:
            return None
        try:
            return self._compiled.search(reply)
        # functions of JMESPath let some errors of Python through
        except (JMESPathError, AttributeError, TypeError, ValueError) as error:
            raise SystemFailed(
                f"{self._name} {self._text!r} does not fit the endpoint's reply: {_line(error)}"
            ) from None


def _compiled(text: str, where: str) -> Any:
    try:
        compiled = jmespath.compile(text)
    except JMESPathError as error:
        what = _line(error)
    else:
        unknown = sorted(set(_functions(compiled.parsed)) - Functions.FUNCTION_TABLE.keys())
        if not unknown:
            return compiled
        what = f"there is no function {unknown[0]}()"
    raise UseError(f"{where}: {text!r} is not a JMESPath expression: {what}")


def _functions(node: Any) -> Iterator[str]:
    """Names of the functions that a parsed expression calls."""
    if node["type"] == "function_expression":
        yield node["value"]
    for child in node["children"]:
        if isinstance(child, dict):
            yield from _functions(child)


def _priced(usage: Any, price: Price | None) -> Any:
    """Usage with its cost, where tokens are reported and a price is configured."""
    if not isinstance(usage, dict) or usage.get("cost") is not None:
        return usage
    tokens = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
    if not all(isinstance(count, int) for count in tokens):
        return usage  # not told, or no count: then the reader of the reply says so
    return {**usage, "cost": cost(price, *tokens)}


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def _short(reply: Any) -> str:
    text = msgspec.json.encode(reply).decode()
    return text if len(text) <= 120 else text[:119] + "…"
