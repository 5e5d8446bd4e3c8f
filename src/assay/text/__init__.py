"""Chinese, Russian and English as pure functions; only a tokenizer reads files."""
