import json
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.jobs.contract.level import LEVELS, Part, heading, level_word, parts
from assay.jobs.contract.reply import ParsedReview, parse_review
from assay.jobs.contract.risk import Risk, review_markdown
from assay.text.language import Language

LANGUAGES: tuple[Language, ...] = get_args(Language)

CHINESE = """\
## 风险：违约金过高
- **等级**：高
- **编号**：R01
- **证据**：“每逾期一日按百分之五支付”；“不设上限”
- **分析**：比例远高于损失。
低风险时可以保留。
- **法条**：《云州商事合同条例》第三十一条：“累计超过百分之二十；或者”；《民法典》第五百八十五条
- **建议**：降低比例并设上限。

## 风险：单方解除
**等级：** 中
**证据**
1. 随时解除
2. 「无需说明理由」
**建议**：改为对等。
"""
ENGLISH = """\
```markdown
### Risk 1: Uncapped penalty
Level: **High** (no cap)
Evidence: "5% of the price for each day"
Analysis: This would be a low risk if it were capped.
Law: Harbour Contracts Act, section 22
Suggestion: Cap it.
```
"""
RUSSIAN = """\
1. **Риск**: Неустойка
2. **Уровень риска**: высокий
3. **Цитата**: «5 % за каждый день просрочки»
4. **Анализ**: чрезмерно
5. **Норма**: «Хозяйственный кодекс Северной области», ст. 41
6. **Рекомендация**: снизить
"""


def test_several_risks_are_kept_and_the_highest_is_the_verdict():
    """The review has both risks, and evidence and laws of both; the verdict is the higher level."""
    review = parse_review(CHINESE)
    assert review.risk_level == "high"
    assert [risk.level for risk in review.risks] == ["high", "medium"]
    assert review.evidence == ["每逾期一日按百分之五支付", "不设上限", "随时解除", "无需说明理由"]
    assert review.laws == [
        "《云州商事合同条例》第三十一条：“累计超过百分之二十；或者”",
        "《民法典》第五百八十五条",
    ]
    assert review.risk_ids == ["R01"]
    assert review.analysis == "比例远高于损失。\n低风险时可以保留。"
    assert review.suggestion == "降低比例并设上限。\n改为对等。"
    assert review.unread == ()


def test_plain_labels_and_fences_are_read():
    """Labels without bold, in a code fence, and with a number after the heading are read."""
    review = parse_review(ENGLISH)
    assert (review.risk_level, review.evidence) == ("high", ["5% of the price for each day"])
    assert review.risks[0].title == "Uncapped penalty"
    assert review.laws == ["Harbour Contracts Act, section 22"]
    assert review.unread == ()


def test_numbered_russian_parts_are_read():
    """Parts may be a numbered list and have longer names."""
    (risk,) = parse_review(RUSSIAN).risks
    assert risk == Risk(
        title="Неустойка",
        level="high",
        evidence=("5 % за каждый день просрочки",),
        analysis="чрезмерно",
        laws=("«Хозяйственный кодекс Северной области», ст. 41",),
        suggestion="снизить",
    )


@pytest.mark.parametrize(
    "reply",
    [
        "This is not a high risk clause.",
        "低风险时无需修改，高风险时须谈判。",
        "Analysis: high risk in most cases, low risk for a bank.",
        "风险较高的条款",
        "**Analysis**: Level words such as high stand in prose.",
        "Уровень воды высокий",
        "Level",
        "",
    ],
)
def test_level_words_in_prose_are_no_verdict(reply: str):
    """Only a part that states the level gives a verdict; otherwise ``unread`` says why."""
    review = parse_review(reply)
    assert review.risk_level is None
    assert not review.parsed
    assert review.unread


def test_parts_on_one_line_are_separated():
    """A line may contain several parts, but a quotation is never split."""
    review = parse_review("风险等级：高。证据：“按日；建议：另付”。建议：修改。")
    assert (review.risk_level, review.evidence, review.suggestion) == (
        "high",
        ["按日；建议：另付"],
        "修改。",
    )


