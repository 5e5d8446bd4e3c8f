"""The reference pipeline: a RAG system in which every component can be switched on and off."""
