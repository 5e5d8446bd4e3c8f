"""The reference reviewer: rules offline, and a model with the same rules in its prompt."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest

from assay.config.system import ReviewerConfig
from assay.data.contract.clause import read_clauses
from assay.data.contract.rule import read_rules
from assay.errors import DatasetError, SystemLoadError, UseError
from assay.records import Answer, Question, Stage
from assay.scorers.risk.level import highest_level
from assay.scorers.risk.reply.parse import parse_review
from assay.systems import SystemContext, check_settings, load_system
from assay.systems.protocol import CountsCalls, System
from assay.systems.reviewer import SAMPLE, load_reviewer
from assay.systems.reviewer.law import LawBook, read_law_book
from assay.systems.reviewer.prompt import ROLES, PromptedReviewer, prompt
from assay.systems.reviewer.reviewer import Reviewer
from assay.systems.reviewer.rule import negated, triggers
from assay.text import Language, language
from tests.support.model_client import KEY, VARIABLE, make_client, model_config
from tests.support.model_server import ModelServer

LANGUAGES: tuple[Language, ...] = get_args(Language)
ENGLISH = (
    "The Loan of $3,000 carries interest at 5% per month. On default the Borrower also pays a "
    "penalty of 40% of the balance within two days."
)
RENEWAL: dict[Language, str] = {
    "zh": "期满自动续约一年。",
    "ru": "Договор автоматически продлевается на год.",
    "en": "The plan renews automatically for a year.",
}
NO_RENEWAL: dict[Language, str] = {
    "zh": "期满即告终止，不自动续约。",
    "ru": "Автоматическое продление не допускается.",
    "en": "The plan does not renew automatically.",
}


@pytest.fixture(scope="module")
def reviewer() -> Reviewer:
    """The reviewer with the sample's rules and laws."""
    return Reviewer(read_rules(SAMPLE / "rules.yaml"), read_law_book(SAMPLE / "laws.jsonl"))


def ask(system: System, clause: str, settings: Mapping[str, Any] | None = None) -> Answer:
    """The review of one clause."""
    return asyncio.run(system.ask(Question(id="c", text=clause), settings or {}, 10))


def stage(answer: Answer, name: str) -> Stage:
    """The stage of that name."""
    return next(one for one in answer.stages if one.name == name)


def test_every_rule_that_fires_is_a_risk_with_its_sentence(reviewer: Reviewer):
    """Guided: level, id, the sentence that fired, the article's text, the rule's suggestion."""
    answer = ask(reviewer, ENGLISH)
    review = parse_review(answer.text)
    assert review.unread == ()
    assert review.risk_level == "high"
    assert review.risk_ids == answer.extra["rules"] == ["R01", "R14"]
    assert review.evidence == [
        "On default the Borrower also pays a penalty of 40% of the balance within two days.",
        "The Loan of $3,000 carries interest at 5% per month.",
    ]
    assert review.laws[0].startswith("Harbour Contracts Act, section 22: “A court may reduce")
    assert [passage.id for passage in answer.passages] == [
        "Harbour Contracts Act#22",
        "Harbour Contracts Act#31",
    ]
    assert all(risk.suggestion for risk in review.risks)


def test_every_reply_to_the_sample_is_read_back_whole(reviewer: Reviewer):
    """In the two strict styles the parser leaves nothing unread, and every quotation stands."""
    clauses = read_clauses(SAMPLE / "clauses.jsonl")
    for style in ("basic", "guided"):
        for clause in clauses:
            review = parse_review(ask(reviewer, clause.text, {"prompt_style": style}).text)
            assert review.parsed
            assert review.unread == ()
            assert all(quoted in clause.text for quoted in review.evidence)


