"""The places of a pool of workers, and the questions that their workers are asked."""

from typing import Any


class Question:
    """A question, and the places whose workers were lost while they answered it."""

    def __init__(self) -> None:
        self.losses = 0
        self.lost_at: set[Member] = set()


class Member:
    """One place in the pool, and the worker that fills it at the moment."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.actor: Any = None
        self.host = ""
        self.asked: set[Question] = set()
        self.deaths = 0
        self.is_aside = False

    @property
    def has_suspect(self) -> bool:
        """Whether it is asked a question that has cost a worker before."""
        return any(question.losses for question in self.asked)

    @property
    def name(self) -> str:
        """How messages call it."""
        return f"worker {self.number}" + (f" on {self.host}" if self.host else "")
