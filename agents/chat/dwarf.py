"""The chat dwarf: it shows the model its view, reads the answer, asks again, and falls back when nothing helps."""

from __future__ import annotations

import logging
from collections.abc import Generator
from time import perf_counter
from typing import Any

from saboteur_env.game.view import View
from saboteur_env.text import ask_beliefs, prompt, read_answer, read_beliefs

from ..scripted.agent import KernelAgent
from .bill import Bill, Log
from .client import Answer, Messages, ask, ask_async, client_settings, openai
from .settings import Settings

Talk = Generator[Messages, Answer, Any]  # what is asked, what is answered, what comes of it

logger = logging.getLogger("saboteur_env.chat")


class Chat:
    """A dwarf that plays what a language model says.

    Args:
        argument: what follows `chat:` in a name (settings.py).

    Attributes:
        bill: what was asked and spent so far.
    """

    def __init__(self, argument: str = "") -> None:
        self.settings = Settings.parse(argument)
        self._how = client_settings(self.settings)
        self._client: openai.OpenAI | None = None
        self._fallback = KernelAgent(self.settings.fallback)
        self._log = Log(self.settings.log)
        self.bill = Bill()

    def act(self, view: View, seed: int) -> str:
        """A legal move. Raises: ValueError where the server refuses the key or does not know the model."""
        move: str = self._wait(self._choose(view, seed))
        return move

    async def act_async(self, client: openai.AsyncOpenAI, view: View, seed: int) -> str:
        """As `act`, while others play."""
        talk = self._choose(view, seed)
        try:
            messages = next(talk)
            while True:
                messages = talk.send(await ask_async(client, self.settings, messages))
        except StopIteration as done:
            move: str = done.value
            return move

    def suspects(self, view: View) -> list[float | None]:
        """Ask, for each seat, the probability that it is a saboteur; None where the model says nothing.

        Not called `beliefs`, as studies call that freely, and each of these calls is paid for.
        """
        said: list[float | None] = self._wait(self._suspect(view))
        return said

    def async_client(self) -> openai.AsyncOpenAI:
        """A client for `act_async`; close it in the end."""
        return openai.AsyncOpenAI(**self._how)

    def _wait(self, talk: Talk) -> Any:
        self._client = self._client or openai.OpenAI(**self._how)
        try:
            messages = next(talk)
            while True:
                messages = talk.send(ask(self._client, self.settings, messages))
        except StopIteration as done:
            return done.value

    def _choose(self, view: View, seed: int) -> Talk:
        legal, messages = view.legal_moves(), [_user(prompt(view, self.settings.size))]
        why = "the budget is spent"
        for _ in range(self.settings.tries):
            if self._spent():
                break
            asked = perf_counter()
            answer = yield messages
            move, why = (None, answer.fault) if answer.fault else read_answer(answer.text, legal)
            self._note(view, messages, answer, asked, move=move, moves=int(move is not None), why=why)
            if move is not None:
                return move
            if not answer.fault:
                messages = [*messages, {"role": "assistant", "content": answer.text}, _user(f"{why} Answer again.")]
        move = self._fallback.act(view, seed)
        self._keep(view, {"move": move, "moves": 1, "fallbacks": 1, "why": why})
        logger.warning("%s: %s plays %s instead: %s", self.settings.model, self.settings.fallback, move, why)
        return move

    def _suspect(self, view: View) -> Talk:
        messages = [_user(ask_beliefs(view, self.settings.size))]
        for _ in range(self.settings.tries):
            if self._spent():
                break
            asked = perf_counter()
            answer = yield messages
            said = read_beliefs(answer.text, view.rules.players, view.seat)
            self._note(view, messages, answer, asked, beliefs=said, why=answer.fault, move="" if said else None)
            if said:
                return said
        return [None] * view.rules.players

    def _spent(self) -> bool:
        bill, given = self.bill, self.settings
        tokens = bill.prompt_tokens + bill.answer_tokens
        return bool(
            (given.token_budget and tokens >= given.token_budget)
            or (given.time_budget and bill.seconds >= given.time_budget)
        )

    def _note(self, view: View, messages: Messages, answer: Answer, asked: float, **read: Any) -> None:
        spent = {"prompt_tokens": answer.prompt_tokens, "answer_tokens": answer.answer_tokens}
        cost = answer.prompt_tokens * self.settings.price_in + answer.answer_tokens * self.settings.price_out
        self._keep(
            view,
            {
                "messages": messages,
                "answer": answer.text,
                **read,
                **spent,
                "cost": cost / 1e6,
                "seconds": perf_counter() - asked,
                "answers": int(not answer.fault),
                "failed": int(bool(answer.fault)),
                "unreadable": int(not answer.fault and read["move"] is None),
            },
        )

    def _keep(self, view: View, line: dict[str, Any]) -> None:
        where = {"round": int(view.public.round_number), "event": int(view.public.event_count), "seat": view.seat}
        self.bill.add(line)
        self._log.write({"model": self.settings.model, **where, **line})


def _user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}