def test_a_clause_is_as_risky_as_the_gravest_rule_it_fires(reviewer: Reviewer):
    """The verdict is the highest level of the rules that fired, and low where none did."""
    rules = {rule.risk_id: rule.level for rule in read_rules(SAMPLE / "rules.yaml").rules}
    for clause in read_clauses(SAMPLE / "clauses.jsonl"):
        answer = ask(reviewer, clause.text)
        fired = [rules[name] for name in answer.extra["rules"]]
        assert parse_review(answer.text).risk_level == (highest_level(fired) or "low")


def test_the_style_decides_how_much_form_there_is(reviewer: Reviewer):
    """Basic names the gravest risk alone; raw is prose that states a level only of a risk."""
    basic = parse_review(ask(reviewer, ENGLISH, {"prompt_style": "basic"}).text)
    assert [risk.risk_ids for risk in basic.risks] == [("R01",)]
    raw = parse_review(ask(reviewer, ENGLISH, {"prompt_style": "raw"}).text)
    assert (raw.risk_level, raw.evidence, raw.suggestion) == ("high", [], "")
    fine = parse_review(
        ask(reviewer, "The parties meet once a year.", {"prompt_style": "raw"}).text
    )
    assert fine.risk_level is None


def test_without_rules_a_few_words_take_their_place(reviewer: Reviewer):
    """The lexicon still finds the penalty, names no rule, and sees less."""
    answer = ask(reviewer, ENGLISH, {"rules_enabled": False})
    review = parse_review(answer.text)
    assert (review.risk_level, review.risk_ids, answer.extra["rules"]) == ("medium", [], [])
    assert stage(answer, "rules").detail["lexicon"] is True


def test_without_lookup_laws_are_cited_as_the_rules_have_them(reviewer: Reviewer):
    """No article is looked up and none quoted."""
    answer = ask(reviewer, ENGLISH, {"law_lookup_enabled": False})
    assert parse_review(answer.text).laws[0] == "Harbour Contracts Act, section 22"
    assert answer.passages == ()
    assert stage(answer, "law_lookup").skipped


def test_a_law_that_the_store_has_not_is_not_cited():
    """Looking up keeps a reviewer from citing what it cannot show."""
    bare = Reviewer(read_rules(SAMPLE / "rules.yaml"), LawBook())
    assert parse_review(ask(bare, ENGLISH).text).laws == []
    assert parse_review(ask(bare, ENGLISH, {"law_lookup_enabled": False}).text).laws


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_reflection_drops_what_a_negation_turned_round(reviewer: Reviewer, spoken: Language):
    """A clause that forbids renewal is no renewal; without the second look it is taken for one."""
    for reflects in (True, False):
        settings = {"reflection_enabled": reflects}
        assert ask(reviewer, RENEWAL[spoken], settings).extra["rules"] == ["R06"]
    answer = ask(reviewer, NO_RENEWAL[spoken])
    assert answer.extra["rules"] == []
    assert stage(answer, "reflection").detail["dropped"] == ["R06"]
    assert ask(reviewer, NO_RENEWAL[spoken], {"reflection_enabled": False}).extra["rules"] == [
        "R06"
    ]


@pytest.mark.parametrize(
    ("clause", "turned"),
    [
        ("任何一方均不得随时解除合同。", True),
        ("甲方不满意的，可以随时解除合同。", False),
        ("Ни одна из сторон не вправе передать договор без согласия.", True),
        ("Если товар не принят, право толкования принадлежит Продавцу.", False),
        ("Neither party may assign this agreement without consent.", True),
        ("A Buyer who does not do so waives any claim.", False),
        ("The Shop is not a bank, and automatic renewal follows.", False),
    ],
)
def test_only_a_negation_of_the_trigger_counts(clause: str, turned: bool):
    """A negation elsewhere in the sentence changes nothing."""
    spoken = language(clause)
    found = triggers(read_rules(SAMPLE / "rules.yaml").rules, clause, spoken)
    assert found
    assert all(negated(one, clause, spoken) is turned for one in found)


def test_a_wrapped_clause_is_quoted_on_one_line(reviewer: Reviewer):
    """A line break inside the sentence does not break the form of the reply."""
    review = parse_review(ask(reviewer, "The plan lasts a year\nand renews automatically.").text)
    assert review.evidence == ["The plan lasts a year and renews automatically."]


