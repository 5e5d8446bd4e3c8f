"""The responses of the model server, and every way in which they can be faulty. No network.

A ``Fault`` is one kind of failure; ``RandomFaults`` and ``rough_weather`` choose faults for
requests. ``chat_body`` and ``embedding_body`` make correct responses, ``spoil_body`` and
``refusal`` faulty ones.
"""

import hashlib
import json
import math
import random
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Literal, TypeAlias, get_args

from aiohttp import web

Body: TypeAlias = dict[str, Any]
RefusalKind: TypeAlias = Literal[
    "rate_limit", "rate_limit_date", "rate_limit_bare", "quota", "no_credit",
    "error_500", "error_502", "error_503", "error_529",
    "invalid_key", "invalid_key_echoed", "forbidden", "no_model", "context_too_long",
    "html_200", "html_502", "error_in_200", "too_early", "rate_limit_wild_date", "redirect",
    "moderated", "filter_400",
]  # fmt: skip
WireKind: TypeAlias = Literal[
    "reset", "hang_up", "reset_midway", "reset_midway_chunked", "stall", "stall_midway", "slow",
    "truncated_json", "gzip", "gzip_bomb", "gzip_cut", "huge_body", "endless_body",
]  # fmt: skip
UsageKind: TypeAlias = Literal["no_usage", "usage_total_only", "usage_prompt_only"]
ChatKind: TypeAlias = Literal[
    "empty_choices", "null_content", "list_content", "reasoning", "finish_length",
    "error_in_choice", "finish_error", "filtered", "filtered_midway", "tool_calls", "no_message",
]  # fmt: skip
EmbeddingKind: TypeAlias = Literal["shuffled", "wrong_dimension", "missing_one", "one_too_many"]
Kind: TypeAlias = RefusalKind | WireKind | UsageKind | ChatKind | EmbeddingKind

CHAT_ONLY: frozenset[str] = frozenset(get_args(ChatKind))
EMBEDDING_ONLY: frozenset[str] = frozenset(get_args(EmbeddingKind))
UNSTATED: frozenset[str] = frozenset(get_args(UsageKind))
REFUSALS: frozenset[str] = frozenset(get_args(RefusalKind))
UNBOUNDED: frozenset[str] = frozenset({"gzip_bomb", "huge_body", "endless_body"})
"""Bodies that do not end, or that nobody can hold in memory."""
KINDS: tuple[str, ...] = tuple(
    kind
    for group in (RefusalKind, WireKind, UsageKind, ChatKind, EmbeddingKind)
    for kind in get_args(group)
)
"""All kinds of faults."""

