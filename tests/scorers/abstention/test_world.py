"""What the world does not know is an answer; what the text does not tell is a refusal."""

import pytest

from assay import abstains


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who carved the stone heads?", "Their makers are unknown to this day; no workshop was found."),
        ("What causes the hum?", "Scientists do not know what causes it, and several theories compete."),
        ("Кто вырезал каменные головы?", "Мастера неизвестны до сих пор, мастерской никто не нашёл."),
        ("Отчего гудит гора?", "Учёные так и не выяснили, хотя гипотез несколько."),
        ("石像是谁雕的？", "学界至今没有定论，有人归之于南方移民。"),
        ("这种病因何而起？", "医学界尚不清楚病因，书中称可能与饮水有关。"),
    ],
)  # fmt: skip
def test_what_nobody_knows_is_told(question: str, answer: str):
    """Scholars who do not know, and what is unknown to this day, answer the question."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who carved the stone heads?", "The guide does not say who carved them."),
        ("Кто вырезал каменные головы?", "Путеводитель мастеров не называет."),
        ("石像是谁雕的？", "导览手册没有交代作者。"),
        ("谁寄的信？", "至今是个谜。"),
    ],
)
def test_what_the_text_does_not_tell_is_refused(question: str, answer: str):
    """A text that is silent refuses, and so does an answer that only speaks of a mystery."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who wrote The Glass Heron?", "The author is unknown: the poem survives in one unsigned copy, and scholars have never identified the writer."),
        ("Who wrote The Glass Heron?", "Unknown. The preface says that the book circulated without a name, and no scholar has been able to establish who wrote it."),
        ("Кому принадлежит эта рукопись?", "Автор не установлен: рукопись без подписи, и филологи так и не определили, чья она."),
        ("Кто построил часовню?", "Строитель неизвестен. Краеведы перерыли архивы, но так и не смогли установить его имя."),
        ("这部抄本的作者是谁？", "作者佚名。历代藏书家多方查考，至今没有人能确认其身份。"),
        ("石桥是谁建的？", "不详。史学家考证多年，始终未能查明建造者。"),
        ("Who founded the town?", "Nobody knows; no historian has been able to name a founder."),
        ("这个地名从何而来？", "由来不详，后人始终没能查清。"),
    ],
)  # fmt: skip
def test_unknown_beside_scholars_who_do_not_know_is_told(question: str | None, answer: str):
    """That a thing is unknown belongs to what scholars could not find out, also in the next sentence."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How does the drug work?", "The exact mechanism is unknown — that is how the leaflet puts it. It is thought to block sodium channels."),
        ("Отчего возникает болезнь?", "Причина болезни неизвестна — так и написано в справочнике. Считается, что виноват вирус."),
        ("药物的作用机制是什么？", "确切机制尚不清楚，说明书原文就是这样写的。一般认为它能抑制血清素的再摄取。"),
    ],
)  # fmt: skip
def test_what_a_text_itself_calls_unknown_is_told(question: str | None, answer: str):
    """A text that says that a thing is unknown tells something."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who wrote The Glass Heron?", "The author is not named in the text. Scholars are only mentioned in the index."),
        ("Кто построил часовню?", "Строитель в тексте не назван, об историках там тоже ни слова."),
        ("石桥是谁建的？", "文中没有提到建造者，只说史学家很关注这座桥。"),
    ],
)  # fmt: skip
def test_scholars_elsewhere_do_not_answer(question: str | None, answer: str):
    """Scholars who are only mentioned change nothing about a text that is silent."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer", "refuses"),
    [
        ("Who wrote the ballad?", "Its author is unknown: the ballad came down in one late copy.", False),
        ("Who carved it?", "The carver is unknown, and locals simply call him the Mute.", False),
        ("Кто автор песни?", "Автор неизвестен: песня дошла до нас в поздней записи.", False),
        ("谁写了这首歌？", "作者佚名，作品以抄本流传，后人称其为“无名氏”。", False),
        ("Who wrote it?", "Unknown: the file does not name the author.", True),
        ("Кто автор?", "Автор неизвестен: в тексте его имя не названо.", True),
        ("谁写的？", "作者不详，文中没有提到。", True),
    ],
)  # fmt: skip
def test_the_story_of_a_nameless_maker_answers(question: str, answer: str, refuses: bool):
    """How a work came down, or what its maker is called, is what there is to tell."""
    assert abstains(answer, question) is refuses
