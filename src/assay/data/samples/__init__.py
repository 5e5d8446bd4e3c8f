"""Sample texts in Chinese, Russian and English, written for this project."""