@pytest.mark.parametrize(
    ("reply", "level"),
    [
        ("**Level** High", "high"),
        ("【风险等级】中", "medium"),
        ("| 等级 | 高 |", "high"),
        ("> **Уровень**: низкий", "low"),
        ("## Level\nHigh", "high"),
        ("- __Level:__ Low", "low"),
        ("Risk: High", "high"),
        ("## 风险：无", "low"),
        ("（一）风险等级：高", "high"),
        ("<think>Level: low</think>\nLevel: high", "high"),
        ("Level: low</think>\nLevel: high", "high"),
        ("<think>\nLevel: low", None),
    ],
)
def test_the_level_is_found_in_many_layouts(reply: str, level: str | None):
    """The level is found with bold, brackets, tables, headings, quotes and numbering."""
    assert parse_review(reply).risk_level == level


def test_an_unknown_level_leaves_the_verdict_open_unless_another_is_high():
    """An unknown level might be the highest, so the verdict is open unless another is high."""
    assert parse_review("等级：极高\n等级：低").risk_level is None
    assert parse_review("等级：极高\n等级：高").risk_level == "high"
    assert "极高" in parse_review("等级：极高").unread[0]


def test_words_for_none_make_a_part_empty():
    """A part that says "none" is empty, while "no change needed" is a suggestion."""
    review = parse_review("等级：低\n证据：无\n法条：不适用\n建议：无需修改。")
    assert (review.evidence, review.laws, review.suggestion) == ([], [], "无需修改。")
    assert parse_review("Level: low\nSuggestion: N/A").suggestion == ""


def test_a_quotation_goes_on_over_a_line_break():
    """Lines within one pair of quotation marks are joined, in Chinese without a space."""
    assert parse_review("等级：高\n证据：“每日百分\n之五支付”").evidence == ["每日百分之五支付"]
    assert parse_review("Level: high\nEvidence: “five per\ncent”").evidence == ["five per cent"]


def test_text_outside_the_parts_is_reported():
    """Text before the first part, unknown headings and text after a level are in ``unread``."""
    review = parse_review("Sure!\n## Summary\n## Risk: x\nLevel: high\nSo be careful.")
    assert review.risk_level == "high"
    assert [note.partition(": ")[2] for note in review.unread] == [
        "'Sure!'",
        "'Summary'",
        "'So be careful.'",
    ]


@pytest.mark.parametrize(
    "layout", ["{}", "Here you are:\n```json\n{}\n```\nGood luck.", "The review: {} as asked"]
)
def test_json_is_read_bare_and_fenced(layout: str):
    """A JSON object is read alone, in a code block or within text; keys may be in any language."""
    value = {"风险等级": "高", "Evidence": ["a", "b"], "рекомендация": "c", "confidence": 0.9}
    review = parse_review(layout.replace("{}", json.dumps(value, ensure_ascii=False)))
    assert (review.risk_level, review.evidence, review.suggestion) == ("high", ["a", "b"], "c")
    assert review.unread == ("the key 'confidence' is no part",)


def test_json_lists_of_risks_are_read():
    """Risks may be a list, under ``risks`` or nested deeper; an empty list means a low risk."""
    medium = {"risk_id": "R01", "risk_level": "medium", "laws": ["X, section 1"]}
    high = {"risk": "b", "level": "высокий"}
    risks = [medium, high]
    for value in ({"risks": risks}, risks, {"review": {"risks": risks}}):
        review = parse_review(json.dumps(value))
        assert (review.risk_level, review.risk_ids, len(review.risks)) == ("high", ["R01"], 2)
    assert parse_review('{"risks": []}').risk_level == "low"
    assert parse_review("[]").risk_level is None
    assert parse_review('{"level": 3}').risk_level is None
    assert parse_review('{"level": "high"').risk_level is None


def test_deeply_nested_json_is_ignored():
    """JSON that is nested too deeply gives no verdict and raises nothing."""
    assert parse_review('{"a":' * 5000 + "1" + "}" * 5000).risk_level is None
    assert parse_review('{"risks":' * 20 + '{"level": "high"}' + "}" * 20).risk_level is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_written_review_is_read_back(language: Language):
    """A review that is written in any language and parsed again has the same parts."""
    risks = (
        Risk(
            title="x 7",
            level="medium",
            risk_ids=("R01", "R02"),
            evidence=("one “two” three", "four; five"),
            analysis="a\nb",
            laws=("《A》第一条：“x；y”", "B, section 2"),
            suggestion="s",
        ),
        Risk(title="y", level="low"),
    )
    review = parse_review(review_markdown(risks, language))
    assert review == ParsedReview(risks=risks)


