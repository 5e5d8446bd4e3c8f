import pytest

from assay.text.language import language

CASES = [
    ("第三条 违约金", "zh"), ("RAG 系统的召回率是多少？", "zh"), ("用 OpenAI API 的合同条款", "zh"), ("違約責任", "zh"),
    ("Статья 3 договора", "ru"), ("Какой top_k в RAG?", "ru"), ("Ёлка", "ru"),
    ("Article 3 of the contract", "en"), ("The word договор means contract", "en"), ("naïve café", "en"),
    ("", "en"), ("42 000 %", "en"), ("？！。", "en"), ("ＲＡＧ", "en"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_script_decides_the_language(text: str, expected: str):
    """The script with the largest weight gives the language; without letters it is English."""
    assert language(text) == expected
