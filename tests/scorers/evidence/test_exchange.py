"""Names in exchanged places, names in the place of another, and initials."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import verify_quotation
from assay.scorers.evidence.exchange import changed_initials, exchanged_names

LEASE = (
    "Арендатор Иванов И.И. обязуется выплатить Арендодателю Петрову П.П. 5000 рублей до 5 мая 2024"
    " года."
)
SALE = (
    "The Buyer, Anna Petrova, shall pay the Seller, Boris Ivanov, 5,000 dollars within thirty days."
)


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("李强向王明借款五千元", "王明向李强借款五千元。"),
        ("王强向王明借款五千元", "王明向王强借款五千元。"),
        ("李强向王明借款", "王明于2023年向李强借款五千元。"),
        ("乙公司应向甲公司赔偿损失", "甲公司应向乙公司赔偿损失。"),
        ("原告李强起诉被告王明", "原告王明起诉被告李强。"),
        ("李四将房屋出租给张三", "张三将房屋出租给李四。"),
        ("欧阳翊委托陈明飞办理手续", "陈明飞委托欧阳翊办理手续。"),
        ("李强应于5月5日前支付租金五千元", "王明应于5月5日前向李强支付租金五千元。"),
        (
            "Арендатор Петров П.П. обязуется выплатить Арендодателю Иванову И.И. 5000 рублей",
            LEASE,
        ),
        ("обязуется выплатить 5000 рублей Иванову", LEASE),
        ("Петров передаёт Иванову станок", "Поставщик Иванов передаёт Покупателю Петрову станок."),
        ("Зуева М.К. передаёт Фролову С.А. дом", "Фролов С.А. передаёт Зуевой М.К. дом с садом."),
        ("Истец Орлова подала иск к Соколовой", "Истец Соколова подала иск к Орловой."),
        (
            "ООО «Бета» поставляет ООО «Альфа» станки",
            "ООО «Альфа» поставляет ООО «Бета» станки.",
        ),
        ("The Seller, Boris Ivanov, shall pay 5,000 dollars within thirty days", SALE),
        ("Anna lent Boris 500 crowns", "Boris lent Anna 500 crowns."),
    ],
)
def test_exchanged_names_are_refused(quotation: str, source: str):
    """A quotation that puts a name of the source in the place of another one is refused."""
    check = verify_quotation(quotation, source)
    assert not check.valid
    assert check.reasons


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("李强与王明签订合同", "王明与李强签订合同。"),
        ("上海、北京、广州均设有分公司", "北京、上海、广州均设有分公司。"),
        ("李强向王明出具收据", "王明向李强借款五千元，李强向王明出具收据。"),
        ("租金由王明于每月5日支付给李强", "王明于每月5日向李强支付租金。"),
        ("Орлова подала иск", "Истец Орлова подала иск к Соколовой."),
        (
            "Арендатор Иванов И. И. обязуется выплатить Арендодателю Петрову П. П. 5000 рублей",
            LEASE,
        ),
        ("shall pay the Seller, Boris Ivanov, 5,000 dollars", SALE),
    ],
)
def test_names_in_their_places_are_kept(quotation: str, source: str):
    """The order of a list says nothing, and a name that both orders have is in its place."""
    assert verify_quotation(quotation, source).valid


@pytest.mark.parametrize(
    ("quotation", "changed"),
    [
        ("Иванов П.П.", True),
        ("Петров И.И.", True),
        ("П.П. Иванов", True),
        ("Иванов И.И.", False),
        ("И. И. Иванов", False),
        ("Иванову И.", False),
        ("Сидоров С.С.", False),
    ],
)
def test_initials_belong_to_their_name(quotation: str, changed: bool):
    """A name with the initials of another one is changed; in another order or case it is not."""
    assert bool(changed_initials(quotation, LEASE)) is changed


@given(st.text("甲乙向李王明强付ABи ", max_size=30), st.text("甲乙向李王明强付ABи ", max_size=40))
def test_a_stretch_of_the_source_has_no_exchanged_names(stretch: str, rest: str):
    """Whatever is quoted word for word is in its place."""
    assert exchanged_names(stretch, f"{stretch} {rest}") == ()
