"""Asking a model for drafts. Every reply is stored as soon as it exists and is never asked for twice.

If fewer drafts hold than are wanted, further passages are asked about, at most as many again.
"""

import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.config.experiment import RunSettings
from assay.config.workspace import make_folder
from assay.data.corpus.chunk import Chunk
from assay.errors import RunStopped
from assay.models.client import ModelClient
from assay.models.limit import AdaptiveLimit, Backoff
from assay.models.meter import cost
from assay.questions.draft.draft import (
    WEIGHTS,
    Draft,
    DraftPool,
    DraftSource,
    Kind,
    Selection,
    Wanted,
    far_apart,
    select,
    text_hash,
    text_start,
)
from assay.records import Answer, Case, Question, Variant, digest
from assay.runs.budget import Budget
from assay.runs.executor import AsyncioExecutor, Stop, interruptible, run_in_loop
from assay.runs.judging import Judgement, VerdictAsker, VerdictStore
from assay.runs.write import locked_journal
from assay.text.language import Language, language
from assay.text.search_term import find_phrase
from assay.text.thought import without_first_thought
from assay.text.tokenizer import load_tokenizer

# What a model is asked: one question of one kind about one passage, or about two.
#
# The requests are spread over kinds, documents and places. The prompt is in the language of the
# passage. What comes from documents is enclosed in a mark that is computed from its content.

LANGUAGES: Final[tuple[Language, ...]] = ("en", "ru", "zh")
SHORTEST: Final = 80
"""A passage with fewer characters is a heading or a scrap; Chinese says more with fewer."""
_HAN_WORTH: Final = 3
_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")
_TWO: Final = frozenset({"multi_passage", "multi_document", "comparison"})


