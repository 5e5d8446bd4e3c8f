"""Names that a quotation replaces by others, found by their place in the sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.judges.verifier.quotation import verify_quotation
from assay.scorers.evidence.name import changed_names

CLAUSE = {
    "zh": (
        "2019年春天，陈明飞在临沧海大学创办了青石研究所，研究所由霍尔姆斯·格伦资助。"
        "他的论文《海岸的钟声》次年在丹佛出版，获得了北坞奖。王伟负责翻译。"
    ),
    "ru": (
        "Орлов родился в Верхнеозёрске и учился у Марии Зотовой. В 2019 году Орлов возглавил"
        " «Северный банк», а Зотова уехала в Каменск. Роман «Тихий причал» издал Павел Ласточкин."
    ),
    "en": (
        "Harrow was born in Penhallow and studied under Ilse Varga. In 2019 Harrow took over the"
        " Larkspur Museum, and Varga moved to Port Hallam. His book “The Silent Bell” sold well."
    ),
}
SWAPS = [
    ("zh", "李思远在临沧海大学创办了青石研究所", "陈明飞 -> 李思远"),
    ("zh", "陈明宇在临沧海大学创办了青石研究所", "陈明飞 -> 陈明宇"),
    ("zh", "陈明飞在东林大学创办了青石研究所", "临沧海 -> 东林"),
    ("zh", "研究所由维尔尼茨资助", "霍尔姆斯·格伦 -> 维尔尼茨"),
    ("zh", "他的论文《山谷的雨》次年在丹佛出版", "海岸的钟声 -> 山谷的雨"),
    ("zh", "他的论文《海岸的钟声》次年在悉尼出版", "丹佛 -> 悉尼"),
    ("zh", "王芳负责翻译", "王伟 -> 王芳"),
    ("zh", "研究所由Kessler资助", "霍尔姆斯·格伦 -> Kessler"),
    ("ru", "Гаврилов родился в Верхнеозёрске и учился у Марии Зотовой", "Орлов -> Гаврилов"),
    ("ru", "Орлов родился в Каменске и учился у Марии Зотовой", "Верхнеозерске -> Каменске"),
    ("ru", "Роман «Сухая гавань» издал Павел Ласточкин", "Тихий причал -> Сухая гавань"),
    ("en", "Tarrant was born in Penhallow and studied under Ilse Varga", "Harrow -> Tarrant"),
    ("en", "His book “Cold Harbour” sold well", "The Silent Bell -> Cold Harbour"),
]


@pytest.mark.parametrize(("language", "quotation", "change"), SWAPS)
def test_another_name_in_its_place_is_refused(language: str, quotation: str, change: str):
    """A person, place, organisation or title that stands for another one is reported."""
    check = verify_quotation(quotation, CLAUSE[language])
    assert not check.valid
    assert f"name changed: {change}" in check.reasons


EXCHANGED = [
    ("ru", "Зотова родилась в Верхнеозёрске и училась у Марии Зотовой"),
    ("ru", "Роман «Северный банк» издал Павел Ласточкин"),
    ("en", "Harrow was born in Port Hallam and studied under Ilse Varga"),
    ("zh", "他的论文《海岸的钟声》次年在北坞出版"),
]


@pytest.mark.parametrize(("language", "quotation"), EXCHANGED)
def test_a_name_from_elsewhere_in_the_source_is_refused(language: str, quotation: str):
    """It does not help that the source has the other name in another place."""
    assert not verify_quotation(quotation, CLAUSE[language]).valid


KEPT = [
    ("zh", "陈明飞在临沧海大学创办青石研究所"),
    ("zh", "陳明飛在臨滄海大學創辦了青石研究所"),
    ("zh", "陈明飞 在 临沧海大学\n创办了「青石研究所」"),
    ("zh", "研究所由格伦资助"),
    ("zh", "他的论文“海岸的钟声”次年在丹佛出版"),
    ("ru", "Орлов родился в Верхнеозерске, учился у Зотовой"),
    ("ru", 'В 2019 году Орлов возглавил "Северный банк"'),
    ("ru", "Орлова, который родился в Верхнеозёрске и учился у Марии Зотовой"),
    ("en", "Harrow was born in Penhallow, and studied under Varga"),
    ("en", "HARROW WAS BORN IN PENHALLOW AND STUDIED UNDER ILSE VARGA"),
    ("en", 'His book "The Silent Bell" sold well'),
]


@pytest.mark.parametrize(("language", "quotation"), KEPT)
def test_the_same_name_written_differently_is_kept(language: str, quotation: str):
    """Inflection, width, traditional characters, quotes and a part of a name change no name."""
    check = verify_quotation(quotation, CLAUSE[language])
    assert check.valid, check.reasons


SYNONYMS = [
    (
        "接收方应在合同终止后10日内销毁或者退还全部载体。",
        "接收方应当于合同终止后十日内销毁或退还全部载体",
    ),
    (
        "租赁期满，出租人应在7日内退还押金，不计利息。",
        "租期届满，出租人应当在7日内退还押金，不计利息",
    ),
    ("余款10%作为质量保证金，期满退还。", "余下10%作为质量保证金，期满退还"),
]


@pytest.mark.parametrize(("clause", "quotation"), SYNONYMS)
def test_a_reworded_verb_or_particle_is_no_name(clause: str, quotation: str):
    """Words of the same meaning and particles may differ in an otherwise literal quotation."""
    assert changed_names(quotation, clause, clause) == ()


@given(st.text(max_size=40), st.text(max_size=60))
def test_any_two_texts_can_be_compared(quotation: str, source: str):
    """Any two strings are compared without an error, and a text with itself has no change."""
    changed_names(quotation, source, source)
    assert changed_names(source, source, source) == ()
