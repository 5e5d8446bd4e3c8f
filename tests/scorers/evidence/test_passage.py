"""The passages that a quotation may come from."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.judges.verifier import verify_quotation
from assay.scorers.evidence.passage import MAX_SENTENCES, passages, quoted_passage, windows
from assay.text import Span, sentences

EN = (
    "The tenant pays the rent on the first day of each month. The landlord keeps the roof in repair. "
    "Pets are welcome in the garden (clause 4.2). Guests may stay for 14 days. The cellar holds two "
    "bicycles; the attic holds none. Keys are handed over on 3 May 2024. The heating runs from October. "
    "Windows are cleaned in spring. The lift carries 6 people, or 480 kg. Waste is collected on Tuesdays. "
    "The lease ends in winter. A deposit of £1,200.50 is held by Harrow Ltd. Notices are sent by post. "
)
RU = (
    "Арендатор вносит плату в начале месяца. Хозяин чинит крышу за свой счёт. В саду разрешены животные "
    "(пункт 4.2). Гости живут до 14 дней. В подвале стоят два велосипеда; чердак пуст. Ключи передают "
    "3 мая 2024 г. утром. Отопление работает с октября. Окна моют весной. Лифт вмещает 6 человек. Мусор "
    "вывозят по вторникам. Договор кончается зимой. Залог 1 200,50 руб. хранит ООО «Гавань». "
)
ZH = (
    "甲方每月支付租金。乙方负责维修屋顶。花园里可以养宠物（第4.2条）。客人可住14天。地下室可放两辆自行车；"
    "阁楼是空的。钥匙在2024年5月3日交接。暖气从十月开始供应。窗户在春天清洗。电梯可载六人。垃圾每周二收集。"
    "租约在冬季结束。押金1200.50元由银行保管。通知以邮寄方式送达。"
)
TEXTS = {"en": EN, "ru": RU, "zh": ZH}


@pytest.mark.parametrize("length", [1, 10, 1000])
def test_windows_are_whole_sentences_in_order(length: int):
    """Every window starts where a sentence starts, and each single sentence is a window."""
    text = "One. Two two. Three three three. Four."
    single = sentences(text)
    spans = windows(text, length)
    assert set(single) <= set(spans)
    assert {span.start for span in spans} == {span.start for span in single}
    assert len(set(spans)) == len(spans)


def _stretch(text: str, start: int, length: int) -> str:
    """A stretch of a text that is cut between words or Chinese characters, but in no number."""
    pieces = re.findall(r"[0-9][0-9., ]*[0-9]|[^\W\d\u4e00-\u9fff]+|.", text)
    first = start % len(pieces)
    return "".join(pieces[first : first + length])


@pytest.mark.parametrize("language", TEXTS)
@settings(max_examples=60, deadline=None)
@given(start=st.integers(0, 900), length=st.integers(3, 600), repeats=st.integers(1, 3))
def test_a_stretch_is_verbatim_however_long(language: str, start: int, length: int, repeats: int):
    """A stretch of the source is valid wherever it is cut and however many sentences it has."""
    text = "".join(TEXTS[language].replace("14", str(14 + turn)) for turn in range(repeats)).strip()
    quotation = _stretch(text, start, length)
    if not any(character.isalnum() for character in quotation):
        return
    check = verify_quotation(quotation, text)
    assert (check.valid, check.reasons) == (True, ()), quotation


@pytest.mark.parametrize("language", TEXTS)
def test_a_whole_text_is_a_quotation_of_itself(language: str):
    """A text with more sentences than a window is found in itself, as one passage."""
    text = TEXTS[language].strip()
    assert len(sentences(text)) > MAX_SENTENCES
    check = verify_quotation(text, f"Intro. {text} The end.")
    assert check.valid
    assert check.candidate is not None
    assert check.candidate.text.strip() == text


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        ("en", "Guests may", "Guests may not"),
        ("en", "14 days", "41 days"),
        ("en", "Windows are cleaned in spring", "Windows are cleaned in autumn"),
        ("ru", "14 дней", "41 дня"),
        ("ru", "разрешены", "не разрешены"),
        ("zh", "14天", "41天"),
        ("zh", "可以养宠物", "不得养宠物"),
    ],
)
def test_a_change_in_a_long_quotation_is_noticed(language: str, old: str, new: str):
    """A long quotation with one change is refused for this change alone."""
    text = TEXTS[language]
    check = verify_quotation(text.replace(old, new), text)
    assert not check.valid
    assert len(check.reasons) == 1


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        ("en", "keeps the roof in repair", "keeps the roof, as agreed, in repair"),
        ("ru", "Хозяин чинит крышу", "Чинит крышу хозяин"),
        ("zh", "乙方负责维修屋顶", "乙方负责屋顶的维修"),
    ],
)
def test_a_long_quotation_may_be_reworded_a_little(language: str, old: str, new: str):
    """A long quotation is compared with the passage that it comes from, as a short one is."""
    text = TEXTS[language]
    assert verify_quotation(text.replace(old, new), text).valid


def test_short_quotations_in_other_words_have_no_passage_of_their_own():
    """Only windows are candidates for a short quotation that is not verbatim."""
    assert quoted_passage("The tenant gave a rent", EN) is None
    assert passages("The tenant gave a rent", EN) == windows(EN, 22)
    assert isinstance(quoted_passage("The tenant pays", EN), Span)
