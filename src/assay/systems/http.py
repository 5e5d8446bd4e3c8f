"""Any JSON endpoint as the system under test.

The configuration gives the URL, a template of the request body, and JMESPath expressions that
select the answer from the reply. Errors and retries are handled as by the model client
(``assay.models.wire``): status 429 waits and tries again, status 401 stops the run, and a web
page is not accepted as an answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import jmespath
import msgspec
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions
from msgspec.structs import replace

from assay.config.system import HttpConfig, ModelConfig, PassagesOrder, PerQuestion, Price
from assay.errors import CaseError, RunStopped, SystemFailed, SystemLoadError, Unworkable, UseError
from assay.mask import add_secrets, is_credential, looks_secret
from assay.models.address import (
    hashed,
    hidden_parameters,
    masking_redactor,
    shown_url,
    url_secrets,
)
from assay.models.client import ModelClient
from assay.models.meter import amount_of, cost, count_of
from assay.models.refusal import chat_fault, error_inside
from assay.models.reply import decode_json
from assay.models.secret import Environment, Secret, variables_in
from assay.models.stream import Stream
from assay.models.wire import Wire
from assay.records import Answer, Question, digest
from assay.redact.error_text import error_line
from assay.registry import nearest
from assay.systems.plain import shown_entry
from assay.systems.protocol import (
    Configuration,
    Setting,
    check_placeholders,
    fill_template,
    fill_url,
    named_settings,
    with_texts,
)
from assay.systems.reply import readable_fields, to_answer

PLACEHOLDERS = {"question", "question_id", "top_k", "settings"}
CONCURRENCY = 256
_FINISH = ("finish_reason", "stop_reason", "done_reason")
"""What model servers call the reason for which an answer ended."""
_NOT_IN_IDENTITY = (
    "headers",
    "passages_order",
    "per_question",
    "prepare",
    "price",
    "retries",
    "settings",
    "timeout_s",
)
_LONGEST_ERROR: Final = 500
_encode = msgspec.json.Encoder().encode


class HttpSystem:
    """Sends questions to an address and selects the answer from the reply."""

    def __init__(
        self, config: HttpConfig, environment: Environment | None = None, *, name: str = "http"
    ) -> None:
        environment = environment or Environment()
        self._config = config
        secrets: list[Secret] = []
        self._route: dict[str, str] = {}

        def expand(text: str, where: str) -> str:
            secret = environment.expand(text, f"{name}: {where}")
            secrets.extend(secret.parts)
            for variable in variables_in(text):
                if not looks_secret(variable):
                    self._route[f"variable {variable}"] = hashed(environment.get(variable) or "")
            return secret.reveal()

        check_placeholders([config.url, config.body], PLACEHOLDERS, name)
        self._url = expand(config.url, "url")
        secrets += url_secrets(self._url)
        self._route |= hidden_parameters(config.url)
        self._body = with_texts(config.body, lambda text: expand(text, "body"))
        preparation = config.prepare
        if preparation is not None:
            parts = [preparation.url, preparation.body]
            check_placeholders(parts, {"settings"}, f"{name}: prepare")
            self._prepare_url = expand(preparation.url, "prepare: url")
            secrets += url_secrets(self._prepare_url)
            self._prepare_body = with_texts(
                preparation.body, lambda text: expand(text, "prepare: body")
            )
        self._answer = _Expression("answer", config.answer, name)
        self._passages = _Expression("passages", config.passages, name)
        self._citations = _Expression("citations", config.citations, name)
        self._usage = _Expression("usage", config.usage, name)
        self._error = _Expression("error", config.error, name)
        delta = config.stream.delta if config.stream else None
        self._delta = _Expression("stream: delta", delta, name).value_in if delta else None
        headers: dict[str, str | Secret] = {"Content-Type": "application/json"}
        for header, value in config.headers.items():
            headers[header] = expanded = environment.expand(value, f"{name}: header {header}")
            if is_credential(header):
                add_secrets(expanded.reveal().split()[-1:])
            else:
                self._route[f"header {header.lower()}"] = hashed(expanded.reveal())
        self._make_wire = partial(
            Wire,
            headers=headers,
            retries=config.retries,
            concurrency=CONCURRENCY,
            key_hint=f"the headers of system {name!r}",
            address_hint=f"'url' of system {name!r}",
            secrets=secrets,
        )
        self._wire = self._make_wire(timeout_s=config.timeout_s)

    @property
    def identity(self) -> str:
        """The address and a hash of everything that affects the answer.

        Of headers and variables that hold keys only the names are included.
        """
        shape = msgspec.to_builtins(self._config)
        for field in _NOT_IN_IDENTITY:
            del shape[field]
        if self._config.stream is None:  # as before there was this field
            del shape["stream"]
        shape["headers"] = sorted(self._config.headers)
        shape["url"] = shown_url(self._config.url)
        if self._route:
            shape["route"] = self._route
        if masking_redactor(self._url) is not None:
            shape["redact"] = "calls"
        return f"http:{shape['url']}#{digest(shape)}"

    def described(self, settings: Mapping[str, Any]) -> Configuration:
        """Its entry with the settings; of headers and variables with keys only the names."""
        entry = msgspec.to_builtins(self._config)
        entry |= {
            "url": shown_url(self._config.url),
            "headers": sorted(self._config.headers),
            "settings": dict(settings),
        }
        if self._config.prepare is not None:
            entry["prepare"]["url"] = shown_url(self._config.prepare.url)
        names = variables_in(_encode(self._config).decode())
        return Configuration(
            settings=shown_entry(entry),
            secrets={name: "set" for name in sorted(names) if looks_secret(name)},
        )

    @property
    def passages_order(self) -> PassagesOrder:
        """The configured order of the passages."""
        return self._config.passages_order

    @property
    def per_question(self) -> PerQuestion | None:
        """What the configuration declares; tokens without a cost have that of the ``price``."""
        declared = self._config.per_question
        if declared is None or declared.cost is not None:
            return declared
        tokens = (declared.prompt_tokens, declared.completion_tokens)
        return replace(declared, cost=cost(self._config.price, *tokens))

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """The configured setting names; None, which allows any, if none are configured."""
        return named_settings(self._config.settings)

    @property
    def max_concurrency(self) -> int | None:
        """None: the endpoint sets no limit."""
        return None

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Fill the template, send the request, and read the reply."""
        values = {
            "question": question.text,
            "question_id": question.id,
            "top_k": top_k,
            "settings": dict(settings),
        }
        masking = masking_redactor(self._url)
        if masking is not None:  # the values may also be in the address
            values = {**values, **masking.record({"question": question.text, "id": question.id})}
            values["question_id"] = values.pop("id")
        url = fill_url(self._url, values)
        body = None if self._config.method == "GET" else _encode(fill_template(self._body, values))
        streams: list[Stream] = []

        def streaming(headers: Mapping[str, str]) -> Stream:
            streams[:] = [
                Stream(
                    headers,
                    self._config.stream,
                    self._delta,
                    msgspec.json.encode,
                    takes_text=self._config.answer == "answer",
                )
            ]
            return streams[0]

        def read(reply: bytes) -> Answer:
            return self._read_stream(reply) if streams[0].is_joined else self._read(reply)

        _, answer = await self._wire.send(
            url, body, read, method=self._config.method, streaming=streaming
        )
        return answer

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Send the request of ``prepare`` for each of the settings, then open the connections.

        Raises ``SystemLoadError`` if the service does not accept the request.
        """
        preparation = self._config.prepare
        if preparation is not None:
            wire = self._make_wire(timeout_s=preparation.timeout_s)
            try:
                for chosen in settings:
                    values = {"settings": dict(chosen)}
                    url = fill_url(self._prepare_url, values)
                    body = fill_template(self._prepare_body, values)
                    encoded = None if preparation.method == "GET" else _encode(body)
                    await wire.send(url, encoded, bytes, method=preparation.method)
            except CaseError as error:
                raise SystemLoadError(f"the system could not be prepared: {error}") from error
            finally:
                await wire.close()
        blank: dict[str, Any] = dict.fromkeys(PLACEHOLDERS, "")
        address = fill_url(self._url, blank | {"settings": settings[0] if settings else {}})
        await self._wire.open_connections(address, concurrency)

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()

    def _read(self, body: bytes) -> Answer:
        reply = decode_json(body)
        if isinstance(reply, str) and self._config.answer == "answer":
            reply = {"answer": reply}
        return self._answer_of(reply, self._answer.value_in(reply))

    def _read_stream(self, body: bytes) -> Answer:
        """The answer of a stream that was joined: its text, or what the final event says."""
        joined = decode_json(body)
        reply, text = joined["reply"], joined["text"]
        is_final = self._config.stream is not None and self._config.stream.final is not None
        if is_final or text is None:
            stated = self._answer.value_in(reply)
            text = stated if isinstance(stated, str) else text
        hint = "" if is_final else "; write where an event has it, as stream: {delta: PATH}"
        return self._answer_of(reply, text, hint)

    def _answer_of(self, reply: Any, text: Any, hint: str = "") -> Answer:
        error = self._error.value_in(reply)
        if error:
            raise SystemFailed(
                f"the endpoint reports an error: {error_line(str(error), _LONGEST_ERROR)}"
            )
        fault = _fault_inside(reply, text, is_error_configured=self._config.error is not None)
        if fault is not None:
            raise fault
        if not isinstance(text, str):
            raise SystemFailed(
                f"the endpoint's reply has no text at {self._config.answer!r}: {_short(reply)}{hint}"
            )
        fields = self._further_fields(reply)
        usage = _with_cost(fields.get("usage"), self._config.price)
        reason = _finish_reason(reply)
        return to_answer({**fields, "answer": text, "usage": usage, "finish_reason": reason})

    def _further_fields(self, reply: Any) -> dict[str, Any]:
        """What the reply has besides the answer.

        Without any configured path, these are the fields that a Python system may return.
        """
        paths = (self._config.passages, self._config.citations, self._config.usage)
        if self._config.answer == "answer" and paths == (None, None, None):
            return readable_fields(reply)
        return {
            "passages": self._passages.value_in(reply),
            "citations": self._citations.value_in(reply),
            "usage": self._usage.value_in(reply),
        }


def _fault_inside(
    reply: Any, text: Any, *, is_error_configured: bool
) -> CaseError | RunStopped | None:
    """Why a reply with status 200 is no answer, if it says so in a common form.

    An ``error`` is the reason, also beside a text, which then often says the same. Beside a text it
    is left to the expression for errors if one is configured. A chat completion is checked as the
    model client does.
    """
    if not isinstance(reply, dict):
        return None
    has_text = isinstance(text, str) and bool(text.strip())
    if reply.get("error") and not (has_text and is_error_configured):
        return error_inside(reply["error"])
    choice = _first_choice(reply)
    if choice is None:
        return None
    message = choice.get("message")
    calls = message.get("tool_calls") if isinstance(message, dict) else None
    return chat_fault(
        text if isinstance(text, str) else "", _finish_reason(reply), choice.get("error"), calls
    )


def _first_choice(reply: dict[str, Any]) -> dict[str, Any] | None:
    """The first choice of a chat completion; None if the reply is none."""
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    return choice if isinstance(choice, dict) else None


def _finish_reason(reply: Any) -> str | None:
    """Why the answer ended, if the reply says so where model servers do."""
    if not isinstance(reply, dict):
        return None
    said = _first_choice(reply) or reply
    found = (said.get(name) for name in _FINISH)
    return next((reason for reason in found if isinstance(reason, str)), None)


class _Expression:
    """A configured JMESPath expression; without one, every value is None."""

    def __init__(self, name: str, text: str | None, system: str) -> None:
        self._name = name
        self._text = text
        self._compiled = None if text is None else _compile(text, f"{system}: {name}")

    def value_in(self, reply: Any) -> Any:
        """The value that the expression selects in the reply; None if there is none."""
        if self._compiled is None:
            return None
        try:
            return self._compiled.search(reply)
        # some JMESPath functions raise plain Python errors
        except (JMESPathError, AttributeError, TypeError, ValueError) as error:
            raise SystemFailed(
                f"{self._name} {self._text!r} does not fit the endpoint's reply: {_line(error)}"
            ) from None


def _compile(text: str, where: str) -> Any:
    try:
        compiled = jmespath.compile(text)
    except JMESPathError as error:
        problem = _line(error)
    else:
        unknown = sorted(set(_functions(compiled.parsed)) - Functions.FUNCTION_TABLE.keys())
        if not unknown:
            return compiled
        problem = f"there is no function {unknown[0]}()"
    raise UseError(f"{where}: {text!r} is not a JMESPath expression: {problem}")


def _functions(node: Any) -> Iterator[str]:
    """The names of the functions that a parsed expression calls."""
    if node["type"] == "function_expression":
        yield node["value"]
    for child in node["children"]:
        if isinstance(child, dict):
            yield from _functions(child)


def _with_cost(usage: Any, price: Price | None) -> Any:
    """The usage with the cost that the endpoint states, otherwise with that of its tokens."""
    if not isinstance(usage, dict):
        return usage
    if amount_of(usage.get("cost")) is not None:
        return {**usage, "stated_calls": usage.get("stated_calls", usage.get("calls", 1))}
    tokens = (count_of(usage.get("prompt_tokens")), count_of(usage.get("completion_tokens")))
    return {**usage, "cost": cost(price, *tokens)}


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def _short(reply: Any) -> str:
    return error_line(msgspec.json.encode(reply).decode(), 120)


# A chat model that is asked directly: for depth, review and bench, or as a baseline.
#
# The question's text is the user message, and ``system_prompt`` is sent before it. A variant may
# set the usual sampling parameters, the system prompt, and ``sample``, whose value is the number of
# the draw: another number asks the model again.

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

    def described(self, settings: Mapping[str, Any]) -> Configuration:
        """The model's entry with the settings; of headers and of the query only the names."""
        config = self._client.config
        chosen = dict(settings)
        prompt = chosen.pop("system_prompt", self._system_prompt)
        entry = {
            "kind": "openai",
            **msgspec.to_builtins(config),
            "base_url": shown_url(config.base_url),
            "headers": sorted(config.headers),
            "query": sorted(config.query),
            "parameters": {**config.parameters, **chosen},
            "system_prompt": prompt,
        }
        key = config.key_variable
        return Configuration(settings=shown_entry(entry), secrets={key: "set"} if key else {})

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
