"""Estimate a run before it starts: its cases, distinct calls, tokens, cost and time.

The averages are those of the recorded rows, or else the ``averages`` that the user has
configured for a model; the time can also come from earlier runs of the same system. What a system of
the user takes comes from its recorded rows, from its earlier runs, or else from what is declared
(``per_question``). Only the numbers of cases are exact; every other figure is printed as an estimate.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.config.system import Averages, PerQuestion, Price
from assay.errors import JournalError
from assay.mask import sealed
from assay.models.meter import cost
from assay.records import Usage, Variant
from assay.runs.plan import Plan
from assay.runs.progress import duration
from assay.runs.read import read_rows
from assay.runs.row import RowHead
from assay.runs.summary import Summary, read_summary
from assay.runs.survey import Survey
from assay.systems.protocol import CountsCalls, System, declared_use, is_imported
from assay.text.width import padded
from assay.words.say import listed, say, say_n


class Estimate(Struct, frozen=True, kw_only=True):
    """What is known about a run beforehand; ``None`` means unknown.

    ``answered`` cases have a recorded answer that is judged without asking again. ``stale``
    answers were recorded by an earlier version of the experiment; if the system was not imported,
    there are none, because it is not known. ``own_calls`` are those of a system that makes its own;
    they and its cost come from ``own_basis`` if it is not the ``basis`` of the tokens.
    ``is_rough`` if something comes from the configuration, not from recorded calls;
    ``is_time_of_earlier_runs`` if the time comes from other runs than this one.
    """

    cases: int
    recorded: int
    answered: int = 0
    stale: int = 0
    calls: int | None = None
    calls_without_sharing: int | None = None
    own_calls: float | None = None
    prompt_tokens: float | None = None
    completion_tokens: float | None = None
    cost: float | None = None
    seconds: float | None = None
    basis: str = ""
    own_basis: str = ""
    is_rough: bool = False
    time_basis: str = ""
    is_time_of_earlier_runs: bool = False
    unbuildable: int = 0


class Pace(Struct, frozen=True, kw_only=True):
    """The mean time of an answer in earlier runs, what it took, and how many runs there were."""

    elapsed_s: float
    runs: int
    per_question: PerQuestion = PerQuestion()

    @property
    def basis(self) -> str:
        """Where the figure comes from, in words."""
        return say_n("an earlier run", "{n} earlier runs", self.runs)


class _Row(RowHead, frozen=True):
    """The head of a row with what its answer took."""

    usage: Usage | None = None
    elapsed_s: float | None = None


class Experience(Struct, frozen=True, kw_only=True):
    """What a journal tells about a run: what is done, and averages over the recorded rows.

    The averages are per call with known tokens, and per case.
    """

    survey: Survey
    rows: int
    prompt_tokens: float | None
    completion_tokens: float | None
    cost_per_call: float | None
    elapsed_s: float | None
    per_question: PerQuestion = PerQuestion()


def estimate(
    plan: Plan,
    system: System,
    journal: Path,
    *,
    concurrency: int,
    price: Price | None = None,
    averages: Averages | None = None,
    pace: Pace | None = None,
    fresh: bool = False,
) -> Estimate:
    """What it would take to ask the remaining cases of ``plan``, ``concurrency`` at a time.

    ``pace`` is used if the journal contains no times. With ``fresh`` all cases are asked again,
    and the recorded rows are used only for the averages.
    """
    return estimate_from(
        read_experience(journal, plan, fresh=fresh),
        plan,
        system,
        concurrency=concurrency,
        price=price,
        averages=averages,
        pace=pace,
    )


def estimate_from(
    experience: Experience,
    plan: Plan,
    system: System,
    *,
    concurrency: int,
    price: Price | None = None,
    averages: Averages | None = None,
    pace: Pace | None = None,
) -> Estimate:
    """Like ``estimate``, from a journal that was read already."""
    survey = experience.survey
    result = survey.result()
    pending = plan.total - result.done - len(result.answered)
    calls, unshared = _calls(survey, system)
    prompt, completion = experience.prompt_tokens, experience.completion_tokens
    recorded_rows = say_n("{n} recorded row", "{n} recorded rows", experience.rows)
    basis = recorded_rows if experience.rows else ""
    is_rough = prompt is None and averages is not None
    if prompt is None and averages is not None:
        prompt, completion = averages.prompt_tokens, averages.completion_tokens
        basis = say("the averages in the configuration")
    elapsed, time_basis = experience.elapsed_s, recorded_rows
    if elapsed is None:
        elapsed, time_basis = (pace.elapsed_s, pace.basis) if pace is not None else (None, "")
    at_once = min(concurrency, system.max_concurrency or concurrency)
    tokens_known = calls is not None and prompt is not None and completion is not None
    own = PerQuestion()
    if calls is None:  # a system of the user: each answer takes what the earlier ones took
        own, prompt, completion = experience.per_question, None, None
        if own == PerQuestion() and pace is not None and pace.per_question != own:
            own, basis = pace.per_question, pace.basis
        known = own
        own = _completed(own, declared_use(system))
        is_rough = own != known
        if is_rough:
            said = say("`per_question` in the configuration")
            basis = said if known == PerQuestion() else listed([basis, said])
    return Estimate(
        cases=plan.total,
        recorded=result.done,
        answered=len(result.answered),
        stale=len(result.stale) if is_imported(system) else 0,
        calls=calls,
        calls_without_sharing=unshared,
        own_calls=_times(pending, own.calls),
        prompt_tokens=calls * prompt
        if tokens_known and calls and prompt
        else _times(pending, own.prompt_tokens),
        completion_tokens=calls * completion
        if tokens_known and calls and completion
        else _times(pending, own.completion_tokens),
        cost=_cost(calls, experience, price, prompt, completion)
        if calls is not None
        else _times(pending, own.cost),
        seconds=pending * elapsed / at_once if elapsed is not None else None,
        basis=basis,
        is_rough=is_rough,
        time_basis=time_basis,
        is_time_of_earlier_runs=experience.elapsed_s is None and pace is not None,
    )


def _completed(known: PerQuestion, declared: PerQuestion) -> PerQuestion:
    """What is known, and what is declared for the rest."""
    fields = PerQuestion.__struct_fields__
    missing = {name: getattr(declared, name) for name in fields if getattr(known, name) is None}
    return replace(known, **missing)


def _times(count: int, each: float | None) -> float | None:
    return None if each is None else count * each


def estimate_lines(figures: Estimate) -> list[str]:
    """The estimate in words, one fact per line."""
    to_ask = figures.cases - figures.recorded - figures.answered - figures.unbuildable
    counts = [
        say("{n} recorded", n=figures.recorded),
        *([say("{n} answered and to be judged", n=figures.answered)] if figures.answered else []),
        *([say("{n} cannot be built", n=figures.unbuildable)] if figures.unbuildable else []),
        say("{n} to ask", n=to_ask),
    ]
    lines = [
        say("dry run: nothing is asked"),
        _line("cases", f"{figures.cases} ({listed(counts)})"),
    ]
    if figures.stale:
        stale = say(
            "{n} recorded answers belong to an earlier version of this experiment; the run needs "
            "--resume refresh, fresh or keep",
            n=figures.stale,
        )
        lines.append(_line("stale", stale))
    if figures.calls is None and figures.own_calls is None:
        lines.append(_line("calls", say("not known: the system makes its own")))
    elif figures.calls is None:
        about = say("about {amount}", amount=f"{figures.own_calls:,.0f}")
        basis = _basis(figures, figures.own_basis or figures.basis)
        lines.append(_line("calls", f"{about} ({basis})"))
    else:
        calls = say_n(
            "{n} distinct model call at most ({m} without sharing)",
            "{n} distinct model calls at most ({m} without sharing)",
            figures.calls,
            m=figures.calls_without_sharing,
        )
        lines.append(_line("calls", calls))
    return [*lines, *_amounts(figures, to_ask)]


def _basis(figures: Estimate, basis: str) -> str:
    """Where calls, tokens or cost come from."""
    if figures.is_rough:
        return say("rough estimate from {basis}", basis=basis)
    return say("estimate from {basis}", basis=basis)


def _amounts(figures: Estimate, to_ask: int) -> Iterator[str]:
    """What is known about tokens, cost and time."""
    of = _basis(figures, figures.basis)
    if figures.prompt_tokens is not None:
        tokens = say(
            "about {given:,.0f} in, {out:,.0f} out",
            given=float(figures.prompt_tokens),
            out=float(figures.completion_tokens or 0),
        )
        yield _line("tokens", f"{tokens} ({of})")
    if figures.cost is not None:
        of = _basis(figures, figures.own_basis or figures.basis)
        yield _line("cost", say("about {amount}", amount=f"{figures.cost:.4f}") + f" ({of})")
    elif figures.calls is None and figures.basis and to_ask:
        yield _line("cost", say("not known: no answer of this system has a recorded cost"))
    if figures.seconds is not None:
        since = say("estimate from {basis}", basis=figures.time_basis or figures.basis)
        about = say("about {amount}", amount=duration(figures.seconds))
        yield _line("time", f"{about} ({since})")
    if not figures.basis and (figures.seconds is None or figures.calls):
        what = say("tokens, cost and time" if figures.seconds is None else "tokens and cost")
        hint = (
            say("; set `averages` of the model for a rough estimate")
            if figures.calls
            else say("; set `per_question` of the system for a rough estimate")
        )
        yield say("{what}: nothing recorded yet to estimate them from", what=what) + hint


def _line(label: str, text: str) -> str:
    return padded(say(label), 8) + text


def expectation_line(
    plan: Plan, system: System, survey: Survey, *, concurrency: int, pace: Pace | None
) -> str:
    """The expected size and time of a run that starts now, in one line; empty if both are unknown.

    It uses only the survey of the journal and the summaries of earlier runs; no row is read.
    """
    recorded = survey.result().done
    calls, _ = _calls(survey, system)
    facts = []
    if recorded:
        facts.append(say_n("{n} case recorded earlier", "{n} cases recorded earlier", recorded))
    if calls:
        facts.append(say_n("{n} model call at most", "{n} model calls at most", calls))
    if pace is not None and recorded < plan.total:
        at_once = min(concurrency, system.max_concurrency or concurrency)
        seconds = (plan.total - recorded) * pace.elapsed_s / at_once
        about = say("about {amount}", amount=duration(seconds))
        facts.append(f"{about} ({say('estimate from {basis}', basis=pace.basis)})")
    return padded(say("expected"), 12) + listed(facts) if facts else ""


def past_pace(folder: Path, job: str, plan: Plan, *, imported: bool = True) -> Pace | None:
    """How fast the system of ``plan`` answered in earlier runs of ``job`` in this folder.

    The version of a system that was not ``imported`` is not known, so every version counts. The
    pace of a variant is that of earlier runs with the same settings. Returns ``None`` if some
    settings were not run yet: other settings may be thousands of times faster or slower.
    """

    def is_same(system: str) -> bool:
        if imported:
            return system == sealed(plan.system)
        return system.partition("@")[0] == plan.system.partition(" ")[0]

    wanted = {_settings_key(variant) for variant in plan.variants}
    times: dict[bytes, list[tuple[float, int]]] = {}
    bills: dict[bytes, list[tuple[Mapping[str, Any], int]]] = {}
    runs = 0
    for path in sorted(folder.glob("*.json")):
        try:
            summary = read_summary(path)
        except (JournalError, OSError):
            continue  # not a summary of a run
        if summary is None or summary.job != job or not is_same(sealed(summary.system)):
            continue
        latencies = [each for each in _latencies(summary) if each[0] in wanted]
        runs += bool(latencies)
        for settings, mean, count in latencies:
            times.setdefault(settings, []).append((mean, count))
        for settings, bill, count in _bills(summary):
            bills.setdefault(settings, []).append((bill, count))
    if times.keys() != wanted:
        return None
    paces = [_weighted(times[_settings_key(variant)]) for variant in plan.variants]
    each = [_per_question(bills.get(_settings_key(variant), [])) for variant in plan.variants]
    return Pace(
        elapsed_s=sum(paces) / len(paces),
        runs=runs,
        per_question=PerQuestion(
            calls=_mean([one.calls for one in each]),
            prompt_tokens=_mean([one.prompt_tokens for one in each]),
            completion_tokens=_mean([one.completion_tokens for one in each]),
            cost=_mean([one.cost for one in each]),
        ),
    )


def _bills(summary: Summary) -> Iterator[tuple[bytes, Mapping[str, Any], int]]:
    """Settings, bill and number of scored answers of each variant whose calls were counted."""
    results = summary.results.get("variants", {})
    for variant in summary.variants:
        values = results.get(variant.name, {})
        bill, count = values.get("bill"), values.get("scored")
        if isinstance(bill, Mapping) and count and bill.get("calls"):
            yield _settings_key(variant), bill, count


def _per_question(bills: Sequence[tuple[Mapping[str, Any], int]]) -> PerQuestion:
    """The mean over the answers of several runs; a run without a price says nothing of cost."""

    def mean(name: str) -> float | None:
        known = [(bill[name], count) for bill, count in bills if bill.get(name) is not None]
        answers = sum(count for _, count in known)
        return sum(value for value, _ in known) / answers if answers else None

    return PerQuestion(
        calls=mean("calls"),
        prompt_tokens=mean("prompt_tokens"),
        completion_tokens=mean("completion_tokens"),
        cost=mean("cost"),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    """The mean; ``None`` if one of the values is not known."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _latencies(summary: Summary) -> Iterator[tuple[bytes, float, int]]:
    """Settings, mean latency and number of answers of each variant that was timed."""
    results = summary.results.get("variants", {})
    for variant in summary.variants:
        values = results.get(variant.name, {})
        mean, count = values.get("avg_latency_s"), values.get("n", {}).get("avg_latency_s")
        if mean is not None and count:
            yield _settings_key(variant), mean, count


