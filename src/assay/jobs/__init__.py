"""The jobs: each composes a data set, a plan, scorers and tables."""
