"""Requests to a server, waiting in this thread or in an event loop; retries and back-off are the client's own."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from saboteur_env.core.extras import extra

from .settings import Settings

with extra("chat"):
    import httpx
    import openai

Messages = list[dict[str, str]]
KEY_VARIABLE = "OPENAI_API_KEY"
PATH = "/chat/completions"


class Answer(NamedTuple):
    """What came back; `fault` says why nothing did."""

    text: str = ""
    prompt_tokens: int = 0
    answer_tokens: int = 0
    fault: str = ""


class Connection:
    """The clients of a chat dwarf: one for its thread, and one while an event loop runs.

    Raises: ValueError where neither a key nor a server of one's own is given.
    """

    def __init__(self, settings: Settings) -> None:
        key = os.environ.get(KEY_VARIABLE)
        if not key and not settings.base_url:
            raise ValueError(
                f"chat dwarf: set {KEY_VARIABLE}, or name a server of your own that asks for no key: base_url=URL"
            )
        self._settings = settings
        self._given: dict[str, Any] = {
            "api_key": key or "none",
            "base_url": settings.base_url or None,
            "max_retries": settings.retries,
            "timeout": settings.timeout,
        }
        self._client: openai.OpenAI | None = None
        self._async: openai.AsyncOpenAI | None = None

    def ask(self, messages: Messages) -> Answer:
        """Ask, and wait in this thread."""
        self._client = self._client or openai.OpenAI(**self._given)
        try:
            return _read(self._client.post(PATH, cast_to=httpx.Response, body=self._body(messages)))
        except openai.OpenAIError as error:
            return _fault(error)

    async def ask_async(self, messages: Messages) -> Answer:
        """Ask, and let others work meanwhile."""
        if self._async is None:
            # The pool of httpx looks at all connections for each request: with 64 it takes four fifths of the time.
            self._async = openai.AsyncOpenAI(**self._given, http_client=openai.DefaultAioHttpClient())
        try:
            return _read(await self._async.post(PATH, cast_to=httpx.Response, body=self._body(messages)))
        except openai.OpenAIError as error:
            return _fault(error)

    async def aclose(self) -> None:
        """Close the client of the event loop."""
        if self._async is not None:
            await self._async.close()
            self._async = None

    def _body(self, messages: Messages) -> dict[str, Any]:
        limit = {"max_tokens": self._settings.max_tokens} if self._settings.max_tokens else {}
        return {"model": self._settings.model, "messages": messages, **limit}


def _fault(error: openai.OpenAIError) -> Answer:
    # Where the key or the model is refused no answer will ever come, and everything stops.
    if isinstance(error, (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError)):
        raise ValueError(f"chat dwarf: the server refuses: {error}") from error
    return Answer(fault=f"{type(error).__name__}: {error}"[:300])


def _read(response: httpx.Response) -> Answer:
    # Servers differ: what is no message is a fault, and tokens that are not told count as none.
    try:
        reply = response.json()
        text, used = reply["choices"][0]["message"]["content"] or "", reply.get("usage") or {}
        return Answer(str(text), int(used.get("prompt_tokens") or 0), int(used.get("completion_tokens") or 0))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return Answer(fault=f"the server sent no message: {response.text[:200]}")
