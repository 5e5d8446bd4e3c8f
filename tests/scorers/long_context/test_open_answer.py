import pytest

from assay.scorers.long_context.open_answer import answer_span, open_match, stated_answers


@pytest.mark.parametrize(
    ("accepted", "text", "expected"),
    [
        ("Bravegund", "The ship was named Bravegund.", "Bravegund"),
        ("the Bravegund", "bravegund", "bravegund"),
        ("235", "1235", None),
        ("5%", "75%", None),
        ("42000", "四万二千", "四万二千"),
        ("42000", "42 000 мешков", "42 000"),
        ("30 августа 2020 г.", "2020-08-30", "2020-08-30"),
        ("琛澜昀", "大船叫“琛澜昀”。", "琛澜昀"),
        ("第3条", "第３条", "第３条"),
        ("違約", "违约", "违约"),
        ("Бравегунд", "Корабль назвали Бравегундом.", "Бравегундом"),
        ("Ёлка", "елка", "елка"),
        ("красная машина", "уехал на красной машине", "красной машине"),
        ("art", "the start", None),
        ("Bravegund", "It was not Bravegund.", None),
        ("Бравегунд", "Это не Бравегунд", None),
        ("琛澜昀", "不是琛澜昀", None),
        ("Bravegund", "Not Bravegund at first, then Bravegund.", "Bravegund"),
    ],
)
def test_an_answer_is_found_as_a_reader_would_find_it(
    accepted: str, text: str, expected: str | None
):
    """Case, width, endings and number formats make no difference; denials and substrings do."""
    span = answer_span(accepted, text)
    assert (None if span is None else span.of(text)) == expected


def test_the_matched_span_is_kept():
    """The match names the accepted answer, the answer that contains it, and the offsets."""
    match = open_match(["Olm", "Bravegund"], ["She was called Bravegund"])
    assert match is not None
    assert (match.accepted, match.said[match.start : match.end]) == ("Bravegund", "Bravegund")


def test_who_names_two_has_not_chosen():
    """Each of several answers must be accepted, unless joined they are an accepted answer."""
    assert open_match(["Olm"], ["Olm", "Rus"]) is None
    assert open_match(["Olm", "Rus"], ["Olm", "Rus"]) is not None
    assert open_match(["Olm, Rus"], ["Olm", "Rus"]) is not None
    assert open_match(["Olm"], []) is None


@pytest.mark.parametrize(
    ("reply", "answers", "source"),
    [
        ('{"answer": ["Olm"]}', ("Olm",), "json"),
        ('{"answer": "Olm"}', ("Olm",), "json"),
        ('{"answer": [42000]}', ("42000",), "json"),
        ('{"answer": []}', (), "json"),
        ("Let me see.\n**Ответ:** Олм", ("Олм",), "labelled"),
        ("答案：琛澜昀", ("琛澜昀",), "labelled"),
        ("It was Olm.", ("It was Olm.",), "text"),
    ],
)
def test_answers_are_read_from_json_a_label_or_the_whole(
    reply: str, answers: tuple[str, ...], source: str
):
    """JSON is read first, then a line with a label, then the whole reply."""
    stated = stated_answers(reply)
    assert stated is not None
    assert (stated.answers, stated.source) == (answers, source)


@pytest.mark.parametrize("reply", ["", " \n", '{"answer": {"text": 1}}', '{"answer": true}'])
def test_a_reply_that_says_nothing_is_unread(reply: str):
    """An empty reply and JSON of another shape give no answer."""
    assert stated_answers(reply) is None


def test_a_reply_that_never_ends_takes_no_time():
    """A denial that is repeated until the reply is cut off is rejected quickly."""
    assert answer_span("Olm", "not Olm " * 5_000) is None


DENIED = """
可以→不可以 有→没有 是→不是 允许→不允许 允许→未允许 需要→不需要 能→不能 会→不会 对→不对 开放→不开放
需→无需 需要→无需要 允许→并非允许 允许→非允许 允许→没允许 允许→尚未允许 开放→不再开放 开放→不会开放
开放→从未开放 解除合同→甲方不得解除合同 允许→没有被允许 允许→“不允许” 合格→不合格 动产→不动产 可以→這裡不可以
是→是否 能→能不能 有→有没有 是→是不是
"""
AFFIRMED = """
不可抗力→属于不可抗力 不动产→是不动产 不允许→公司不允许 未成年人→保护未成年人 没收→予以没收 非洲→在非洲
可以→不过可以 可以→不仅可以 可以→差不多可以 有→不但有 允许→除非允许 咖啡→南非咖啡 城市→淹没城市 允许→是否允许
可以→不，可以 可以→并非不可以 公开→不得不公开 可以→不可以吸烟，但可以饮酒
"""
DENIED_WORDS = [
    ("can", "No, they can't."),
    ("can", "They cannot."),
    ("can", "They can not."),
    ("is", "It isn't."),
    ("is", "It is not."),
    ("may", "They may not."),
    ("allowed", "It isn’t allowed."),
    ("allowed", "It will not be allowed."),
    ("allowed", "It is no longer allowed."),
    ("terminate", "They cannot terminate."),
    ("можно", "нельзя"),
    ("допустимо", "недопустимо"),
    ("разрешено", "не было разрешено"),
    ("может", "не может"),
    ("Бравегунд", "Он не является Бравегундом."),
]
AFFIRMED_WORDS = [
    ("can", "They can."),
    ("can", "They can not only read but write."),
    ("allowed", "It is not only allowed but wanted."),
    ("allowed", "No, allowed."),
    ("Москва", "Нет, Москва."),
    ("платить", "Он не может не платить."),
]


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(pair.partition("→")[0], pair.partition("→")[2]) for pair in text.split()]


@pytest.mark.parametrize(("answer", "text"), _pairs(DENIED) + DENIED_WORDS)
def test_a_denied_answer_is_not_given(answer: str, text: str):
    """A negation that belongs to the answer turns it into its opposite."""
    assert answer_span(answer, text) is None


@pytest.mark.parametrize(("answer", "text"), _pairs(AFFIRMED) + AFFIRMED_WORDS)
def test_a_negation_elsewhere_denies_nothing(answer: str, text: str):
    """A negation in the answer itself, in another word or clause, or twice leaves it as it is."""
    assert answer_span(answer, text) is not None
