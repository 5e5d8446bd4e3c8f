"""The expected text in pieces, with a word more between them, or in another notation."""

import pytest

from assay.scorers.legal.field import text_verdict


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        # In pieces at the beginning of the answer.
        ("What did she order?", "green tea", "Tea, green if I recall."),
        ("What grows on the roof?", "pots of thyme", "Thyme, in pots. It grows on the roof in summer."),
        ("Что купил дед?", "шерстяной плед", "Плед. Шерстяной, в клетку."),
        ("Кому достался сад?", "внучке Ольге", "Внучке хозяина, Ольге."),
        ("Какой пёс живёт у мельника?", "трёхлапый пёс", "У мельника живёт пёс, злой и трёхлапый."),
        # An adjective between two nouns, a participle for "with", a place in two steps.
        ("Where was the map?", "in the attic of the inn", "The map was in the attic of the old inn."),
        ("Где нашли карту?", "на чердаке гостиницы", "Карту нашли на чердаке заброшенной гостиницы."),
        ("Кто подписывает отпуск?", "начальник отдела", "Отпуск подписывает начальник вашего отдела."),
        ("Что на печати?", "лев с мечом", "На печати изображён лев, держащий меч."),
        ("What is on the seal?", "a lion with a sword", "The seal shows a lion holding a sword."),
        ("Where did they meet?", "in the chapel at Osk", "They met at Osk, in the old chapel."),
        # Notation, and a part of the gold that repeats the question.
        ("Which version fixed the bug?", "version 3.1", "It was fixed in v3.1."),
        ("这座塔建于哪个朝代？", "唐朝", "该塔建于唐代。"),
        ("眼药水每天滴几次？", "每日三次", "每天滴三次。"),
        ("К кому обратились жильцы?", "к акционерному обществу «Тепло»", "Жильцы обратились к АО «Тепло»."),
        ("他是怎么走的？", "骑马", "他趁天没亮骑马走的。"),
        ("余款何时付清？", "次年1月5日", "未结清的余款须在次年一月五日前付清。"),
        ("Why was the baker warned?", "selling stale bread", "Because he had sold stale bread."),
        ("Какое имя в списке первое?", "Глеб", "В списке сначала упомянут Глеб, затем Инна."),
        ("Who is the dedicatee of the song?", "the singer's aunt", "The song is dedicated to the aunt of the singer."),
    ],
)  # fmt: skip
def test_the_expected_text_in_pieces_or_another_notation_is_kept(
    question: str, gold: str, answer: str
):
    """The comment above the answers says how they differ from the expected text."""
    assert text_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("What did she order?", "green tea", "Tea, but not green."),
        ("Что купил дед?", "шерстяной плед", "Плед. Не шерстяной."),
        ("Где нашли карту?", "на чердаке гостиницы", "Карту нашли на чердаке соседней гостиницы."),
        ("Where was the map?", "in the attic of the inn", "The map was in the attic of the next inn."),
        ("这座塔建于哪个朝代？", "唐朝", "该塔建于宋代。"),
    ],
)  # fmt: skip
def test_another_thing_in_the_same_pieces_is_refused(question: str, gold: str, answer: str):
    """A denial, another place and another time stay wrong."""
    assert not text_verdict(answer, gold, question=question).holds