class Request(Struct, frozen=True, kw_only=True):
    """One question to be written, about these passages."""

    kind: Kind
    passages: tuple[Chunk, ...]
    wants_yes: bool = True

    @property
    def language(self) -> Language:
        """The language of the first passage: that of the prompt and of the question."""
        return language(self.passages[0].text)

    @property
    def key(self) -> str:
        """Identifies what is asked."""
        return digest([self.kind, self.wants_yes, [chunk.text for chunk in self.passages]])

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages that are sent."""
        words = wording(self.language)
        content = "\0".join(chunk.text for chunk in self.passages)
        mark = hashlib.blake2b(content.encode(errors="surrogatepass"), digest_size=6).hexdigest()
        slots = {"fence": f"data-{mark}", "wanted": words["yes" if self.wants_yes else "no"][0]}
        passages = [
            _filled(words["passage"], {**slots, "number": str(number), "text": chunk.text})
            for number, chunk in enumerate(self.passages, 1)
        ]
        slots["task"] = _filled(words["task"][self.kind], slots)
        slots["passages"] = "\n".join(text.strip() for text in passages)
        return [
            {"role": "system", "content": _filled(words["system"].strip(), slots)},
            {"role": "user", "content": _filled(words["user"].strip(), slots)},
        ]


@cache
def wording(name: Language) -> Mapping[str, Any]:
    """The prompts of a language."""
    path = files("assay.questions.draft").joinpath("request", f"{name}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def prompt_digest() -> str:
    """A hash of all prompts: a changed prompt asks again."""
    return digest([dict(wording(name)) for name in LANGUAGES])


def _filled(text: str, slots: Mapping[str, str]) -> str:
    """The text with its slots filled in one pass, so that a slot inside of data stays as it is."""
    return _SLOT.sub(lambda match: slots[match[1]], text)


def requests(chunks: Sequence[Chunk], kinds: Sequence[Kind], seed: int) -> Iterator[Request]:
    """Requests, each about another passage, until all are used; the same for the same seed."""
    order = _places([chunk for chunk in chunks if _is_long(chunk.text)], seed)
    turns = cycle([kind for turn in range(4) for kind in kinds if turn < WEIGHTS[kind]])
    neighbours = _neighbours(order)
    others = _others(order)
    for number, chunk in enumerate(order):
        kind = next(turns)
        second = others if kind == "multi_document" else neighbours
        passages = (chunk, *second.get(chunk.id, ())) if kind in _TWO else (chunk,)
        if kind in {"multi_passage", "multi_document"} and len(passages) == 1:
            single = [other for other in kinds if other not in _TWO]
            if not single:
                continue
            kind = single[number % len(single)]
        yield Request(kind=kind, passages=passages, wants_yes=number % 2 == 0)


def _is_long(text: str) -> bool:
    worth = _HAN_WORTH if language(text) == "zh" else 1
    return len(text) * worth >= SHORTEST


def _places(chunks: Sequence[Chunk], seed: int) -> list[Chunk]:
    """The chunks so that every beginning of the list is spread over documents and places."""
    by_document: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        by_document.setdefault(chunk.source, []).append(chunk)
    documents = sorted(by_document, key=lambda name: text_hash(f"{seed}:{name}"))
    orders = [far_apart(by_document[name], text_hash(f"{seed}/{name}")) for name in documents]
    longest = max(map(len, orders), default=0)
    return [order[turn] for turn in range(longest) for order in orders if turn < len(order)]


def _neighbours(order: Sequence[Chunk]) -> dict[str, tuple[Chunk]]:
    """For each chunk another one of its document, in the same language."""
    by_document: dict[str, list[Chunk]] = {}
    for chunk in order:
        by_document.setdefault(chunk.source, []).append(chunk)
    return {
        chunk.id: (other,)
        for group in by_document.values()
        for chunk, other in zip(group, [*group[1:], group[0]], strict=True)
        if chunk.id != other.id and language(chunk.text) == language(other.text)
    }


def _others(order: Sequence[Chunk]) -> dict[str, tuple[Chunk]]:
    """For each chunk one of another document, in the same language."""
    found: dict[str, tuple[Chunk]] = {}
    last: dict[Language, Chunk] = {}
    for chunk in reversed(order):
        speech = language(chunk.text)
        if speech in last and last[speech].source != chunk.source:
            found[chunk.id] = (last[speech],)
        last[speech] = chunk
    return found


# Reading what a model wrote, and holding it against the passages.
#
# Evidence is looked up in the passages: a draft counts only if it quotes them. Nothing is corrected;
# what does not hold is dropped with the reason.

LONGEST_QUESTION: Final = 400
_FENCED: Final = re.compile(r"\A```[\w-]*[ \t]*\n(.*?)\n?```\Z", re.DOTALL)
_ASKS: Final = re.compile(r"[?？]")
_COPIED: Final = frozenset({"fact", "number", "date"})
_REPLY_TWO: Final = frozenset({"multi_passage", "multi_document"})


class Dropped(Exception):
    """The reply is no usable draft; the message is the reason."""


def read_draft(text: str, request: Request, model: str) -> Draft:
    """The draft in a reply; raises ``Dropped`` with the reason if there is none that holds."""
    content = _json_object(text)
    question = content.get("question")
    if question is None:
        raise Dropped("the model found nothing to ask")
    if not isinstance(question, str) or not 0 < len(question.strip()) <= LONGEST_QUESTION:
        raise Dropped("the reply has no question")
    question = question.strip()
    if not _ASKS.search(question):
        raise Dropped("the question asks nothing")
    if language(question) != request.language:
        raise Dropped("the question is in another language than the passage")
    evidence = _evidence(content.get("evidence"), request)
    answers = _answers(content.get("answer"), question, evidence, request)
    return Draft(
        kind=request.kind,
        question=question,
        answers=answers,
        evidence=evidence,
        language=request.language,
        by=model,
    )


def _json_object(text: str) -> dict[str, Any]:
    stripped = without_first_thought(text).strip()
    fenced = _FENCED.match(stripped)
    try:
        content = msgspec.json.decode((fenced[1] if fenced else stripped).encode(errors="replace"))
    except (msgspec.DecodeError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise Dropped("the reply is not a JSON object")
    return content


def _evidence(written: Any, request: Request) -> tuple[DraftSource, ...]:
    quotes = [written] if isinstance(written, str) else written
    if not isinstance(quotes, list) or not all(isinstance(quote, str) for quote in quotes):
        raise Dropped("the reply quotes no evidence")
    found = [_located(quote, request.passages) for quote in quotes if quote.strip()]
    if not found:
        raise Dropped("the reply quotes no evidence")
    if request.kind in _REPLY_TWO and not all(
        any(place == number for place, _ in found) for number in range(len(request.passages))
    ):
        raise Dropped("the evidence is not from both passages")
    return tuple(dict.fromkeys(item for _, item in found))


def _located(quote: str, passages: Sequence[Chunk]) -> tuple[int, DraftSource]:
    """The number of the passage that has the quotation, and its place in the document."""
    for number, chunk in enumerate(passages):
        at = chunk.text.find(quote.strip())
        end = at + len(quote.strip())
        if at < 0 and (span := find_phrase(quote, chunk.text)) is not None:
            at, end = span.start, span.end
        if at < 0:
            continue
        begin = text_start(chunk)
        start = None if begin is None else begin + at
        return number, DraftSource(
            source=chunk.source,
            text=chunk.text[at:end],
            start=start,
            end=None if start is None else start + end - at,
        )
    raise Dropped("the evidence is not in the passage")


def _answers(
    written: Any, question: str, evidence: Sequence[DraftSource], request: Request
) -> tuple[str, ...]:
    if request.kind == "unanswerable":
        return ()
    answer = str(written).strip() if isinstance(written, str | int | float) else ""
    if not answer or isinstance(written, bool):
        raise Dropped("the reply has no answer")
    if request.kind == "yes_no":
        words = wording(request.language)
        allowed = {word.casefold() for word in (*words["yes"], *words["no"])}
        if answer.strip(".。!").casefold() not in allowed:
            raise Dropped("the answer is not yes or no")
        return (answer.strip(".。!"),)
    if request.kind in _COPIED and not any(find_phrase(answer, item.text) for item in evidence):
        raise Dropped("the answer is not in the evidence")
    if find_phrase(answer, question) and request.kind != "comparison":
        raise Dropped("the question contains the answer")
    return (answer,)


USUAL_REPLY_TOKENS: Final = 120
"""The length of a reply, for the estimate, if the configuration does not say."""
_ROUNDS: Final = 2


class PromptedDrafts(Struct, kw_only=True):
    """How drafting with a model went.

    ``dropped`` counts the replies that are no drafts by the reason, ``failed`` the requests
    without a reply, of which ``problem`` is the first. ``paid`` is what all requests have cost, failed
    ones and those of earlier commands too.
    """

    selection: Selection = Selection(drafts=(), left_out={})
    asked: int = 0
    stored: int = 0
    failed: int = 0
    problem: str = ""
    dropped: dict[str, int] = msgspec.field(default_factory=dict)
    paid: float | None = None
    stopped: RunStopped | None = None


class DraftEstimate(Struct, frozen=True, kw_only=True):
    """Calls, tokens and cost of a first round; ``cost`` is None if no price is known."""

    calls: int
    stored: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


def estimate_drafts(
    store: Path,
    chunks: Sequence[Chunk],
    client: ModelClient,
    wanted: Wanted,
) -> DraftEstimate:
    """What a first round would take; nothing is asked."""
    first = list(islice(requests(chunks, wanted.kinds, wanted.seed), wanted.count))
    with VerdictStore(store) as replies:
        pending = [each for each in first if not replies.find(each.key, _ANSWER, _identity(client))]
    tokenizer = load_tokenizer("o200k_base")
    prompt = sum(
        tokenizer.count(message["content"]) for each in pending for message in each.messages
    )
    averages = client.config.averages
    reply = (averages.completion_tokens if averages else 0) or USUAL_REPLY_TOKENS
    completion = round(reply * len(pending))
    return DraftEstimate(
        calls=len(pending),
        stored=len(first) - len(pending),
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost=cost(client.config.price, prompt, completion),
    )


def draft_by_model(
    store: Path,
    chunks: Sequence[Chunk],
    client: ModelClient,
    wanted: Wanted,
    *,
    settings: RunSettings,
    backoff: Backoff | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> PromptedDrafts:
    """Draft questions with a model. Replies are kept in ``NAME.verdicts.jsonl`` beside ``store``."""
    make_folder(store.parent)
    with locked_journal(store), VerdictStore(store) as replies:
        work = _Work(client, replies, settings, backoff or Backoff(), wanted.count, progress)
        run_in_loop(work.go(requests(chunks, wanted.kinds, wanted.seed)))
    pool = DraftPool(wanted.count, wanted.seed)
    pool.add(work.drafts)
    result = work.result
    result.dropped = dict(work.dropped)
    result.selection = select(pool, wanted.count, wanted.kinds, one_of_a_sentence=False)
    return result


_ANSWER: Final = Answer(text="")
"""A reply is kept by its request; there is no answer that it is about."""


def _identity(client: ModelClient) -> str:
    return f"draft {prompt_digest()} {client.identity}"


class _Writer:
    """The model as the runner asks it: by case."""

    def __init__(self, client: ModelClient, pending: dict[str, Request]) -> None:
        self._client = client
        self._pending = pending

    @property
    def judge_identity(self) -> str | None:
        return _identity(self._client)

    async def judge(self, case: Case, answer: Answer) -> Any:
        reply = await self._client.chat(self._pending[case.key].messages)
        return {"reply": reply.text}


class _Work:
    """The asking itself, on an event loop, in rounds."""

    def __init__(
        self,
        client: ModelClient,
        replies: VerdictStore,
        settings: RunSettings,
        backoff: Backoff,
        count: int,
        progress: Callable[[int, int], None],
    ) -> None:
        self.result = PromptedDrafts(paid=replies.paid(_identity(client)))
        self._budget = Budget(
            settings.max_cost,
            "the drafts have",
            paid=self.result.paid,
            included="earlier replies",
        )
        self.drafts: list[Draft] = []
        self.dropped: Counter[str] = Counter()
        self._client = client
        self._replies = replies
        self._settings = settings
        self._backoff = backoff
        self._count = count
        self._progress = progress
        self._pending: dict[str, Request] = {}

    async def go(self, planned: Iterator[Request]) -> None:
        """Ask until there are enough drafts, or until a stop, or twice as often as is wanted."""
        stop = Stop()
        limit = AdaptiveLimit(self._settings.concurrency)
        writer = _Writer(self._client, self._pending)
        asker = VerdictAsker(
            writer,
            self._replies,
            self._settings,
            self._backoff,
            stop,
            limit,
            keeps_failures=True,
        )
        try:
            with interruptible(stop.request):
                for _ in range(_ROUNDS):
                    missing = self._count - len(self.drafts)
                    round_of = list(islice(planned, missing)) if missing > 0 else []
                    if not round_of or stop.requested():
                        break
                    await self._round(round_of, asker, limit, stop)
        finally:
            await self._client.close()
        self._budget.settle()
        self.result.paid = self._budget.paid
        self.result.stopped = stop.reason

    async def _round(
        self, asked: list[Request], asker: VerdictAsker, limit: AdaptiveLimit, stop: Stop
    ) -> None:
        fresh = {each.key: each for each in asked}
        self._pending.update(fresh)
        replies: dict[str, str] = {}

        async def perform(case: Case) -> None:
            known = self._replies.find(case.key, _ANSWER, _identity(self._client)) is not None
            judgement = await (
                asker.verdict(case, _ANSWER, ()) if known else self._buy(case, asker, stop)
            )
            if judgement is None:
                return
            if judgement.problem is not None:
                self.result.failed += 1
                self.result.problem = self.result.problem or judgement.problem
                return
            self.result.stored += known
            self.result.asked += not known
            said = judgement.verdict
            replies[case.key] = str(said.get("reply", "")) if isinstance(said, dict) else ""
            self._progress(self.result.stored + self.result.asked, self._count)

        self._budget.check(stop)
        cases = (_case(key, each) for key, each in fresh.items())
        await AsyncioExecutor(limit).execute(cases, perform, stop)
        for key, request in fresh.items():  # in the order of the plan, whoever replied first
            if key in replies:
                self._read(replies[key], request)

    async def _buy(self, case: Case, asker: VerdictAsker, stop: Stop) -> Judgement | None:
        """A new reply; ``None`` if the limit does not allow for it."""
        if not await self._budget.begin(stop):
            return None
        try:
            judgement = await asker.verdict(case, _ANSWER, ())
            self._budget.charge(judgement.bill, stop)
        finally:
            self._budget.end()
        return judgement

    def _read(self, reply: str, request: Request) -> None:
        try:
            self.drafts.append(read_draft(reply, request, self._client.config.model))
        except Dropped as reason:
            self.dropped[str(reason)] += 1


def _case(key: str, request: Request) -> Case:
    return Case(
        key=key,
        question=Question(id=key, text=request.kind),
        variant=Variant(name=request.kind),
        fingerprint="",
    )
