"""Right answers that say the expected text with other small words, in other parts or in another order."""

import pytest

from assay.scorers.legal.boolean_answer import boolean_verdict
from assay.scorers.legal.entity import entity_verdict
from assay.scorers.legal.field import text_verdict

KEPT = [
    # English: an abbreviated kind of place, a duration in two units, two steps of a place in either order.
    ("Where does the branch line begin?", "Holt Junction", "It begins at Holt Jct."),
    ("How long is the play?", "150 minutes", "2 h 30 min"),
    ("How long is the crossing?", "1 hour 20 minutes", "It takes 80 minutes."),
    ("Where is the fuse box?", "in the cupboard beside the stairs", "It is beside the stairs, in the cupboard."),
    ("What was the barn turned into?", "a village school", "It became a school for the village."),
    ("What did Omar forget on the train?", "his umbrella", "Omar left his umbrella behind on the train."),
    ("What was the hut built for?", "a net store", "Not worship, as some say: it was built to store nets."),
    # Russian: of what something is made or what grows, as an adjective.
    ("Из чего сделан стол?", "из дуба", "Стол дубовый."),
    ("Что растёт у пруда?", "ивы", "У пруда ивовая роща."),
    # Chinese: no number one, other words for a side, a vehicle or a count, characters apart.
    ("他用什么换了那只羊？", "一把斧头", "拿斧头换来的。"),
    ("信放在哪里？", "石板底下", "放在门前那块石板的下面。"),
    ("蘑菇长在哪里？", "桦树林里", "长在桦树林中。"),
    ("客人怎么过河？", "坐渡船", "他们乘渡船过河。"),
    ("乐队每周排练几次？", "三次", "一周排三回"),
    ("药多久喷一次？", "每六小时一次", "每隔6个小时喷一回。"),
    ("果园在山的哪一面？", "北坡", "位于山的北面山坡。"),
    ("碑文是用什么语言写的？", "蒙古语", "碑上写的是蒙语。"),
    ("河道为什么变浅？", "泥沙淤积", "因为河底淤了大量泥沙。"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "expected", "answer"), KEPT)
def test_the_same_thing_in_other_words_counts(question: str, expected: str, answer: str):
    """An answer that says the same in another form is kept."""
    assert text_verdict(answer, expected, question=question).holds


OTHER = [
    ("Where does the branch line begin?", "Holt Junction", "It begins at Moor Jct."),
    ("How long is the play?", "150 minutes", "1 h 30 min"),
    ("Where is the fuse box?", "in the cupboard beside the stairs", "It is under the stairs, in the attic."),
    ("What blocked the lane?", "a fallen wall", "A wall stood beside the lane."),
    ("Из чего сделан стол?", "из дуба", "Стол берёзовый."),
    ("Что растёт у пруда?", "ивы", "У пруда липовая роща."),
    ("信放在哪里？", "石板底下", "放在石板上面。"),
    ("信放在哪里？", "箱子里", "放在箱子外面。"),
    ("客人怎么过河？", "坐渡船", "他们修渡船。"),
    ("乐队每周排练几次？", "三次", "一周排两回"),
    ("药多久喷一次？", "每六小时一次", "每隔8个小时喷。"),
    ("果园在山的哪一面？", "北坡", "位于山的南面山坡。"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "expected", "answer"), OTHER)
def test_another_thing_in_such_words_does_not_count(question: str, expected: str, answer: str):
    """The same forms of another value are refused."""
    assert not text_verdict(answer, expected, question=question).holds


@pytest.mark.parametrize(
    ("question", "expected", "answer"),
    [
        ("Какое издательство напечатало атлас?", "издательство «Берёза»", "Атлас вышел в «Берёзе»."),
        ("谁是乐团的团长？", "司马岚", "司马岚老师。"),
        ("谁是乐团的团长？", "司马岚", "司马岚女士。"),
    ],
)  # fmt: skip
def test_a_name_without_its_kind_or_with_a_title_is_the_entity(
    question: str, expected: str, answer: str
):
    """The kind of thing that the question names may be left out, and a title may follow a name."""
    assert entity_verdict(answer, expected, question=question).holds


@pytest.mark.parametrize(
    ("question", "answer", "is_yes"),
    [
        ("Признан ли штраф незаконным?", "Суд признал штраф законным.", False),
        ("Признан ли штраф законным?", "Суд признал штраф незаконным.", False),
        ("Признан ли штраф незаконным?", "Суд признал штраф незаконным.", True),
    ],
)  # fmt: skip
def test_the_opposite_quality_says_no(question: str, answer: str, *, is_yes: bool):
    """A quality with «не-» is the opposite of the one without."""
    assert boolean_verdict(answer, is_yes, question).holds