def test_settings_are_declared_and_checked(reviewer: Reviewer):
    """Unknown names and values are refused, with the nearest name."""
    check_settings(reviewer, {"prompt_style": "raw", "rules_enabled": False}, "v")
    with pytest.raises(UseError, match="did you mean 'rules_enabled'"):
        check_settings(reviewer, {"rule_enabled": True}, "v")
    with pytest.raises(UseError, match="takes one of 'raw', 'basic', 'guided'"):
        check_settings(reviewer, {"prompt_style": "strict"}, "v")
    with pytest.raises(UseError, match="takes bool"):
        check_settings(reviewer, {"reflection_enabled": 1}, "v")
    with pytest.raises(UseError, match="settings of the reviewer"):
        ask(reviewer, ENGLISH, {"prompt_style": "strict"})


def test_the_identity_tells_rules_and_laws(tmp_path: Path):
    """Another rule file or another law file is another system."""
    rules, laws = tmp_path / "rules.yaml", tmp_path / "laws.jsonl"
    rules.write_bytes((SAMPLE / "rules.yaml").read_bytes())
    laws.write_bytes((SAMPLE / "laws.jsonl").read_bytes())
    around = SystemContext(tmp_path)

    def identity() -> str:
        return load_reviewer(ReviewerConfig(rules="rules.yaml", laws="laws.jsonl"), around).identity

    first = identity()
    assert first == load_reviewer(ReviewerConfig(), around).identity
    assert first == load_system("reviewer").identity
    laws.write_bytes(laws.read_bytes() + b"\n")
    second = identity()
    rules.write_bytes(rules.read_bytes() + b"\n")
    assert len({first, second, identity()}) == 3


def test_what_cannot_be_loaded_is_told(tmp_path: Path):
    """A missing file and an unknown generator are one line each."""
    with pytest.raises(DatasetError, match=r"none\.yaml"):
        load_reviewer(ReviewerConfig(rules="none.yaml"), SystemContext(tmp_path))
    with pytest.raises(SystemLoadError, match="there is no generator 'opnai:m'"):
        load_reviewer(ReviewerConfig(generator="opnai:m"), SystemContext(tmp_path))


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("role", ROLES)
def test_every_prompt_has_its_slots(role: str, spoken: Language):
    """Prompts that ask hold the clause, the fence and the hints; pieces hold their items."""
    system, user = prompt(role, spoken)
    if role in {"rules", "laws"}:
        assert "{{items}}" in system
        assert not user
        return
    assert "{{fence}}" in system
    assert "{{rules}}{{laws}}" in user
    assert "{{clause}}" in user
    assert ("{{draft}}" in user) is (role == "reflect")
    assert language(system) == spoken


class Talk:
    """A prompted reviewer over a server that says what it is told to."""

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.sent: list[list[dict[str, str]]] = []

    def ask(self, clause: str, settings: Mapping[str, Any] | None = None) -> Answer:
        """The model's review of a clause."""

        def respond(body: dict[str, Any]) -> str:
            self.sent.append(body["messages"])
            return self.replies[len(self.sent) - 1]

        async def story() -> Answer:
            system = Reviewer(
                read_rules(SAMPLE / "rules.yaml"),
                read_law_book(SAMPLE / "laws.jsonl"),
                prompted=PromptedReviewer(make_client(model_config(server))),
            )
            try:
                return await system.ask(Question(id="c", text=clause), settings or {}, 10)
            finally:
                await system.close()

        with ModelServer(respond=respond) as server:
            return asyncio.run(story())


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The key that the client wants."""
    monkeypatch.setenv(VARIABLE, KEY)


@pytest.mark.usefixtures("key")
def test_a_model_is_given_clause_rules_and_articles():
    """In the clause's language, the clause fenced, and the reply is the answer."""
    talk = Talk("<think>hm</think>\nLevel: high")
    answer = talk.ask(ENGLISH, {"reflection_enabled": False})
    assert answer.text == "Level: high"
    assert answer.extra["rules"] == ["R01", "R14"]
    ((system, user),) = talk.sent
    assert system["content"].startswith("You are a careful reviewer")
    assert "- R01 Excessive penalty (High) — Harbour Contracts Act, section 22" in user["content"]
    assert "A court may reduce a penalty" in user["content"]
    fence = user["content"].rpartition("</")[2].rstrip(">")
    assert f"<{fence} clause>\n{ENGLISH}\n</{fence}>" in user["content"]
    assert fence in system["content"]


