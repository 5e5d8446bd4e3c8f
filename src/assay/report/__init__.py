"""How results are drawn: tables, charts and words. It computes none of them."""
