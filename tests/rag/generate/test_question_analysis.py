import pytest

from assay.rag.generate.extractive import analyse_question, content_words, question_parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Who signs the form, and when is it due?", ["Who signs the form", "when is it due"]),
        (
            "Кто ушёл из совета и когда избрали нового директора?",
            ["Кто ушёл из совета", "когда избрали нового директора"],
        ),
        ("最多养几只？登记要交多少？", ["最多养几只", "登记要交多少"]),
        ("Сколько платят тем, кто работает ночью?", []),
        ("Who signs the form?", []),
    ],
)
def test_a_question_of_several_parts_is_cut_into_them(question: str, parts: list[str]):
    """Each clause that asks something is a part; a relative clause is not."""
    assert question_parts(question) == parts


def test_question_words_are_no_content():
    """Question words and other function words are not content words."""
    assert content_words("How much does the ferry cost?") == ["ferri", "cost"]
    assert content_words("Сколько стоит договор?") == ["сто", "договор"]
    assert content_words("渡船多少钱？") == ["渡船", "钱"]


def test_a_name_weighs_more_than_a_word_of_its_length():
    """A capitalised word inside a question has a higher weight; the first word does not."""
    weights = analyse_question("Ferry to Ossel from ports").weights
    assert weights["ossel"] > weights["ferri"]
