import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.sentence import sentences

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=200)
ANY = st.text(st.characters(exclude_categories=()))
TRICKY = st.text(st.sampled_from("аА.!?… \n。；”»1г\u3000"), max_size=16)

# A bar marks the end of a sentence; it is removed before the text is split.
CASES = [
    "Договор подписан. |Стороны согласны.",
    "Договор от 5 мая 2020 г. действует. |Адрес: г. Москва, ул. Мира, д. 5. |См. ст. 15.",
    "В 2020 г. |Компания выросла.", "А. С. Пушкин родился в 1799 г. в Москве, т. е. в России.",
    "Цена 5 тыс. руб. |Итого 3,5 млн.", "Книги, тетради и т. д. |Конец.", "Он пришёл… |Потом ушёл.",
    "Он пришёл… да и ушёл.", "«Что?» спросил он. |«Да!» |Ответ.", "Штраф 0,1 % по ст. 330 ГК РФ. |Срок три дня.",
    "1. Общие положения. |Текст.", "1.2. Срок. |Текст.", "Он сказал: «Иду.» |Потом вышел.",
    "Mr. Smith paid $3.50. |See Art. 5 and No. 7.", "Use tools, e.g. Python. |Then stop.",
    "Dr. J. R. Brown left. |U.S. law applies.", "He said “Go.” |Then left.", "Acme Inc. |The company grew.",
    "Version 3.5 is out! |Really? |Yes.", "Wait... what? |Fine.", "他说：“你好。”|然后走了！|为什么？|因为忙；|好。",
    "具体请了谁吃饭...都忘记了。", "他想……|算了。", "利率为3.5%。|期限为十年。", "好!|他说?|是。", "第一条 甲方\n|第二条 乙方\n接着写",
    "Статья 1. Предмет\n|Статья 2. Срок", "One paragraph\n\n|another", "a line that is\nwrapped. |Next.",
    "- first\n|- second", "no end", "",
]  # fmt: skip


@pytest.mark.parametrize("marked", CASES)
def test_sentences_end_where_readers_end_them(marked: str):
    """Abbreviations, initials, decimal points and quotes do not end a sentence by mistake."""
    expected = [piece.strip() for piece in marked.split("|") if piece.strip()]
    text = marked.replace("|", "")
    assert [span.of(text) for span in sentences(text)] == expected


@PROPERTY
@given(st.one_of(ANY, TRICKY))
def test_nothing_is_lost(text: str):
    """The spans and the white space between them together are the text."""
    rebuilt, position = "", 0
    for span in sentences(text):
        gap = text[position : span.start]
        assert not gap.strip()
        assert span.start < span.end
        rebuilt += gap + span.of(text)
        position = span.end
    assert not text[position:].strip()
    assert rebuilt + text[position:] == text
