import json
from pathlib import Path

import pytest

from assay.data.contract.rule import folded_text, read_rules
from assay.errors import DatasetError
from assay.systems.reviewer import SAMPLE

RULE = """\
# a comment
rules:
  - risk_id: R1
    level: высокий
    name: {zh: 甲, en: A}
    keywords: {zh: [随时解除], ru: [расчёт]}
    patterns: ['\\bat\\s+any time']
    laws: {en: ['Act, section 1']}
    suggestion: Change it.
"""


def write_rules(path: Path, text: str) -> Path:
    """Write a file with this text."""
    path.write_text(text, encoding="utf-8")
    return path


def test_the_sample_rules_are_in_order():
    """There are at least fifteen rules, each complete in all languages."""
    rules = read_rules(SAMPLE / "rules.yaml").rules
    assert len(rules) >= 15
    for rule in rules:
        for language in ("zh", "ru", "en"):
            assert rule.patterns[language]
            assert rule.laws[language]
            assert rule.suggestion[language]
            assert rule.name[language] != rule.risk_id


def test_texts_are_by_language_or_for_all(tmp_path: Path):
    """A plain list or text applies to every language; the default name is the rule's id."""
    (rule,) = read_rules(write_rules(tmp_path / "r.yaml", RULE)).rules
    assert (rule.risk_id, rule.level) == ("R1", "high")
    assert (rule.name["zh"], rule.name["ru"], rule.name["en"]) == ("甲", "R1", "A")
    assert [len(rule.patterns[language]) for language in ("zh", "ru", "en")] == [2, 2, 1]
    assert (rule.laws["en"], rule.laws["zh"]) == (("Act, section 1",), ())
    assert rule.suggestion["ru"] == "Change it."


def test_words_match_ignoring_case_and_yo(tmp_path: Path):
    """Keywords match parts of words and ignore case; ё equals е."""
    (rule,) = read_rules(write_rules(tmp_path / "r.yaml", RULE)).rules
    for text in ("Расчет", "РАСЧЁТЫ", "at\nANY time"):
        assert any(pattern.search(folded_text(text)) for pattern in rule.patterns["ru"])


def test_json_and_a_bare_list_are_read_too(tmp_path: Path):
    """JSON indented with tabs, a JSON list and a YAML list give the same rule."""
    rule = {"risk_id": "R1", "level": "low", "keywords": ["a"]}
    files = {
        "a.json": json.dumps({"rules": [rule]}, indent="\t"),
        "b.json": json.dumps([rule]),
        "c.yaml": "- {risk_id: R1, level: low, keywords: [a]}\n",
    }
    for name, text in files.items():
        (read,) = read_rules(write_rules(tmp_path / name, text)).rules
        assert (read.risk_id, read.level) == ("R1", "low")


def test_the_hash_is_of_the_content(tmp_path: Path):
    """Two files with the same content have the same hash; an edit changes it."""
    sha256 = read_rules(write_rules(tmp_path / "a.yaml", RULE)).sha256
    assert read_rules(write_rules(tmp_path / "b.yaml", RULE)).sha256 == sha256
    assert read_rules(write_rules(tmp_path / "b.yaml", RULE + "\n")).sha256 != sha256


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("level: высокий", "level: severe", ":3: rule 'R1' has the level 'severe'"),
        ("risk_id: R1", "risk_id: ' '", ":3: the rule has no `risk_id`"),
        ("suggestion", "sugestion", ":9: unknown key 'sugestion'; did you mean 'suggestion'"),
        ("{zh: 甲, en: A}", "{de: A}", "the language 'de'; use zh, ru or en"),
        ("any time", "any (time", ":3: rule 'R1': the pattern"),
        ("\\bat\\s+any time", "x*", "matches every text"),
        ("rules:", "rules: [", "not valid YAML"),
        ("    level: высокий\n", "", "'level' is missing"),
    ],
)
def test_every_fault_names_its_line(tmp_path: Path, before: str, after: str, message: str):
    """The message gives the file, the line and what is wrong."""
    assert before in RULE
    path = write_rules(tmp_path / "r.yaml", RULE.replace(before, after, 1))
    with pytest.raises(DatasetError) as error:
        read_rules(path)
    assert message in str(error.value)
    assert str(error.value).startswith(f"{path}:")


def test_a_rule_without_words_and_a_second_of_one_id_are_refused(tmp_path: Path):
    """A repeated id, a rule that can never match and a file without rules are refused."""
    rule = "- {risk_id: R1, level: low, keywords: [a]}\n"
    with pytest.raises(DatasetError, match=r":2: rule 'R1' is already at .*:1"):
        read_rules(write_rules(tmp_path / "a.yaml", rule + rule))
    with pytest.raises(DatasetError, match="neither `keywords` nor `patterns`"):
        read_rules(write_rules(tmp_path / "b.yaml", "- {risk_id: R1, level: low}\n"))
    with pytest.raises(DatasetError, match="no rules"):
        read_rules(write_rules(tmp_path / "c.yaml", "rules: []\n"))
    with pytest.raises(DatasetError, match="not JSON"):
        read_rules(write_rules(tmp_path / "d.json", "rules: []\n"))
