"""A value that stands beside the answer, in a side clause, in brackets or after another answer."""

import pytest

from assay.scorers.legal.field import text_verdict


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        # After another answer.
        ("What is the floor made of?", "oak", "Pine, which replaced the oak last year."),
        ("Who painted the hall?", "Nils Aker", "Eva Storm, a pupil of Nils Aker."),
        ("Кто расписал зал?", "Нил Акер", "Ева Шторм, ученица Нила Акера."),
        ("地板是什么木头的？", "橡木", "松木，因为橡木太贵。"),
        ("How long is the term?", "ten years", "Six years, with an option for another ten years."),
        # In a clause of reason, condition or concession.
        ("Who is liable?", "the carrier", "The sender, unless the carrier acted in bad faith."),
        ("What did the vet prescribe?", "cortison", "She prescribed drops because he cannot tolerate cortison."),
        ("Какой язык официальный?", "ладинский", "Официальный — немецкий, хотя дома говорят на ладинском."),
        # In brackets, after another value.
        ("What is the speed limit?", "30 km/h", "50 km/h (30 km/h near the school)"),
        ("免赔额是多少？", "300元", "500元（会员300元）"),
        # Of a relative or a neighbour.
        ("What is his trade?", "tailor", "His father was a tailor, he himself is a baker."),
        ("Какая у неё машина?", "«Лада»", "У неё «Волга», а «Лада» у соседа."),
        ("他是做什么的？", "裁缝", "他父亲是裁缝，他自己是面包师。"),
        # The rest of the answer says that it is not known.
        ("Who wrote the words?", "Hugo Lind", "Hugo Lind composed the music. Who wrote the words is not stated."),
        ("寺庙建于哪个朝代？", "唐代", "文中只说寺庙在唐代重修，没有说明建于哪个朝代。"),
    ],
)  # fmt: skip
def test_a_value_beside_the_answer_is_wrong(question: str, gold: str, answer: str):
    """The answer is another one; the value only tells something about it."""
    assert not text_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("What is the floor made of?", "oak", "Oak, which replaced the pine."),
        ("What did the vet prescribe?", "cortison", "A hormone, cortison"),
        ("How long is the term?", "two years", "24 months, i.e. two years"),
        ("How tall is it?", "12 m", "It has three floors; the facade rises to 12 m."),
        ("Who left the house to whom?", "her nephew", "She left it to Edwin, her nephew."),
        ("On what ground was it refused?", "lack of funds", "It was refused because the town lacked funds."),
        ("Why did it fail?", "the rope broke", "It failed because the rope broke."),
        ("What is her post?", "finance director", "She is the CFO (finance director) of the group."),
        ("Кто это сделал?", "мастер Орлов", "Это был не Ким, а мастер Орлов."),
        ("为什么失败？", "绳子断裂", "之所以失败，是因为绳子断裂。"),
    ],
)  # fmt: skip
def test_a_value_that_is_the_answer_is_right(question: str, gold: str, answer: str):
    """The value may follow a description, and stand in a side clause that is asked for."""
    assert text_verdict(answer, gold, question=question).holds
