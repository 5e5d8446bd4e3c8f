"""The reference contract reviewer: rules, laws and, if one is configured, a model.

Offline it is a rule engine: it quotes the sentence that matched a rule, cites the rule's laws
with the text of their articles, and gives the rule's suggestion. With a model, the rules that
matched and the articles become part of the prompt, and the model writes the review. Without rules
it looks for a few words that often stand near a risk: the rules and laws of the sample are used
only if they are named.
"""

import time
from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.config import ReviewerConfig, nearest
from assay.data.contract import Rule, RuleBook, read_rules
from assay.errors import SystemLoadError, UseError
from assay.records import Answer, Question, Stage, digest
from assay.scorers.risk import Level
from assay.scorers.risk.reply import Risk, join_lines
from assay.systems.context import SystemContext, model_client
from assay.systems.protocol import Setting
from assay.systems.reviewer.law import Article, LawBook, read_law_book, with_text
from assay.systems.reviewer.lexicon import lexicon
from assay.systems.reviewer.prompt import PromptedReviewer, reply_text
from assay.systems.reviewer.rule import Trigger, distinct_rules, negated, triggers
from assay.systems.reviewer.text import Style, analysis_of, written_review
from assay.text import Count, Language
from assay.text import language as detect_language

SAMPLE: Final = Path(__file__).parents[2] / "data" / "samples" / "review"
"""The folder with the sample rules and laws that come with assay."""

SETTINGS: Final[Mapping[str, Setting]] = {
    "prompt_style": Setting(
        choices=("raw", "basic", "guided"),
        default="guided",
        description="how strictly the form of the reply is laid down",
    ),
    "rules_enabled": Setting(
        kind=bool,
        default=True,
        aliases=("rules",),
        description="rules, or a few words that often stand near a risk",
    ),
    "law_lookup_enabled": Setting(
        kind=bool,
        default=True,
        aliases=("law_lookup",),
        only_when={"rules_enabled": True},
        description="articles are looked up, or cited as the rules have them",
    ),
    "reflection_enabled": Setting(
        kind=bool,
        default=True,
        aliases=("reflection",),
        description="a second look: what a negation turned round is dropped",
    ),
}


class ReviewSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The values of all settings of the reviewer."""

    prompt_style: Style = "guided"
    rules_enabled: bool = True
    law_lookup_enabled: bool = True
    reflection_enabled: bool = True


class Reviewer:
    """Reviews clauses. ``Answer.extra["rules"]`` lists the ids of the rules that matched."""

    def __init__(
        self, rules: RuleBook, laws: LawBook, *, prompted: PromptedReviewer | None = None
    ) -> None:
        self._rules = rules
        self._laws = laws
        self._prompted = prompted

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the rules."""
        without = Count(sum(rule.level is None for rule in self._rules.rules))
        level_note = (
            f"{without} {without:rule has|rules have} no level; a clause in which only "
            f"{without:it is|they are} found gets none and counts as unparsed"
            if without
            else ""
        )
        return tuple(filter(None, (*self._rules.notes, level_note)))

    def with_levels(self, levels: Mapping[str, Level]) -> "Reviewer":
        """The reviewer whose rules without a level have the one in ``levels``, by risk id."""
        return Reviewer(self._rules.with_levels(levels), self._laws, prompted=self._prompted)

    @property
    def identity(self) -> str:
        """The hashes of the rules and the laws, and what writes the review."""
        writer = self._prompted.identity if self._prompted else "extractive"
        rules = self._rules.sha256[:12] or "no rules"
        return f"reviewer:{rules}:{self._laws.sha256[:12]}:{writer}"

    @property
    def has_rules(self) -> bool:
        """Whether there are rules; the settings of rules and laws have no effect without them."""
        return bool(self._rules.rules)

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """The declarations of the four settings."""
        return SETTINGS

    @property
    def max_concurrency(self) -> int | None:
        """The concurrency that the model's configuration allows; None without a model."""
        return self._prompted.client.config.concurrency if self._prompted else None

    def check(self, settings: Mapping[str, Any]) -> None:
        """Refuse to switch off rules, or laws that rules cite, if there are none."""
        chosen = _read_settings(settings)
        if not self.has_rules and not (chosen.rules_enabled and chosen.law_lookup_enabled):
            name = "law_lookup_enabled" if chosen.rules_enabled else "rules_enabled"
            raise UseError(
                f"{name} has no effect: the reviewer has no rules; name a file with --rules"
            )

    def calls(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """The calls for the review and, with reflection, for the check of it."""
        if self._prompted is None:
            return ()
        chosen = msgspec.to_builtins(_read_settings(settings))
        reflects = chosen.pop("reflection_enabled")
        review = f"review-{digest(chosen)}"
        return (review, f"reflect-{digest(chosen)}") if reflects else (review,)

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Review one clause; the reply is in the clause's language."""
        chosen = _read_settings(settings)
        if not self.has_rules:
            chosen = replace(chosen, rules_enabled=False)
        clause, language = question.text, detect_language(question.text)
        stages: list[Stage] = []
        matches = self._match_rules(clause, language, chosen, stages)
        articles = self._look_up_laws(matches, language, chosen, stages)
        rules = distinct_rules(matches) if chosen.rules_enabled else []
        finish: str | None = None
        extra: dict[str, Any] = {"rules": [rule.risk_id for rule in rules]}
        if self._prompted is None:
            risks = _risks(matches, articles, language, chosen)
            text = written_review(risks, chosen.prompt_style, language)
        else:
            reply = await self._prompted.review(
                clause,
                language,
                chosen.prompt_style,
                rules=rules,
                articles=list(_distinct(articles).values()),
                reflect=chosen.reflection_enabled,
            )
            text, finish = reply_text(reply), reply.finish_reason
            if reply.truncated:
                extra["truncated"] = True
        return Answer(
            text=text,
            passages=tuple(article.passage for article in _distinct(articles).values()),
            stages=tuple(stages),
            finish_reason=finish,
            extra=extra,
        )

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Open the model's connections."""
        if self._prompted is not None:
            await self._prompted.open_connections(concurrency)

    async def close(self) -> None:
        """Release the model's connections."""
        if self._prompted is not None:
            await self._prompted.close()

    def _match_rules(
        self, clause: str, language: Language, chosen: ReviewSettings, stages: list[Stage]
    ) -> list[Trigger]:
        """The matches of the rules; with reflection and without a model, only those not negated.

        Appends the stages ``rules`` and ``reflection`` to ``stages``.
        """
        began = time.perf_counter()
        rules = self._rules.rules if chosen.rules_enabled else lexicon()
        matches = triggers(rules, clause, language)
        ids = [rule.risk_id for rule in distinct_rules(matches)]
        stages.append(_stage("rules", began, fired=ids, lexicon=not chosen.rules_enabled))
        began = time.perf_counter()
        if not chosen.reflection_enabled:
            stages.append(Stage(name="reflection", skipped="reflection_enabled is off"))
        elif self._prompted is not None:
            stages.append(Stage(name="reflection", skipped="the model takes the second look"))
        else:
            kept = [trigger for trigger in matches if not negated(trigger, clause, language)]
            remaining = {rule.risk_id for rule in distinct_rules(kept)}
            dropped = [name for name in ids if name not in remaining]
            stages.append(_stage("reflection", began, dropped=dropped))
            matches = kept
        return matches

    def _look_up_laws(
        self,
        matches: Sequence[Trigger],
        language: Language,
        chosen: ReviewSettings,
        stages: list[Stage],
    ) -> dict[str, list[Article]]:
        """For each rule's id, the articles that the rule cites and the law book has.

        Appends the stage ``law_lookup`` to ``stages``.
        """
        began = time.perf_counter()
        if not chosen.law_lookup_enabled:
            stages.append(Stage(name="law_lookup", skipped="law_lookup_enabled is off"))
            return {}
        known: dict[str, list[Article]] = {
            rule.risk_id: [
                article
                for citation in rule.laws[language]
                for article in self._laws.articles(citation)
            ]
            for rule in distinct_rules(matches)
        }
        stages.append(_stage("law_lookup", began, cited=list(_distinct(known))))
        return known


def load_reviewer(config: ReviewerConfig, context: SystemContext) -> Reviewer:
    """Load the reviewer that a configuration describes, with the rules and laws that it names."""
    rules, laws = RuleBook(rules=(), sha256=""), LawBook()
    if config.rules is not None:
        rules = read_rules(context.path(config.rules, "rules"))
    if config.laws is not None:
        laws = read_law_book(context.path(config.laws, "laws"))
    return Reviewer(rules, laws, prompted=_load_prompted(config.generator, context))


def _load_prompted(spec: str, context: SystemContext) -> PromptedReviewer | None:
    kind, _, rest = spec.partition(":")
    match kind:
        case "extractive":
            return None
        case "openai":
            return PromptedReviewer(model_client(rest, context))
        case _:
            known = ("extractive", "openai:MODEL")
            raise SystemLoadError(f"there is no generator {spec!r}{nearest(spec, known)}")


def _read_settings(settings: Mapping[str, Any]) -> ReviewSettings:
    try:
        return msgspec.convert(dict(settings), ReviewSettings)
    except msgspec.ValidationError as error:
        raise UseError(f"settings of the reviewer: {error}") from None


def _risks(
    matches: Sequence[Trigger],
    articles: Mapping[str, Sequence[Article]],
    language: Language,
    chosen: ReviewSettings,
) -> list[Risk]:
    """One risk for each rule that matched, the most serious first."""
    return [
        _risk(
            rule,
            [trigger for trigger in matches if trigger.rule is rule],
            articles.get(rule.risk_id, ()),
            language,
            chosen,
        )
        for rule in distinct_rules(matches)
    ]


def _risk(
    rule: Rule,
    matches: Sequence[Trigger],
    articles: Sequence[Article],
    language: Language,
    chosen: ReviewSettings,
) -> Risk:
    if chosen.law_lookup_enabled:
        laws = [with_text(article, language) for article in articles]
    else:
        laws = list(rule.laws[language])
    # the lines of a clause may break anywhere, but a quotation must be on one line
    quotations = dict.fromkeys(
        reduce(join_lines, trigger.sentence.split("\n")) for trigger in matches
    )
    return Risk(
        title=rule.name[language],
        level=rule.level,
        risk_ids=(rule.risk_id,) if chosen.rules_enabled else (),
        evidence=tuple(quotations),
        analysis=analysis_of(matches[0].words, language),
        laws=tuple(laws),
        suggestion=rule.suggestion[language],
    )


def _distinct(articles: Mapping[str, Sequence[Article]]) -> dict[str, Article]:
    return {article.name: article for group in articles.values() for article in group}


def _stage(name: str, began: float, **detail: Any) -> Stage:
    return Stage(name=name, elapsed_s=time.perf_counter() - began, detail=detail)
