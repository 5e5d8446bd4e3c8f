"""Which clause of an answer is about what the question asks, and in which place of it the value stands."""

import pytest

from assay.scorers.legal.entity import entity_verdict
from assay.scorers.legal.field import text_verdict

OTHER_TOPIC = [
    ("How tall is the outer wall?", "4 metres", "The inner wall is 4 metres tall and the outer one 7."),
    ("Which pass did the mules cross in winter?", "the Grey Pass", "In winter the Grey Pass is blocked by snow, so they crossed the Low Gap."),
    ("Which lane was blocked after the crash?", "Mill Lane", "Drivers were led along Mill Lane because Quarry Lane had been blocked."),
    ("Сколько весит взрослая рысь?", "5 килограммов", "Детёныш рыси весит 5 килограммов, взрослая — 22."),
    ("Чем обшита беседка?", "осиной", "Осиной обшита баня, беседка под краской."),
    ("Какой тропой ушёл отряд?", "верхней тропой", "Верхней тропой идти не решились, и отряд ушёл низом."),
    ("Кто расписался от имени подрядчика?", "Глеб Носов", "От имени подрядчика расписалась Юдина, а Глеб Носов расписался в акте за застройщика."),
    ("剧院是哪一年扩建的？", "1971年", "1971年剧院漏雨，直到1979年才扩建。"),
    ("馆长收藏了什么？", "邮票", "馆长对邮票没有兴趣，他收藏的是一批旧钟。"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "expected", "answer"), OTHER_TOPIC)
def test_a_later_clause_that_begins_with_what_is_asked_about_answers(
    question: str, expected: str, answer: str
):
    """If a later clause begins with a word of the question that the one of the value lacks, it answers."""
    assert not text_verdict(answer, expected, question=question).holds


OTHER_PLACE = [
    # Where something lies, and of whom a relative clause tells.
    ("Which archive keeps the charter?", "the Town Archive", "The charter lies in a bank vault opposite the Town Archive."),
    ("What is the ferry named after?", "a lighthouse", "It is named after a captain who was born in a lighthouse."),
    ("В каком музее хранится грамота?", "Музей почты", "Грамота хранится в частном доме напротив Музея почты."),
    ("В честь чего назвали теплоход?", "в честь маяка", "Его назвали в честь капитана, который вырос у маяка."),
    ("哪家图书馆收藏了手稿？", "城北图书馆", "手稿在城北图书馆对面的一家书店里。"),
    # Against whom, and who sent it.
    ("Кто сочинил эпиграмму?", "Лосев", "Эпиграмма была сочинена про Лосева его учеником."),
    ("包裹是寄给谁的？", "冯医生", "包裹是冯医生寄的，收件人是她的妹妹。"),
    # A point of time is no duration.
    ("How long did the siege last?", "two months", "It was over in ten days, two months before the harvest."),
    ("Сколько длился ремонт?", "три недели", "Ремонт шёл пять дней и начался через три недели после пожара."),
    ("展览持续了多长时间？", "三个星期", "展览持续五天，开幕是在地震三个星期之后。"),
    # A part of the sum.
    ("Какова сумма залога?", "200 000 рублей", "Залог составляет 500 000 рублей, из них 200 000 рублей уходит на экспертизу."),
    ("How much is the deposit?", "$200", "The deposit is $500, of which $200 goes to the agent."),
]  # fmt: skip


@pytest.mark.parametrize(("question", "expected", "answer"), OTHER_PLACE)
def test_a_value_in_another_place_of_the_clause_does_not_count(
    question: str, expected: str, answer: str
):
    """A landmark, the one a relative clause is about, a target and a point of time are not asked for."""
    assert not text_verdict(answer, expected, question=question).holds


