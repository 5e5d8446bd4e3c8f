from assay.rag.generate.extractive import quotable


def test_headings_and_table_rules_are_not_quoted():
    """Headings and separator lines of tables are left out; each table row is a quotation."""
    text = "5.1 Выручка\n\nСводка ниже.\n\n| Год | Сумма |\n|---|---|\n| 2023 | 12 |\n| 2022 | 11 |"
    quoted = [span.of(text) for span in quotable(text)]
    assert quoted == ["Сводка ниже.", "| Год | Сумма |", "| 2023 | 12 |", "| 2022 | 11 |"]


def test_a_text_that_is_only_a_heading_can_be_quoted():
    """A heading can be quoted if the text contains nothing else."""
    assert len(quotable("Article 5. Leave")) == 1
