"""A program as the system under test. It stays alive and exchanges lines of JSON with assay.

For each case the program reads one line
``{"request_id": …, "question": …, "question_id": …, "settings": …, "top_k": …}`` from its standard
input and writes one line to its standard output: a reply in the form that ``assay.systems.reply``
describes, or ``{"error": "…"}``, which may repeat ``request_id``. The last line that it writes to
standard error is shown in the error message if the program ends unexpectedly. A program that misses
its deadline, or whose replies may belong to other requests (``assay.systems.program``), is killed,
and a new copy is started for the next case.

The programs are started before the first question. With ``prepare: true`` each of them first gets
one line ``{"prepare": true, "settings": …}`` for each variant and answers it with any JSON line,
or ``{"error": "…"}``.
"""

import asyncio
import os
import shutil
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from assay.config.literal_secret import literal_secrets
from assay.config.system import CommandConfig, PassagesOrder, PerQuestion
from assay.errors import CaseError, SystemFailed, SystemLoadError
from assay.mask import MASK, add_secrets, looks_secret
from assay.models.meter import not_working
from assay.models.secret import Environment, Secret, scrub_secrets
from assay.records import Answer, Question, digest
from assay.redact.error_text import error_line
from assay.systems.plain import shown_entry
from assay.systems.program import Program, start_program
from assay.systems.protocol import Configuration, Setting, named_settings
from assay.systems.reply import to_answer

_LONGEST_ERROR: Final = 500


class CommandSystem:
    """Runs up to ``processes`` copies of a program and gives each copy one case at a time."""

    def __init__(
        self,
        config: CommandConfig,
        environment: Environment | None = None,
        *,
        name: str = "command",
    ) -> None:
        self._config = config
        environment = environment or Environment()
        if shutil.which(config.command[0]) is None:
            raise SystemLoadError(f"{name}: there is no program {config.command[0]!r}")
        self._env = {
            variable: environment.expand(value, f"{name}: env {variable}")
            for variable, value in config.env.items()
        }
        given = {variable: value.reveal() for variable, value in self._env.items()}
        add_secrets(literal_secrets({"env": given}))
        self._idle: deque[Program] = deque()
        self._prepared_for: Sequence[Mapping[str, Any]] = ()
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def identity(self) -> str:
        """The program, a hash of the command line, and the configured version if there is one."""
        version = f"@{self._config.version}" if self._config.version else ""
        return f"command:{self._config.command[0]}#{digest(self._config.command)}{version}"

    def described(self, settings: Mapping[str, Any]) -> Configuration:
        """Its entry with the settings; of its variables only the names.

        Any of their values may be a secret that nobody recognises.
        """
        entry = msgspec.to_builtins(self._config)
        del entry["env"]
        entry |= {
            "command": list(_shown_words(self._config.command)),
            "settings": dict(settings),
        }
        secrets = {
            name: "set" if value.reveal() else "not set"
            for name, value in sorted(self._env.items())
        }
        return Configuration(settings=shown_entry(entry), secrets=secrets)

    @property
    def passages_order(self) -> PassagesOrder:
        """The configured order of the passages."""
        return self._config.passages

    @property
    def per_question(self) -> PerQuestion | None:
        """What the configuration declares that a question takes."""
        return self._config.per_question

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """The configured setting names; None, which allows any, if none are configured."""
        return named_settings(self._config.settings)

    @property
    def max_concurrency(self) -> int | None:
        """The number of processes, because each process handles one case at a time."""
        return self._config.processes

    @property
    def answers_on_loop(self) -> bool:
        """True: the event loop reads what the programs write."""
        return True

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Send the question to an idle copy of the program and read its reply."""
        request = {
            "question": question.text,
            "question_id": question.id,
            "settings": dict(settings),
            "top_k": top_k,
        }
        if self._idle:
            program = self._idle.popleft()
        else:
            with not_working():  # a copy that replaces another is no part of the answer
                program = await self._start_prepared()
        try:
            reply = await program.exchange(request)
        except asyncio.CancelledError:
            # the event loop may be about to end; a process not killed now would keep running
            program.kill()
            self._end(program)
            raise
        except Exception as error:
            error.args = (self._without_secrets(str(error)),)
            await asyncio.shield(self._end(program))
            raise
        self._idle.append(program)
        try:
            _refuse_error(reply)
        except SystemFailed as error:
            raise SystemFailed(self._without_secrets(str(error))) from None
        return to_answer(reply)

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Start the programs and, with ``prepare``, prepare each for each of the settings.

        Raises ``SystemLoadError`` if a program cannot be prepared.
        """
        self._prepared_for = tuple(settings) if self._config.prepare else ()
        missing = min(self._config.processes, concurrency) - len(self._idle)
        started = await asyncio.gather(
            *(self._start_prepared() for _ in range(missing)), return_exceptions=True
        )
        self._idle.extend(program for program in started if isinstance(program, Program))
        for error in started:
            if isinstance(error, CaseError):
                raise SystemLoadError(f"the system could not be prepared: {error}") from error
            if isinstance(error, BaseException):
                raise error

    async def close(self) -> None:
        """End the programs: close their input and kill those that do not exit."""
        while self._idle:
            self._end(self._idle.popleft())
        await asyncio.gather(*self._ending)

    def _end(self, program: Program) -> asyncio.Task[None]:
        """End a program in a task that continues even if the case's own task is cancelled."""
        task = asyncio.create_task(program.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        return task

    def _without_secrets(self, text: str) -> str:
        """The program's text with the keys from its environment removed."""
        whole = [Secret(value.reveal()) for value in self._env.values()]
        return scrub_secrets(
            text, [*whole, *(p for each in self._env.values() for p in each.parts)]
        )

    async def _start_prepared(self) -> Program:
        """Start a copy of the program and prepare it; end it if that fails."""
        program = await self._start()
        try:
            for settings in self._prepared_for:
                request = {"prepare": True, "settings": dict(settings)}
                _refuse_error(await program.exchange(request))
        except asyncio.CancelledError:
            program.kill()
            self._end(program)
            raise
        except Exception as error:
            error.args = (self._without_secrets(str(error)),)
            await asyncio.shield(self._end(program))
            raise
        return program

    async def _start(self) -> Program:
        own = {name: value.reveal() for name, value in self._env.items()}
        return await start_program(self._config.command, {**os.environ, **own})


def _refuse_error(reply: Any) -> None:
    if isinstance(reply, dict) and reply.get("error"):
        raise SystemFailed(
            f"the program reports an error: {error_line(str(reply['error']), _LONGEST_ERROR)}"
        )


def _shown_words(words: Sequence[str]) -> Iterator[str]:
    """The words of a command line, with ``***`` for the values of options that name a secret.

    >>> list(_shown_words(["rag", "--api-key", "abc", "--token=def", "--k", "5"]))
    ['rag', '--api-key', '***', '--token=***', '--k', '5']
    """
    is_value = False
    for word in words:
        name, equals, _ = word.partition("=")
        is_named = looks_secret(name)
        if is_value or (is_named and equals):
            yield MASK if is_value else f"{name}={MASK}"
        else:
            yield word
        is_value = is_named and not equals and name.startswith("-")
