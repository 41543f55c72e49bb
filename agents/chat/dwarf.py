"""The chat dwarf: it shows the model its view, reads the answer, asks again, and falls back when nothing helps."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from saboteur_env.game.view import View
from saboteur_env.text import ask_beliefs, prompt, read_answer, read_beliefs, split_message

from ..base import Decision
from ..scripted.agent import KernelAgent
from .bill import Account, Bill, account_of
from .client import Answer, Connection, Messages
from .settings import Settings

logger = logging.getLogger("saboteur_env.chat")

ASK_AGAIN = "Answer again."
NO_BELIEFS = "No line of JSON with a probability for each other dwarf could be read."


@dataclass
class Outcome:
    """What comes of a talk: what was read, or None and why; the last words; the lines for the log; a message to all."""

    read: Any = None
    why: str = "the budget is spent"
    words: str = ""
    log: list[dict[str, Any]] = field(default_factory=list)
    message: str = ""


Talk = Generator[Messages, Answer, Outcome]  # what is asked, what is answered, what comes of it
Reader = Callable[[str], tuple[Any, str]]  # what an answer says, or None and why it cannot be read


class Chat:
    """A dwarf that plays what a language model says.

    Args:
        argument: what follows `chat:` in a name (settings.py).
        account: to share a bill and budgets with others; its own where missing.
    """

    def __init__(self, argument: str = "", account: Account | None = None) -> None:
        self.settings = Settings.parse(argument)
        self._connection = Connection(self.settings)
        self._account = account or Account(self.settings)
        self._fallback = KernelAgent(self.settings.fallback)

    @property
    def bill(self) -> Bill:
        """What was asked and spent so far."""
        return self._account.bill

    def act(self, view: View, seed: int) -> str:
        """A legal move. Raises: ValueError where the server refuses the key or does not know the model."""
        return self.decide(view, seed).move

    def decide(self, view: View, seed: int) -> Decision:
        """As `act`, with what the model said."""
        return self._decision(view, seed, self._wait(self._choose(view)))

    async def decide_async(self, view: View, seed: int) -> Decision:
        """As `decide`, while others play."""
        return self._decision(view, seed, await self._wait_async(self._choose(view)))

    def suspects(self, view: View) -> list[float | None]:
        """Ask, for each seat, the probability that it is a saboteur; None where the model says nothing.

        Not called `beliefs`, as studies call that freely, and each of these calls is paid for.
        """
        return self._suspicion(view, self._wait(self._suspect(view)))

    async def suspects_async(self, view: View) -> list[float | None]:
        """As `suspects`, while others play."""
        return self._suspicion(view, await self._wait_async(self._suspect(view)))

    async def aclose(self) -> None:
        """Close what `decide_async` has opened in the event loop."""
        await self._connection.aclose()

    def _wait(self, talk: Talk) -> Outcome:
        try:
            messages = next(talk)
            while True:
                messages = talk.send(self._connection.ask(messages))
        except StopIteration as done:
            outcome: Outcome = done.value
            return outcome

    async def _wait_async(self, talk: Talk) -> Outcome:
        try:
            messages = next(talk)
            while True:
                messages = talk.send(await self._connection.ask_async(messages))
        except StopIteration as done:
            outcome: Outcome = done.value
            return outcome

    def _choose(self, view: View) -> Talk:
        legal = view.legal_moves()

        def read(text: str) -> tuple[str | None, str]:
            return read_answer(split_message(text)[0] if view.may_say else text, legal)

        return self._talk(view, prompt(view, self.settings.size), "move", read)

    def _suspect(self, view: View) -> Talk:
        def read(text: str) -> tuple[list[float | None] | None, str]:
            return read_beliefs(text, view.rules.players, view.seat), NO_BELIEFS

        return self._talk(view, ask_beliefs(view, self.settings.size), "beliefs", read)

    def _talk(self, view: View, question: str, wanted: str, read: Reader) -> Talk:
        messages, outcome = [_user(question)], Outcome()
        for _ in range(self.settings.tries):
            if self._account.spent:
                break
            asked = perf_counter()
            answer = yield messages
            outcome.words = answer.text
            outcome.read, outcome.why = (None, answer.fault) if answer.fault else read(answer.text)
            line = {"messages": messages, "answer": answer.text, wanted: outcome.read, "why": outcome.why}
            played = {"moves": int(wanted == "move" and outcome.read is not None)}
            if played["moves"] and view.may_say:
                outcome.message = line["message"] = split_message(answer.text)[1]
            self._keep(view, outcome, {**line, **played, **self._spent(answer, outcome, asked)})
            if outcome.read is not None:
                break
            if not answer.fault:
                again = _user(f"{outcome.why} {ASK_AGAIN}")
                messages = [*messages, {"role": "assistant", "content": answer.text}, again]
        return outcome

    def _decision(self, view: View, seed: int, outcome: Outcome) -> Decision:
        move = outcome.read
        if move is None:
            move, fallback = self._fallback.act(view, seed), self.settings.fallback
            line = {"move": move, "moves": 1, "fallbacks": 1, "fallback": fallback, "why": outcome.why}
            self._keep(view, outcome, line)
            logger.warning("%s: %s plays %s instead: %s", self.settings.model, fallback, move, outcome.why)
        return Decision(move, outcome.words, outcome.log, outcome.message)

    @staticmethod
    def _suspicion(view: View, outcome: Outcome) -> list[float | None]:
        return outcome.read or [None] * view.rules.players

    def _spent(self, answer: Answer, outcome: Outcome, asked: float) -> dict[str, Any]:
        cost = answer.prompt_tokens * self.settings.price_in + answer.answer_tokens * self.settings.price_out
        return {
            "prompt_tokens": answer.prompt_tokens,
            "answer_tokens": answer.answer_tokens,
            "cost": cost / 1e6,
            "seconds": perf_counter() - asked,
            "answers": int(not answer.fault),
            "failed": int(bool(answer.fault)),
            "unreadable": int(not answer.fault and outcome.read is None),
        }

    def _keep(self, view: View, outcome: Outcome, line: dict[str, Any]) -> None:
        where = {"round": int(view.public.round_number), "event": int(view.public.event_count), "seat": view.seat}
        outcome.log.append({"model": self.settings.model, **where, **line})
        self._account.add(outcome.log[-1])


def chat_by_name(argument: str = "") -> Chat:
    """The chat dwarf of a name; all of one name in this process share a bill and budgets."""
    return Chat(argument, account_of(Settings.parse(argument)))


def _user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}
