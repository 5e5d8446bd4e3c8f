"""Short answers and answers of yes or no, by class."""

import pytest

from assay.scorers.legal.boolean_answer import stated_boolean
from assay.scorers.legal.field import text_verdict


@pytest.mark.parametrize(
    ("question", "expected", "answer"),
    [
        # Left behind, gone by then, belonging to somebody else, done for somebody.
        ("What was taken from the shop?", "a gold watch", "The burglars took the till, leaving behind a gold watch."),
        ("Why was the match stopped?", "because of rain", "A floodlight failed. The rain had cleared by then."),
        ("Where is the firm based?", "Geneva", "In Basel; its auditors have their offices in Geneva."),
        ("What was his trade?", "cooper", "He was a clerk and the son of a cooper."),
        ("Who wrote the speech?", "Ruth Adler", "Max Stern wrote it for Ruth Adler."),
        ("Which body ran the survey?", "Royal Society", "It was run by a college under rules issued by the Royal Society."),
        # Another thing has the verb of the question in the passive.
        ("Which metal is melted in the furnace?", "zinc", "Tin is melted; zinc is stored in the furnace hall."),
        ("What was the wagon's load?", "salt and flour", "Timber. Salt and flour were put on the next wagon."),
        # Only one of two things; two clauses; another thing that is counted.
        ("What does the tenant get?", "two keys and a parking card", "The tenant gets two keys."),
        ("Who waters the plants?", "the porter's wife", "The porter does; his wife sells tickets."),
        ("How many wings does it have?", "six", "Four, and six legs."),
        # The one who gave it away.
        ("Who bought the mill?", "Orme Ltd", "Orme Ltd sold it to Pell and Sons."),
        ("Кто приобрёл мельницу?", "ООО «Рожь»", "ООО «Рожь» продало её фермеру Панину."),
        ("哪家公司受让了该专利？", "江苏云帆机械有限公司", "专利由江苏云帆机械有限公司转让给了苏南仪器厂。"),
        ("谁被任命为清算人？", "明诚律师事务所", "清算人是广信会计师事务所。"),
        ("保证人是谁？", "陈立新", "陈立新是借款人，由其兄陈立国提供保证。"),
    ],
)  # fmt: skip
def test_words_that_belong_to_something_else_do_not_count(
    question: str, expected: str, answer: str
):
    """An answer with the expected words in another role is wrong."""
    assert not text_verdict(answer, expected, question=question).holds


@pytest.mark.parametrize(
    ("question", "expected", "answer"),
    [
        ("What colour is the gate?", "light blue", "It has a light shade of blue."),
        ("What did the garrison run out of?", "dry powder", "They had no dry powder left."),
        ("What was forbidden in 1880?", "the sale of gin", "In 1880 selling gin was forbidden."),
        ("Who is the guarantor?", "Harte Finance Ltd", "Harte Finance Limited guarantees the borrower's debts."),
        ("争议如何解决？", "提交杭州仲裁委员会仲裁", "先协商，协商不成的，交由杭州仲裁委员会仲裁。"),
    ],
)  # fmt: skip
def test_other_words_for_the_same_count(question: str, expected: str, answer: str):
    """A shade, a lack, a verb for its noun and the deed of a party say the same."""
    assert text_verdict(answer, expected, question=question).holds


@pytest.mark.parametrize(
    ("question", "answer", "stated"),
    [
        # Kept or handed back, struck down, barred, outside.
        ("Does she keep the phone during leave?", "The phone has to be handed back on the first day of leave.", False),
        ("Is the penalty clause enforceable?", "The judge struck it down as wholly disproportionate.", False),
        ("Is the tenant allowed to keep bees?", "The lease bars the keeping of bees.", False),
        ("Does the policy cover hail damage?", "Hail damage falls outside the policy.", False),
        ("Признана ли доверенность недействительной?", "Суд счёл её ничтожной.", True),
        # Nothing goes without it.
        ("Is a permit required?", "Without a permit the works cannot begin.", True),
        ("Нужно ли согласие банка?", "Без согласия банка сделку не зарегистрируют.", True),
        ("是否需要股东同意？", "未经股东同意，转让不得进行。", True),
        # A freedom is no duty.
        ("Must the agent file a report?", "The agent may file one whenever he likes.", False),
        ("Обязан ли агент сдавать отчёт?", "Агент вправе сдавать отчёт по своему усмотрению.", False),
        # The other one of two kinds.
        ("Is the carrier liable for indirect damage?", "The carrier answers for direct damage alone.", False),
        ("合同必须采用书面形式吗？", "口头合同亦可。", False),
        ("合同必须采用书面形式吗？", "口头合同无效，须以书面方式订立。", True),
        # Whether others may do it, too.
        ("Is the franchise exclusive?", "The franchisor may appoint further dealers and others.", False),
        ("Is the franchise exclusive?", "Nobody but the dealer may use the name.", True),
        ("Является ли лицензия исключительной?", "Лицензиар вправе выдавать такие лицензии другим лицам.", False),
        ("许可是否为排他许可？", "许可方还可以授权第三方使用。", False),
        # A circumstance that is denied is not what is asked; a withdrawal is no denial.
        ("收据未盖章是否有效？", "这张收据仍然有效。", True),
        ("Вправе ли клиент отказаться от услуги?", "Односторонний отказ клиента не допускается.", False),
    ],
)  # fmt: skip
def test_yes_and_no_are_read_from_what_follows(question: str, answer: str, stated: bool):
    """What an answer says about needs, duties, kinds and others decides a question of yes or no."""
    assert stated_boolean(answer, question) is stated
