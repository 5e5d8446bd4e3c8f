"""Sets of questions: checking, drafting, reviewing them, their gold, and how many are needed."""
