import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.jobs.depth.choice import choice_f1, chosen_letters, is_exact

FOUR = {"a": "十分欣慰", "b": "感到怀疑和刻薄，认为不正常", "c": "rye", "d": "wheat"}


def letters(reply: str) -> str | None:
    """The letters read from a reply as one word, or ``None`` if it cannot be read."""
    chosen = chosen_letters(reply, FOUR)
    return None if chosen is None else "".join(chosen.letters)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"answer": ["b"]}', "b"),
        ('```json\n{"answer": ["b","d"]}\n```', "bd"),
        ('{"answer": "B"}', "b"),
        ('{"answer": ["D", "A", "D"]}', "ad"),
        ('{"answer": "A, C"}', "ac"),
        ('{"answer": "BD"}', "bd"),
        ('{"ANSWER": ["ｃ"]}', "c"),
        ('{"答案": ["Ａ"]}', "a"),
        ('{"answer": ["B. 感到怀疑和刻薄，认为不正常"]}', "b"),
        ('{"answer": ["rye"]}', "c"),
        ('{"answer": []}', ""),
        ('{"answer": null}', ""),
        ('First {"answer": ["a"]}; on reflection {"answer": ["c"]}', "c"),
        ('{"reason": "{", "answer": ["c"]}', "c"),
        ('{"result": {"answer": ["d"]}}', "d"),
        ('{"answer": ["e"]}', None),
        ('{"answer": ["b", "e"]}', None),
        ('{"answer": ["b"', None),
        ('{"answer": "BAD"}', None),
        ('{"answer": true}', None),
        ('{"answer": {"b": 1}}', None),
        ('{"answer": "none of these"}', None),
        ("{'answer': ['b']}", None),
    ],
)
def test_json_is_read_strictly(reply: str, expected: str | None):
    """Letters in JSON count in any usual form; a value that names no choice cannot be read."""
    assert letters(reply) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("答案：B", "b"),
        ("因此答案是Ｂ。", "b"),
        ("正确答案为 A、C", "ac"),
        ("答案：ABD", "abd"),
        ("正确答案是选项 B", "b"),
        ("答案：选项C", "c"),
        ("答案：b选项", "b"),
        ("故选D。", "d"),
        ("选B", "b"),
        ("【答案】B", "b"),
        ("\\boxed{C}", "c"),
        ("如果，选A则错", None),
        ("也可以不选A", None),
        ("选项A错误，答案：C", "c"),
        ("答案：B 感到怀疑和刻薄，认为不正常", "b"),
        ("**答案：** **C**", "c"),
        ("不应选D", None),
        ("答案不是B", None),
        ("答案：A股下跌", None),
        ("Ответ: b", "b"),
        ("Правильный ответ — c.", "c"),
        ("Ответ: a и d", "ad"),
        ("Ответ: a, потому что так сказано", "a"),
        ("Ответ: б", None),
        ("Ответ: б?", None),
        ("Ответ: В", None),
        ("Ответ: не b", None),
        ("Answer: B, because it says so", "b"),
        ("Answer: B, a clever idea", "b"),
        ("**Answer:** b) text", "b"),
        ("The correct option is (D).", "d"),
        ("The correct choice: option c", "c"),
        ("The answer is B and C.", "bc"),
        ("The answer is b or c", "bc"),
        ("Answer: b — barley", "b"),
        ("Final answer: B. Wait, the answer is C.", "c"),
        ("The answer is INCORRECT", None),
        ("The answer is CORRECT", None),
        ("The answer is not B", None),
        ("Answer: a lie", None),
        ("Answer: A lie is told", None),
        ("Answer: C is wrong", None),
        ("Answer: A and B are both wrong", None),
        ("Answer: ACE", None),
        ("Is the answer B?", None),
        ("Answer:\nD", "d"),
        ("**Answer:**\nD. wheat", "d"),
        ("Answer: B\nA. oats is wrong", "b"),
        ("These may be the answer:\na. oats\nb. barley\nI cannot tell.", None),
    ],
)
def test_a_label_makes_a_letter_an_answer(reply: str, expected: str | None):
    """A letter after a label counts if it is not part of a sentence and not Cyrillic."""
    assert letters(reply) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("B", "b"),
        ("(b)", "b"),
        ("Option B", "b"),
        ("Вариант b.", "b"),
        ("选项B", "b"),
        ("Option B is wrong", None),
        ("选项A错误", None),
        ("**C**.", "c"),
        ("b, c", "bc"),
        ("ABD", "abd"),
        ("D. wheat", "d"),
        ("D. wheat and rye", None),
        ("Bad", None),
        ("I think it is B", None),
        ("", None),
        ("б", None),
    ],
)
def test_a_reply_of_letters_alone_is_read(reply: str, expected: str | None):
    """A reply that consists of letters only is an answer; a letter among words is not."""
    assert letters(reply) == expected


def test_it_is_said_where_the_answer_was_read():
    """The result names its source: JSON, a label or bare letters."""
    sources = [
        chosen.source
        for reply in ('{"answer": ["a"]}', "Answer: a", "a")
        if (chosen := chosen_letters(reply, FOUR))
    ]
    assert sources == ["json", "labelled", "bare"]


def test_a_reply_that_never_ends_takes_no_time():
    """A reply in which the model repeats itself until it is cut off is read quickly."""
    for reply in ("a, " * 50_000, "Answer: " + "a, " * 50_000, "答案" * 50_000, "*" * 200_000):
        assert letters(reply) in {None, "a"}


@given(st.text(max_size=200))
def test_no_reply_makes_it_raise(reply: str):
    """Any reply either names choices or cannot be read; none raises an error."""
    chosen = chosen_letters(reply, FOUR)
    assert chosen is None or set(chosen.letters) <= FOUR.keys()


@given(st.sets(st.sampled_from("abcd")), st.sets(st.sampled_from("abcd"), min_size=1))
def test_f1_is_the_harmonic_mean_of_precision_and_recall(chosen: set[str], right: set[str]):
    """F1 follows its definition and is 1 only for the right set; empty sets have no precision."""
    scores = choice_f1(chosen, right)
    precision, recall, f1 = scores["precision"], scores["recall"], scores["f1_score"]
    assert f1 is not None
    assert (f1 == 1) == (chosen == right) == is_exact(list(chosen), list(right))
    assert (precision is None) == (not chosen)
    if precision and recall:
        assert f1 == pytest.approx(2 * precision * recall / (precision + recall))
    else:
        assert f1 == 0
