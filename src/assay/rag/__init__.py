"""The reference pipeline: a real RAG system with a switch for every component."""
