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