def test_every_heading_that_is_written_is_known():
    """The parser recognises every heading that the writer uses."""
    for language in LANGUAGES:
        assert all(level_word(level, language) for level in LEVELS)
        for part in get_args(Part):
            assert parts()[heading(part, language).lower()] == part


PIECES = st.sampled_from(
    [
        "## Risk: ",
        "## 风险：",
        "- **等级**：",
        "**Level**: ",
        "Уровень: ",
        "高",
        "High",
        "низкий",
        "**证据**",
        "Evidence: ",
        "“",
        "”",
        "«",
        "»",
        '"',
        "'",
        "`",
        "```",
        "```json",
        "> ",
        "- ",
        "1. ",
        "；",
        "; ",
        "、",
        "《A》第一条",
        "\n",
        "\n\n",
        "  ",
        "建议：",
        "Suggestion: ",
        "Law: ",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "无",
        "None",
        "---",
        "**",
        "__",
        "<think>",
        "</think>",
        "Risk ID: ",
        "R01, R02",
        "text of a clause",
        "条款文本",
        "。",
        ". ",
        "\t",
        "\r",
        "\x0b",
        "\u2028",
        "第",
        "（一）",
        "①",
        "(x)",
        "#",
    ]
)
REPLIES = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))


@settings(max_examples=300)
@given(REPLIES)
def test_reading_never_raises(reply: str):
    """Any text can be parsed, and ``unread`` says why a reply gives no verdict."""
    review = parse_review(reply)
    assert review.parsed or review.unread
    review_markdown(review.risks)


WORDS = st.text("abcdё ж条款文本 12,()（）%", min_size=1, max_size=30).map(
    lambda text: f"条{' '.join(text.split())}x"
)
LINES = st.lists(WORDS, max_size=3, unique=True)
RISKS = st.builds(
    Risk,
    title=st.just("") | WORDS,
    level=st.sampled_from(["high", "medium", "low"]),
    risk_ids=st.lists(st.from_regex(r"R[0-9]{1,3}", fullmatch=True), max_size=3, unique=True).map(
        tuple
    ),
    evidence=st.lists(WORDS | WORDS.map(lambda text: f"a “{text}” b"), max_size=3, unique=True).map(
        tuple
    ),
    analysis=LINES.map("\n".join),
    laws=st.lists(
        WORDS | st.tuples(WORDS, WORDS).map(lambda pair: f"《{pair[0]}》第一条：“{pair[1]}；z”"),
        max_size=3,
        unique=True,
    ).map(tuple),
    suggestion=LINES.map("\n".join),
)


@settings(max_examples=150)
@given(st.lists(RISKS, min_size=1, max_size=3), st.sampled_from(LANGUAGES))
def test_writing_and_parsing_round_trips(risks: list[Risk], language: Language):
    """Writing a review, parsing it and writing it again gives the same review and text."""
    text = review_markdown(risks, language)
    review = parse_review(text)
    assert review == ParsedReview(risks=tuple(risks))
    assert review_markdown(review.risks, language) == text


def test_traditional_characters_are_read():
    """Headings, levels and "none" may be in traditional characters; quotations stay unchanged."""
    review = parse_review(
        "## 風險：違約金過高\n- **等級**：高風險\n- **證據**：「每日百分之五」\n- **分析**：無\n"
        "- **法條**：《民法典》第五百八十五條\n- **建議**：降低違約金。"
    )
    assert (review.risk_level, review.risks[0].title) == ("high", "違約金過高")
    assert (review.evidence, review.analysis) == (["每日百分之五"], "")
    assert review.laws == ["《民法典》第五百八十五條"]
    assert review.suggestion == "降低違約金。"
    assert review.unread == ()
    assert parse_review('{"風險等級": "中"}').risk_level == "medium"