NOT_SO = [
    # Only later, and only thought at first.
    ("Who was abbot when the cloister burned?", "Brother Anselm", "Brother Anselm became abbot only after the cloister had burned under Brother Odo."),
    ("Кто был тогда старостой?", "Прохоров", "Прохоров стал старостой лишь позже, а в тот год им был Зуев."),
    ("Отчего упал мост?", "от паводка", "Сперва думали, что от паводка, но комиссия выяснила: от ржавчины."),
    ("这口井是用什么砌的？", "青砖", "原井是青砖砌的，早就塌了，现存的这口是石头砌的。"),
    # What is allowed, and who is exempt.
    ("What did the trainer tell Ann to avoid?", "swimming", "He told her to stop running and said that swimming was fine."),
    ("От чего врач велел отказаться?", "от чая", "Велел бросить курить, а чай разрешил."),
    ("Кто платит за вывоз мусора?", "арендатор", "Вывоз мусора оплачивает собственник, арендатор освобождён от этой платы."),
    ("Who pays for the survey?", "the buyer", "The seller pays for the survey; the buyer is exempt from it."),
    # Denied after the value, also with a word for it.
    ("哪种证件可以进内场？", "绿色证件", "拿绿色证件的不能进内场，要红色的才行。"),
    ("船队走的是哪条水道？", "东水道", "东水道淤塞，船队没有走那里，而是绕行走了外海。"),
    ("Which card opens the vault?", "a blue card", "Those with a blue card cannot open the vault; it takes a red one."),
    ("Какой пропуск годится для цеха?", "зелёный", "С зелёным пропуском в цех не пускают, годится красный."),
]  # fmt: skip


@pytest.mark.parametrize(("question", "expected", "answer"), NOT_SO)
def test_a_value_that_is_not_so_does_not_count(question: str, expected: str, answer: str):
    """What came only later, was only thought, is allowed or exempt, or is denied does not answer."""
    assert not text_verdict(answer, expected, question=question).holds


AFTER_ANSWER = [
    ("What was the band paid for?", "a late encore", "The band got its money for opening the fair. A late encore annoyed several neighbours."),
    ("За что наградили сторожа?", "за спасение собаки", "Награду сторож получил за верную службу. За спасение собаки хвалили пожарных."),
    ("谁修好了风车？", "郭师傅", "风车是木匠老赵修的，郭师傅那几天生病住院。"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "expected", "answer"), AFTER_ANSWER)
def test_a_remark_about_something_else_after_the_answer_does_not_count(
    question: str, expected: str, answer: str
):
    """After a clause that is about what is asked, one without a word of the question tells something else."""
    assert not text_verdict(answer, expected, question=question).holds


KEPT = [
    ("庙是哪年建成的？", "1620年", "庙修了六年，至1620年落成。"),
    ("How tall is the outer wall?", "7 metres", "The inner wall is 4 metres tall and the outer one 7 metres."),
    ("Which pass did the mules cross in winter?", "the Low Gap", "In winter the Grey Pass is blocked by snow, so they crossed the Low Gap."),
    ("Who bought the kiln?", "the Potters' Guild", "The Potters' Guild raised the money, and it bought the kiln."),
    ("Сколько весит взрослая рысь?", "22 килограмма", "Детёныш рыси весит 5 килограммов, взрослая — 22 килограмма."),
    ("Какой тропой ушёл отряд?", "низом", "Верхней тропой идти не решились, и отряд ушёл низом."),
    ("剧院是哪一年扩建的？", "1979年", "1971年剧院漏雨，直到1979年才扩建。"),
    ("馆长收藏了什么？", "旧钟", "馆长对邮票没有兴趣，他收藏的是一批旧钟。"),
    ("What is the ferry named after?", "a captain", "It is named after a captain who was born in a lighthouse."),
    ("Which archive keeps the charter?", "the Town Archive", "The Town Archive, opposite the bank, keeps the charter."),
    ("How long did the siege last?", "two months", "It ended two months after it had begun."),
    ("Сколько длился ремонт?", "три недели", "Ремонт завершили через три недели после начала."),
    ("Кто отвечает за крышу?", "Лосев", "Ответственность лежит на Лосеве."),
    ("What did the trainer tell Ann to avoid?", "running", "He told her to stop running and said that swimming was fine."),
    ("Who is exempt from the fee?", "the buyer", "The buyer is exempt from it."),
    ("船队走的是哪条水道？", "外海", "东水道淤塞，船队没有走那里，而是绕行走了外海。"),
    ("包裹是寄给谁的？", "冯医生", "包裹是寄给冯医生的。"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "expected", "answer"), KEPT)
def test_the_clause_that_answers_is_kept(question: str, expected: str, answer: str):
    """The other value of the same answers, and the same words in the right place, count."""
    assert text_verdict(answer, expected, question=question).holds


def test_a_landmark_is_no_entity():
    """The name of a place that only tells where something lies is not the expected entity."""
    question = "Which chapel owns the bell?"
    answer = "The bell belongs to a farm across the street from St Olave's Chapel."
    assert not entity_verdict(answer, "St Olave's Chapel", question=question).holds
