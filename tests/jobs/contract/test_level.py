import pytest

from assay.jobs.contract.level import LEVELS, highest_level, level_of_word, stated_level


@pytest.mark.parametrize(
    ("written", "level"),
    [
        ("高", "high"),
        ("**高**", "high"),
        ("🔴 高风险", "high"),
        ("高等级", "high"),
        ("中级风险", "medium"),
        ("低（高于市价）", "low"),
        ("High", "high"),
        ("high-risk", "high"),
        ("HIGH - the penalty has no cap", "high"),
        ("High for the tenant", "high"),
        ("<low>", "low"),
        ("Risk: medium", "medium"),
        ("Высокий риск", "high"),
        ("высокий уровень риска", "high"),
        ("средний, поскольку…", "medium"),
        ("Низкая степень риска", "low"),
        ("高 (High)", "high"),
        ("low; not medium", "low"),
        ("**高**风险", "high"),
        ("该条款存在高风险", "high"),
        ("此条款风险等级：高。", "high"),
        ("The clause has a medium risk.", "medium"),
    ],
)
def test_a_value_that_begins_with_a_level_states_it(written: str, level: str):
    """Markup, brackets, reasons and the word for risk may surround the level."""
    assert stated_level(written) == level


@pytest.mark.parametrize(
    "written",
    [
        "",
        "低风险时可不修改",
        "高于法定上限",
        "中国法律",
        "中高",
        "中/高",
        "高、中",
        "not a high risk clause",
        "如果不改，该条款存在高风险",
        "High, reduced from medium",
        "high or medium",
        "low to medium",
        "high|medium|low",
        "highly unusual",
        "high if the buyer fails to pay",
        "не высокий",
        "средний/низкий",
        "от низкого до высокого",
        "severe",
        "极高",
        "critical",
        "3",
    ],
)
def test_prose_choices_and_other_words_state_nothing(written: str):
    """A level in a sentence, a choice of two levels, and an unknown word are not verdicts."""
    assert stated_level(written) is None


def test_a_label_of_a_data_file_is_exactly_a_level():
    """A label is a level in one of the languages; any other text is refused."""
    assert [level_of_word(word) for word in ("高", "中风险", "LOW", "высокий")] == [
        "high",
        "medium",
        "low",
        "high",
    ]
    assert [level_of_word(word) for word in ("高?", "high risk!", "", "severe")] == [None] * 4


def test_the_highest_level_is_the_first_of_the_order():
    """Levels are ordered from high to low, and an empty list has no highest level."""
    assert highest_level(["low", "medium"]) == "medium"
    assert highest_level(LEVELS) == "high"
    assert highest_level([]) is None
