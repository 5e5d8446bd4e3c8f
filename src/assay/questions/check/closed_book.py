"""Questions that a model answers without the document: they measure its memory, not the system.

Each question with a known answer is asked alone. A choice question is asked without its choices,
because a guess among four is right every fourth time; a question of yes or no is not asked. Calls
go through the call cache, so that a check that was stopped continues without paying twice.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from msgspec import Struct

from assay.checks.answer import check_answer
from assay.config.experiment import RunSettings
from assay.errors import RunStopped
from assay.models.client import ModelClient
from assay.models.limit import AdaptiveLimit, Backoff
from assay.models.meter import Meter, cost
from assay.questions.check.item import Item, QuestionFault
from assay.questions.check.stated_answer import without_yes_no
from assay.records import Case, Question, Variant
from assay.runs.asker import Attempts
from assay.runs.budget import Budget
from assay.runs.executor import AsyncioExecutor, Stop, interruptible, run_in_loop
from assay.text.language import language
from assay.text.thought import without_thoughts
from assay.text.tokenizer import load_tokenizer
from assay.text.width import shortened
from assay.words.message import message

REPLY_TOKENS: Final = 30
"""The guessed length of a reply."""
_LONGEST_SHOWN: Final = 80
_PROMPTS: Final = "assay.questions.check"


class ClosedBookEstimate(Struct, frozen=True, kw_only=True):
    """What asking would take; ``cost`` is ``None`` if the model has no price."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


class ClosedBook(Struct, kw_only=True):
    """How asking went; ``problem`` is the first failure, ``stopped`` why not all were asked."""

    asked: int = 0
    failed: int = 0
    problem: str = ""
    paid: float | None = None
    findings: tuple[QuestionFault, ...] = ()
    stopped: RunStopped | None = None


def askable(items: Sequence[Item]) -> list[Item]:
    """The questions whose answers can be recognised in a reply."""
    return [
        item
        for item in items
        if item.answerable is not False
        and item.answers
        and all(without_yes_no(answer).strip() == answer.strip() for answer in item.answers)
    ]


def estimate_closed_book(items: Sequence[Item], client: ModelClient) -> ClosedBookEstimate:
    """The calls, tokens and cost, as if nothing were in the call cache."""
    tokenizer = load_tokenizer("o200k_base")
    asked = askable(items)
    tokens = sum(tokenizer.count(prompt(item)) for item in asked)
    reply = REPLY_TOKENS * len(asked)
    price = cost(client.config.price, tokens, reply)
    return ClosedBookEstimate(
        calls=len(asked), prompt_tokens=tokens, completion_tokens=reply, cost=price
    )


def ask_closed_book(
    items: Sequence[Item],
    client: ModelClient,
    settings: RunSettings,
    *,
    backoff: Backoff | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> ClosedBook:
    """Ask the model each question without any document, and find those that it answers."""
    work = _Work(askable(items), client, settings, backoff or Backoff(), progress)
    run_in_loop(work.go())
    return work.result


def prompt(item: Item) -> str:
    """What the model is asked, in the language of the question."""
    return _template(language(item.text)).replace("{{question}}", item.text)


@cache
def _template(name: str) -> str:
    found = files(_PROMPTS).joinpath("prompts", f"{name}.txt")
    return found.read_text(encoding="utf-8").rstrip("\n")


class _Work:
    """The asking itself, on an event loop."""

    def __init__(
        self,
        items: Sequence[Item],
        client: ModelClient,
        settings: RunSettings,
        backoff: Backoff,
        progress: Callable[[int, int], None],
    ) -> None:
        self._items = {str(number): item for number, item in enumerate(items)}
        self._client = client
        self._settings = settings
        self._backoff = backoff
        self._progress = progress
        self._found: dict[str, QuestionFault] = {}
        self._budget = Budget(settings.max_cost, "asking has")
        self.result = ClosedBook()

    async def go(self) -> None:
        """Ask all questions, or until a stop."""
        stop = Stop()
        limit = AdaptiveLimit(self._settings.concurrency)
        attempts = Attempts(
            timeout_s=self._settings.timeout_s,
            retries=self._settings.retries,
            backoff=self._backoff,
            stop=stop,
            limit=limit,
        )

        async def perform(case: Case) -> None:
            if not await self._budget.begin(stop):
                return
            try:
                await self._ask(case.key, attempts, stop)
            finally:
                self._budget.end()

        self._budget.check(stop)
        with interruptible(stop.request):
            try:
                await AsyncioExecutor(limit).execute(self._cases(), perform, stop)
            finally:
                await self._client.close()
        order = sorted(self._found.items(), key=lambda pair: int(pair[0]))
        self.result.findings = tuple(finding for _, finding in order)
        self._budget.settle()
        self.result.paid = self._budget.paid
        self.result.stopped = stop.reason

    def _cases(self) -> Iterator[Case]:
        variant = Variant(name="closed-book")
        for key, item in self._items.items():
            question = Question(id=item.id, text=item.text)
            yield Case(key=key, question=question, variant=variant, fingerprint="")

    async def _ask(self, key: str, attempts: Attempts, stop: Stop) -> None:
        item, spent = self._items[key], Meter()
        messages = [{"role": "user", "content": prompt(item)}]
        asked = await attempts.run(self._client.chat, messages, spent=spent)
        self._budget.charge(spent.usage(), stop)
        if asked.failure is not None or asked.value is None:
            self.result.failed += 1
            self.result.problem = self.result.problem or str(asked.failure)
        else:
            self.result.asked += 1
            if finding := _finding(item, without_thoughts(asked.value.text)):
                self._found[key] = finding
        self._progress(self.result.asked + self.result.failed, len(self._items))


def _finding(item: Item, reply: str) -> QuestionFault | None:
    if check_answer(item.answers, reply, item.text).outcome != "right":
        return None
    shown = shortened(reply, _LONGEST_SHOWN)
    return QuestionFault(
        kind="closed_book",
        what=message("the model answers it without the document: {shown}", shown=repr(shown)),
        id=item.id,
        line=item.line,
    )
