"""Two clauses that are set against each other, and the other side of what is asked."""

import pytest

from assay.scorers.legal.field import text_verdict


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        # The other clause has the word of the question, this one another in its place.
        ("Who repaired the organ?", "Lena Voss", "Lena Voss repaired the clock, while the organ was restored by Jan Pruss."),
        ("What is the daily fee?", "$30", "$30 is the weekly deposit; the daily fee comes to $8."),
        ("How long does the guarantee last?", "six years", "The shop has existed for six years and gives a guarantee of 18 months."),
        ("Who trains the juniors?", "Petra Holm", "Petra Holm runs the canteen, but the juniors are coached by Ulf Dahl."),
        ("Кто чинил орган?", "Вера Лунина", "Вера Лунина чинила часы, а орган восстанавливал Пётр Крюков."),
        ("Из чего сделаны перила?", "из дуба", "Ступени сделаны из дуба, перила же выковали из железа."),
        ("Сколько стоит детский билет?", "400 рублей", "400 рублей стоит парковка, а детский билет — 150."),
        ("Кто выдал ключи?", "комендант Лось", "Комендант Лось заболел; выдавал ключи вахтёр."),
        ("病假有几天？", "15天", "年假是15天，病假为8天。"),
        ("弟弟考上了哪所学校？", "北山中学", "哥哥考上了北山中学，弟弟读的是城东职校。"),
        ("水电费多久交一次？", "每季度", "物业费每季度交一次，水电费则每月交。"),
        # It returns to the one who is asked about.
        ("What is the altar made of?", "limestone", "The floor before the altar is of limestone; the altar itself is of bronze."),
        ("Which drug did the driver take?", "codeine", "His passenger had taken codeine, whereas the driver himself was on sleeping pills."),
        ("Кто начальник порта?", "Игорь Вязов", "Игорь Вязов — водитель начальника порта, сам начальник — Ершов."),
        ("剧本由谁执笔？", "许文澜", "剧本的策划是许文澜，执笔者另有其人。"),
        # Before for after, got for given, a difference for a price.
        ("What was the speed limit after the accident?", "80 km/h", "Before the accident the limit was 80 km/h."),
        ("Какой была зарплата до реформы?", "60 000 рублей", "После реформы зарплата составила 60 000 рублей."),
        ("What did Otto give his niece?", "a brass lamp", "Otto received a brass lamp from his niece."),
        ("Что подарил Олег сестре?", "гитару", "Олег получил в подарок гитару от сестры."),
        ("How much is the large box?", "$7", "The small box is $7 cheaper than the large one."),
        ("Сколько стоит большая коробка?", "70 рублей", "Большая коробка на 70 рублей дороже маленькой."),
        ("大箱子多少钱？", "7元", "大箱子比小箱子贵7元。"),
        # Forbidden, ruled out, suspecting somebody else, a plan that was dropped.
        ("How is the film stored?", "in the freezer", "Storing the film in the freezer is prohibited."),
        ("Как хранят плёнку?", "в морозилке", "Держать плёнку в морозилке запрещается."),
        ("What caused the fire?", "a short circuit", "The inspector ruled out a short circuit: a candle caused the fire."),
        ("Чем заболел кот?", "бешенством", "Врач исключил заболевание бешенством: кот простужен."),
        ("Who stole the ring?", "Mrs Tarn", "Mrs Tarn accused the cook of stealing the ring."),
        ("Who stole the ring?", "the cook", "The guests blamed the cook, but the thief was the groom."),
        ("数据库用的是什么？", "Oracle", "数据库用的是 MySQL，换成 Oracle 的计划已被搁置。"),
        ("现任校长是谁？", "罗文斌", "罗文斌于2018年卸任，此后由钱雪接任。"),
        # A command is given as it is, and an appeal is against another court.
        ("Which command stops the queue?", "queuectl stop main", "Use `queuectl start main`."),
        ("Which court decided the case?", "the County Court", "It went on from a ruling of the County Court and was decided by the Supreme Court."),
    ],
)  # fmt: skip
def test_a_value_of_the_clause_that_is_not_asked_about_is_refused(
    question: str, gold: str, answer: str
):
    """The comment above the answers says what the clause with the value is about."""
    assert not text_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("Who repaired the organ?", "Jan Pruss", "Lena Voss repaired the clock, while the organ was restored by Jan Pruss."),
        ("Who repaired the organ?", "Jan Pruss", "Jan Pruss did, while Lena Voss looked after the clock."),
        ("What is the daily fee?", "$8", "$30 is the weekly deposit; the daily fee comes to $8."),
        ("What is the altar made of?", "bronze", "The floor is of limestone; the altar itself is of bronze."),
        ("Кто чинил орган?", "Пётр Крюков", "Вера Лунина чинила часы, а орган восстанавливал Пётр Крюков."),
        ("Из чего сделаны перила?", "из железа", "Ступени сделаны из дуба, перила же выковали из железа."),
        ("Сколько стоит детский билет?", "150 рублей", "400 рублей стоит парковка, а детский билет — 150 рублей."),
        ("Кто проектировал мост?", "инженер Рыков", "Мост проектировал инженер Рыков, сам родом из Твери."),
        ("病假有几天？", "8天", "年假是15天，病假为8天。"),
        ("弟弟考上了哪所学校？", "城东职校", "哥哥考上了北山中学，弟弟考上的是城东职校。"),
        ("What was the speed limit before the accident?", "80 km/h", "Before the accident the limit was 80 km/h, after it 60."),
        ("How much cheaper is the small box?", "$7", "The small box is $7 cheaper than the large one."),
        ("На сколько большая коробка дороже?", "на 70 рублей", "Большая коробка на 70 рублей дороже маленькой."),
        ("What is prohibited in the archive?", "storing food", "Storing food is prohibited."),
        ("Whom did Mrs Tarn accuse?", "the cook", "Mrs Tarn accused the cook."),
        ("Против кого подана жалоба?", "против завода «Луч»", "Жалоба подана на завод «Луч»."),
        ("Which command stops the queue?", "queuectl stop main", "Run `queuectl stop main`."),
        ("Which log caused the alarm?", "boot.log", "The alarm was raised while parsing `boot.log`."),
    ],
)  # fmt: skip
def test_a_value_of_the_clause_that_is_asked_about_is_kept(question: str, gold: str, answer: str):
    """The other clause may tell of something else."""
    assert text_verdict(answer, gold, question=question).holds
