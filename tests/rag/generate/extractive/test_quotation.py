from assay.rag.generate.extractive.quotation import quotable


def test_headings_and_table_rules_are_not_quoted():
    """A heading is left out, and each row of a table stands alone."""
    text = "5.1 Выручка\n\nСводка ниже.\n\n| Год | Сумма |\n|---|---|\n| 2023 | 12 |\n| 2022 | 11 |"
    quoted = [span.of(text) for span in quotable(text)]
    assert quoted == ["Сводка ниже.", "| Год | Сумма |", "| 2023 | 12 |", "| 2022 | 11 |"]


def test_a_text_that_is_only_a_heading_can_be_quoted():
    """Where there is nothing else, the heading is all there is."""
    assert len(quotable("Article 5. Leave")) == 1
