import json
from pathlib import Path

import pytest

from assay.errors import DatasetError
from assay.jobs.contract.reviewer import SAMPLE
from assay.jobs.contract.rule import folded_text, read_rules

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
        ("{zh: 甲, en: A}", "{de: A}", "the language 'de'; use zh, ru or en"),
        ("any time", "any (time", ":3: rule 'R1': the pattern"),
        ("\\bat\\s+any time", "x*", "matches every text"),
        ("rules:", "rules: [", "not valid YAML"),
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


OWNER_RULES = [
    {
        "risk_id": "R001",
        "contract_type": "劳动合同",
        "risk_name": "管辖条款不利",
        "keywords": ["甲方所在地", "管辖"],
        "risk_type": "争议解决",
        "analysis_logic": "约定管辖法院是否与合同有实际联系",
        "law_tag": "民事诉讼",
        "laws": "《民事诉讼法》第三十五条",
    },
    {
        "risk_id": "R002",
        "contract_type": "租赁合同",
        "risk_name": "押金不退",
        "keywords": [],
        "risk_type": "费用",
        "analysis_logic": "",
        "law_tag": "",
        "laws": ["《民法典》第五百八十五条"],
        "author": "张",
    },
]


def test_rules_of_the_contract_tool_are_read_as_they_are(tmp_path: Path):
    """A JSON list without levels is read: names, keywords, laws as text or list; one note."""
    text = json.dumps(OWNER_RULES, ensure_ascii=False, indent=2)
    book = read_rules(write_rules(tmp_path / "rules.json", text))
    first, second = book.rules
    assert (first.risk_id, first.level, first.name["zh"]) == ("R001", None, "管辖条款不利")
    assert first.laws["zh"] == ("《民事诉讼法》第三十五条",)
    assert [pattern.pattern for pattern in first.patterns["zh"]] == ["甲方所在地", "管辖"]
    assert second.laws["zh"] == ("《民法典》第五百八十五条",)
    assert not second.patterns["zh"]
    assert tuple(map(str, book.notes)) == ("ignored 1 field: author",)


def test_a_rule_without_a_level_has_that_of_the_data_set(tmp_path: Path):
    """Levels are filled by risk id, the others stay absent, and the hash distinguishes the books."""
    book = read_rules(write_rules(tmp_path / "rules.json", json.dumps(OWNER_RULES)))
    filled = book.with_levels({"R001": "high", "R999": "low"})
    assert [rule.level for rule in filled.rules] == ["high", None]
    assert filled.sha256 != book.sha256
    assert "1 rule has no level of its own; it is taken from the data set" in [
        *map(str, filled.notes)
    ]
    assert book.with_levels({"R999": "low"}) is book


def test_an_unknown_key_is_ignored_and_named(tmp_path: Path):
    """A key that is not read is no error; the note shows a slip of the pen."""
    path = write_rules(tmp_path / "r.yaml", RULE.replace("suggestion", "sugestion"))
    assert tuple(map(str, read_rules(path).notes)) == ("ignored 1 field: sugestion",)
    path = write_rules(tmp_path / "v.yaml", f"version: 2\n{RULE}")
    assert tuple(map(str, read_rules(path).notes)) == ("ignored 1 field: version",)
    with pytest.raises(DatasetError, match=r"n\.yaml:1: not a list of rules"):
        read_rules(write_rules(tmp_path / "n.yaml", "version: 2\n"))


def test_odd_types_of_other_tools_are_read(tmp_path: Path):
    """Keywords in one text, an empty level and null are read as they are meant."""
    path = write_rules(
        tmp_path / "r.json",
        '[{"risk_id": 5, "risk_name": "a", "keywords": "押金、违约金", "level": "", "laws": null}]',
    )
    (rule,) = read_rules(path).rules
    assert (rule.level, [pattern.pattern for pattern in rule.patterns["zh"]]) == (
        None,
        ["押金", "违约金"],
    )


def test_a_device_is_no_file_of_rules():
    """``/dev/zero`` never ends, so it is refused before it is read."""
    with pytest.raises(DatasetError, match="/dev/zero: cannot be read: it is a device, not a file"):
        read_rules(Path("/dev/zero"))