_ERRORS: dict[str, tuple[int, str, str]] = {
    "rate_limit": (429, "rate_limit_exceeded", "Too many requests, slow down."),
    "rate_limit_date": (429, "rate_limit_exceeded", "Too many requests, slow down."),
    "rate_limit_bare": (429, "rate_limit_exceeded", "Too many requests, slow down."),
    "quota": (429, "insufficient_quota", "The quota of this account is used up."),
    "no_credit": (402, "insufficient_quota", "This account has no credit left."),
    "error_500": (500, "server_error", "Something broke in here."),
    "error_502": (502, "bad_gateway", "The model behind this gateway is gone."),
    "error_503": (503, "unavailable", "Closed for the moment."),
    "error_529": (529, "overloaded", "Too much to do."),
    "invalid_key": (401, "invalid_api_key", "This key is not known here."),
    "invalid_key_echoed": (401, "invalid_api_key", "This key is not known here: {key}"),
    "forbidden": (403, "forbidden", "This key may not use the model."),
    "no_model": (404, "model_not_found", "There is no model {model!r}."),
    "context_too_long": (400, "context_length_exceeded", "The context holds 8192 tokens only."),
    "error_in_200": (200, "server_error", "The model failed after the headers were out."),
    "too_early": (425, "too_early", "The gateway is not ready for this."),
    "rate_limit_wild_date": (429, "rate_limit_exceeded", "Too many requests, slow down."),
    "redirect": (302, "moved", "Elsewhere."),
    "moderated": (403, "forbidden", "The input was flagged."),
    "filter_400": (400, "content_filter", "The prompt was refused by the content policy."),
}


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One kind of failure.

    ``retry_after_s`` is used by ``rate_limit`` and ``rate_limit_date``, ``delay_s`` by ``slow``.
    """

    kind: Kind
    retry_after_s: float = 1.0
    delay_s: float = 0.2

    def fits(self, body: Body) -> bool:
        """Whether the fault applies to this request: some are for chat or embeddings only."""
        return self.kind not in (CHAT_ONLY if "input" in body else EMBEDDING_ONLY)


FaultSource: TypeAlias = Callable[[int, Body], Fault | None]
"""Returns the fault for a request, from its number (counted from 1) and its body."""


class RandomFaults:
    """Faults drawn at random from ``(fault, probability)`` pairs, the same for the same seed.

    The fault of a request depends on the seed, its body and how often that body was sent, but
    not on the order in which concurrent requests arrive. ``at_most`` limits the faults for one
    body, so that a client with more attempts than that must succeed.
    """

    def __init__(
        self, rates: Sequence[tuple[Fault, float]], *, seed: int = 0, at_most: int | None = None
    ) -> None:
        if not 0 <= sum(rate for _, rate in rates) <= 1 or any(rate < 0 for _, rate in rates):
            raise ValueError("the probabilities must be between 0 and 1 and sum to at most 1")
        self._rates = tuple(rates)
        self._seed = seed
        self._at_most = math.inf if at_most is None else at_most
        self._requests: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()

    def __call__(self, number: int, body: Body) -> Fault | None:
        """Return the fault of this request, or None; the number does not matter."""
        key = body_key(body)
        self._requests[key] += 1
        draw = random.Random(f"{self._seed} {key} {self._requests[key]}").random()
        if self._faults[key] >= self._at_most:
            return None
        for fault, rate in self._rates:
            if draw < rate:
                if not fault.fits(body):
                    return None
                self._faults[key] += 1
                return fault
            draw -= rate
        return None


def rough_weather(
    seed: int = 0, *, retry_after_s: float = 1.0, at_most: int | None = None
) -> RandomFaults:
    """The usual mix of faults: 5% 429 with Retry-After, 2% 500, 1% reset mid-body, 1% stalls."""
    rates = (
        (Fault(kind="rate_limit", retry_after_s=retry_after_s), 0.05),
        (Fault(kind="error_500"), 0.02),
        (Fault(kind="reset_midway"), 0.01),
        (Fault(kind="stall"), 0.01),
    )
    return RandomFaults(rates, seed=seed, at_most=at_most)


def body_key(body: Body) -> str:
    """A hash of a request body as sixteen hex digits; the order of its keys does not matter."""
    canonical = json.dumps(body, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(canonical.encode(), digest_size=8).hexdigest()


def token_count(text: str) -> int:
    """The tokens of a text as this server counts them: one per four characters, rounded up."""
    return -(-len(text) // 4)


def message_text(message: Body) -> str:
    """The text of a message whose content is a string, a list of parts, or null."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def unit_vector(text: str, dimensions: int) -> list[float]:
    """A vector of length 1 that depends on the text only.

    With fewer dimensions the vector is the beginning of the longer one, scaled to length 1.
    """
    rng = random.Random(f"vector {text}")
    values = [rng.gauss(0.0, 1.0) for _ in range(dimensions)]
    norm = math.sqrt(math.fsum(value * value for value in values))
    return [value / norm for value in values]


def plain_answer(body: Body) -> str:
    """The default answer of the server: it contains a hash of the messages."""
    return f"Answer {body_key({'messages': body.get('messages')})}."


def chat_body(body: Body, answer: str | Body) -> Body:
    """A chat completion with this text, or the default one with some keys replaced."""
    text = answer if isinstance(answer, str) else plain_answer(body)
    prompt = sum(token_count(message_text(message)) for message in body["messages"])
    completion = token_count(text)
    message = {"role": "assistant", "content": text}
    response = {
        "id": f"chatcmpl-{body_key(body)}",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model", ""),
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        },
    }
    return response if isinstance(answer, str) else {**response, **answer}