@pytest.mark.usefixtures("key")
def test_switches_change_what_a_model_is_given():
    """Without rules and lookup the prompt is the clause alone; the style chooses the prompt."""
    talk = Talk("Level: high")
    settings = {"prompt_style": "raw", "rules_enabled": False, "reflection_enabled": False}
    answer = talk.ask(RENEWAL["zh"], settings)
    ((system, user),) = talk.sent
    assert system["content"].startswith("你审查合同条款")
    assert user["content"].startswith("<data-")
    assert answer.extra["rules"] == []


@pytest.mark.usefixtures("key")
def test_reflection_asks_a_second_time_about_the_draft():
    """The second call holds the draft, and its reply is the answer."""
    talk = Talk("Level: medium {{clause}}", "Уровень: низкий")
    answer = talk.ask(NO_RENEWAL["ru"])
    assert answer.text == "Уровень: низкий"
    assert len(talk.sent) == 2
    assert "Level: medium {{clause}}" in talk.sent[1][1]["content"]
    assert stage(answer, "reflection").skipped


@pytest.mark.usefixtures("key")
def test_calls_are_counted_before_they_are_made():
    """One for the review, shared by variants that only differ in reflection, one for that."""
    with ModelServer() as server:
        client = make_client(model_config(server))
        system = Reviewer(
            read_rules(SAMPLE / "rules.yaml"), LawBook(), prompted=PromptedReviewer(client)
        )
        both = system.calls({})
        assert isinstance(system, CountsCalls)
        assert len(both) == 2
        assert system.calls({"reflection_enabled": False}) == both[:1]
        assert system.calls({"prompt_style": "raw"})[0] != both[0]
        assert "prompts=" in system.identity
        asyncio.run(system.close())
    assert Reviewer(read_rules(SAMPLE / "rules.yaml"), LawBook()).calls({}) == ()


@pytest.mark.usefixtures("key")
def test_a_configured_reviewer_uses_the_model_of_its_name(tmp_path: Path):
    """``generator: openai:MODEL`` of the configuration becomes the model that is asked."""
    with ModelServer(respond=lambda _: "Level: low") as server:
        around = SystemContext(
            tmp_path,
            models={"house": model_config(server)},
            systems={"r": ReviewerConfig(generator="openai:house")},
        )
        system = load_system("r", around)

        async def story() -> Answer:
            try:
                return await system.ask(Question(id="c", text="x"), {}, 10)
            finally:
                await system.close()

        assert asyncio.run(story()).text == "Level: low"


def test_traditional_characters_fire_the_same_rules(reviewer: Reviewer):
    """A clause in traditional characters gets the verdict of the same one in simplified ones."""
    # No phrase is converted, only characters: 约 may stand for 約 and nothing else.
    for plain, traditional in (
        ("本合同到期后自动续约。", "本合同到期後自動續約。"),
        ("本合同不自动续约。", "本合同不自動續約。"),
    ):
        one, other = ask(reviewer, plain), ask(reviewer, traditional)
        assert one.extra["rules"] == other.extra["rules"]
        assert parse_review(one.text).risk_level == parse_review(other.text).risk_level
    fired = ask(reviewer, "本合同到期後自動續約。")
    assert fired.extra["rules"]
    assert parse_review(fired.text).evidence == ["本合同到期後自動續約。"]
