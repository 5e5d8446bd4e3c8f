"""Read documents of all supported formats as pages of text."""