def stream_chunks(response: Body) -> list[Body]:
    """The chunks of a chat completion: one for each word, its end, and its usage."""
    head = {**response, "object": "chat.completion.chunk"}
    usage = head.pop("usage", None)
    (choice,) = head.pop("choices")
    words = re.findall(r"\s*\S+|\s+$", message_text(choice["message"]))
    deltas: list[Body] = [
        {"role": "assistant", "content": ""},
        *({"content": word} for word in words),
    ]
    chunks = [
        {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        for delta in deltas
    ]
    end = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    return [*chunks, {**head, "choices": [end]}, {**head, "choices": [], "usage": usage}]


def embedding_body(body: Body, dimensions: int) -> Body:
    """An embedding response for one text or a list of texts."""
    value = body["input"]
    texts = [value] if isinstance(value, str) else value
    size = body.get("dimensions", dimensions)
    tokens = sum(token_count(text) for text in texts)
    return {
        "object": "list",
        "model": body.get("model", ""),
        "data": [
            {"object": "embedding", "index": index, "embedding": unit_vector(text, size)}
            for index, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def spoil_body(kind: str, response: Body) -> Body:
    """A response body with this fault; unchanged if the fault does not concern the body."""
    usage = response.get("usage", {})
    match kind:
        case "no_usage":
            return {key: value for key, value in response.items() if key != "usage"}
        case "usage_total_only":
            return {**response, "usage": {"total_tokens": usage["total_tokens"]}}
        case "usage_prompt_only":
            return {**response, "usage": {"prompt_tokens": usage["prompt_tokens"]}}
    if kind in CHAT_ONLY:
        return {**response, "choices": _spoil_choices(kind, response["choices"])}
    if kind in EMBEDDING_ONLY:
        return {**response, "data": _spoil_data(kind, response["data"])}
    return response


def _spoil_choices(kind: str, choices: list[Body]) -> list[Body]:
    choice = choices[0]
    text = message_text(choice["message"])
    changes: dict[str, Body] = {
        "null_content": {"content": None},
        "list_content": {"content": [{"type": "text", "text": text}]},
        "reasoning": {"reasoning_content": "Thinking it over first."},
    }
    ends: dict[str, list[Body]] = {
        "empty_choices": [],
        "no_message": [{"index": 0, "finish_reason": "stop"}],
        "finish_length": [{**choice, "finish_reason": "length"}],
        "error_in_choice": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": ""},
                "finish_reason": None,
                "error": {"code": 502, "message": "The upstream provider failed."},
            }
        ],
        "finish_error": [{**choice, "finish_reason": "error"}],
        "filtered": [
            {**choice, "message": {"role": "assistant", "content": ""}}
            | {"finish_reason": "content_filter"}
        ],
        "filtered_midway": [{**choice, "finish_reason": "content_filter"}],
        "tool_calls": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"type": "function", "function": {"name": "search"}}],
                },
                "finish_reason": "tool_calls",
            }
        ],
    }
    if kind in ends:
        return ends[kind]
    return [{**choice, "message": {**choice["message"], **changes[kind]}}]


def _spoil_data(kind: str, data: list[Body]) -> list[Body]:
    *first, last = data
    match kind:
        case "shuffled":
            return data[::-1]
        case "missing_one":
            return data[1:]
        case "one_too_many":
            return [*data, {**last, "index": len(data)}]
    return [*first, {**last, "embedding": last["embedding"][:-1]}]


def refusal(fault: Fault, body: Body, authorization: str | None) -> web.Response:
    """The error response of a fault that refuses the request."""
    if fault.kind in {"html_200", "html_502"}:
        page = "<!DOCTYPE html><html><body><h1>Sorry</h1><p>Back soon.</p></body></html>"
        return web.Response(text=page, status=int(fault.kind[5:]), content_type="text/html")
    status, code, message = _ERRORS[fault.kind]
    key = (authorization or "").removeprefix("Bearer ")
    text = message.format(key=key, model=body.get("model", ""))
    headers = {}
    if fault.kind == "rate_limit":
        headers["Retry-After"] = f"{fault.retry_after_s:g}"
    elif fault.kind == "rate_limit_date":
        # An HTTP date has whole seconds; rounding up never shortens the wait.
        due = datetime.now(UTC) + timedelta(seconds=math.ceil(fault.retry_after_s) + 1)
        headers["Retry-After"] = format_datetime(due.replace(microsecond=0), usegmt=True)
    elif fault.kind == "rate_limit_wild_date":
        headers["Retry-After"] = "Thu, 01 Jan 1970 00:00:01 +9999"
    elif fault.kind == "redirect":
        headers["Location"] = "https://elsewhere.invalid/v2"
    if fault.kind == "moderated":
        error = {"code": 403, "message": text, "metadata": {"flagged_input": "the question"}}
        return web.json_response({"error": error}, status=status)
    return error_response(status, code, text, headers=headers)


def error_response(
    status: int, code: str, message: str, *, headers: Mapping[str, str] | None = None
) -> web.Response:
    """A response with an error object in the form that OpenAI-compatible servers use."""
    error = {"message": message, "type": code, "param": None, "code": code}
    return web.json_response({"error": error}, status=status, headers=headers)


def kind_of(fault: Fault | None) -> str:
    """The kind of a fault; an empty string for None."""
    return "" if fault is None else fault.kind


def in_order(faults: Iterable[Fault | None]) -> FaultSource:
    """A source that gives one fault to each request in order, and none to later requests."""
    queue = deque(faults)
    return lambda _number, _body: queue.popleft() if queue else None