@pytest.mark.parametrize(
    "label",
    [
        "原文依据", "合同原文", "条款摘录", "引文", "原文證據", "Цитата из договора", "Фрагмент текста", "Исходная формулировка",
        "Supporting quote", "Original text", "Quoted text", "Excerpts", "supporting_evidence",
    ],
)  # fmt: skip
@pytest.mark.parametrize("line", ["{}: «a b c»", "- **{}**：“a b c”", "## {}\n> a b c"])
def test_labels_of_quoted_text_are_evidence(label: str, line: str):
    """What reviewers write before a quotation names evidence, so that it is checked."""
    review = parse_review("Level: high\n" + line.replace("{}", label.replace("_", " ")))
    assert (review.evidence, review.unread) == (["a b c"], ())


def test_keys_may_be_written_in_camel_case():
    """A JSON reply may join its words by a capital letter."""
    review = parse_review('{"riskLevel": "high", "evidenceQuote": "a b", "legalBasis": "X, s. 1"}')
    assert (review.risk_level, review.evidence, review.laws) == ("high", ["a b"], ["X, s. 1"])


def test_a_text_under_an_unknown_key_is_in_its_note():
    """A reader of the note sees what was not read, if it can be more than a code."""
    review = parse_review('{"risk_level": "low", "remark": "The buyer pays all.", "lang": "en"}')
    assert review.unread == (
        "the key 'remark' is no part: 'The buyer pays all.'",
        "the key 'lang' is no part",
    )


@pytest.mark.parametrize(
    "reply",
    [
        '{"risk_level": "high", "risk_level": "low"}',
        '{"risk_level": ["high", "low"]}',
        '{"risk_level": "высокий", "level": "низкий"}',
        "Risk level: High → reduced to Low after review",
        "Risk level: High, actually low",
        "Уровень риска: высокий → снижен до низкого",
        "风险等级：高，经复核调整为低",
    ],
)
def test_two_levels_that_contradict_each_other_are_no_verdict(reply: str):
    """Which of two levels is meant is not known, so there is none, and a note says so."""
    review = parse_review(reply)
    assert review.risk_level is None
    assert any("names more than one" in note for note in review.unread)


def test_a_repeated_key_is_noted_and_nothing_is_lost():
    """All values of a repeated key are read; the same level twice is that level."""
    review = parse_review(
        '{"level": "high", "level": "High", "evidence": "a b", "evidence": "c d"}'
    )
    assert review.risk_level == "high"
    assert review.evidence == ["a b", "c d"]
    assert review.unread == ("the key 'level' is repeated", "the key 'evidence' is repeated")


@pytest.mark.parametrize(
    ("reply", "level"),
    [
        ('{"risks": [], "risk_level": "high"}', "high"),
        ('{"risk_level": "medium", "risks": []}', "medium"),
        ('{"risks": []}', "low"),
        ("Risk level: High (lower than before: low deposit)", "high"),
        ("风险等级：高（押金较低）", "high"),
    ],
)
def test_a_level_that_is_stated_is_kept(reply: str, level: str):
    """An empty list of risks does not contradict a stated level, nor does a word in brackets."""
    assert parse_review(reply).risk_level == level


@pytest.mark.parametrize(
    "line", ["该条款存在高风险。", "**高**风险", "此条款风险等级：高。", "The clause is high risk."]
)
def test_a_line_that_says_how_high_the_risk_of_the_clause_is_states_the_level(line: str):
    """Without a part for the level, a line of its own states it; a sentence that goes on does not."""
    assert parse_review(f"{line}\n证据：甲方付款").risk_level == "high"
    assert parse_review("高风险条款应当修改。").risk_level is None


@pytest.mark.parametrize(
    "line",
    [
        "证据：1. 甲方付款；2. 乙方交货",
        "证据：①甲方付款②乙方交货",
        "证据：（1）“甲方付款”；（2）“乙方交货”",
    ],
)
def test_numbered_quotations_on_one_line_are_several(line: str):
    """Each number from 1 on begins a quotation."""
    assert parse_review(f"等级：高\n{line}").evidence == ["甲方付款", "乙方交货"]


@pytest.mark.parametrize(
    "line",
    ["证据：无明确证据", "Evidence: no clear evidence found", "Цитата: нет подходящей цитаты"],
)
def test_a_part_that_says_that_there_is_no_evidence_has_no_quotation(line: str):
    """The name of the part after "no" says that there is none; a clause that begins with "no" is quoted."""
    assert parse_review(f"等级：高\n{line}").evidence == []
    assert parse_review("等级：高\n证据：无正当理由").evidence == ["无正当理由"]