def _settings_key(variant: Variant) -> bytes:
    return msgspec.json.encode(variant.settings, order="sorted")


def _weighted(means: Sequence[tuple[float, int]]) -> float:
    return sum(mean * count for mean, count in means) / sum(count for _, count in means)


def _calls(survey: Survey, system: System) -> tuple[int | None, int | None]:
    """The distinct calls of the pending cases, and the calls if none were shared."""
    if not isinstance(system, CountsCalls):
        return None, None
    distinct: set[tuple[str, str]] = set()
    unshared = 0
    signatures: dict[str, tuple[str, ...]] = {}
    for case in survey.to_ask():
        name = case.variant.name
        if name not in signatures:
            signatures[name] = system.calls(case.variant.settings)
        unshared += len(signatures[name])
        where = f"{case.question.id}{case.placement or ''}{case.run or 1}"
        distinct.update((where, signature) for signature in signatures[name])
    return len(distinct), unshared


def read_experience(journal: Path, plan: Plan, *, fresh: bool) -> Experience:
    """Read a journal once: how much of the plan is done, and what the recorded answers took.

    With ``fresh`` nothing counts as done.
    """
    survey = Survey(plan)
    rows = metered = priced = prompt = completion = metered_rows = priced_rows = 0
    calls = counted_rows = 0
    money = 0.0
    elapsed: list[float] = []
    for heads in read_rows(journal, _Row) if journal.exists() else ():
        if not fresh:
            survey.add(list(heads))
        for row in heads:
            if row.status != "scored":
                continue
            rows += 1
            if row.elapsed_s is not None:
                elapsed.append(row.elapsed_s)
            usage = row.usage
            if usage is not None and usage.calls:
                calls += usage.calls
                counted_rows += 1
            metered_calls = usage.calls - usage.unmetered_calls if usage is not None else 0
            if usage is None or metered_calls <= 0:
                continue  # unknown tokens are not zero tokens
            metered += metered_calls
            metered_rows += 1
            prompt += usage.prompt_tokens
            completion += usage.completion_tokens
            if usage.cost is not None:
                priced += metered_calls
                priced_rows += 1
                money += usage.cost
    survey.accept_corrected(journal)
    return Experience(
        survey=survey,
        rows=rows,
        prompt_tokens=prompt / metered if metered else None,
        completion_tokens=completion / metered if metered else None,
        cost_per_call=money / priced if priced else None,
        elapsed_s=sum(elapsed) / len(elapsed) if elapsed else None,
        per_question=PerQuestion(
            calls=calls / counted_rows if counted_rows else None,
            prompt_tokens=prompt / metered_rows if metered_rows else None,
            completion_tokens=completion / metered_rows if metered_rows else None,
            cost=money / priced_rows if priced_rows else None,
        ),
    )


def _cost(
    calls: int | None,
    experience: Experience,
    price: Price | None,
    prompt: float | None,
    completion: float | None,
) -> float | None:
    if calls is None:
        return None
    if experience.cost_per_call is not None:
        return calls * experience.cost_per_call
    if price is None or prompt is None or completion is None:
        return None
    return cost(price, round(calls * prompt), round(calls * completion))


def model_facts(system: Any) -> tuple[Price | None, Averages | None]:
    """Price and averages of the model that a system uses, if it has one."""
    config = getattr(system, "model_config", None)
    return (config.price, config.averages) if config is not None else (None, None)
