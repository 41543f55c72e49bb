"""Requests to a server, waiting in this thread or in an event loop; retries and back-off are the client's own."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from saboteur_env.core.extras import extra

from .settings import Settings

with extra("chat"):
    import openai as openai  # for the modules beside this one too

Messages = list[dict[str, str]]
KEY = "OPENAI_API_KEY"


class Answer(NamedTuple):
    """What came back; `fault` says why nothing did."""

    text: str = ""
    prompt_tokens: int = 0
    answer_tokens: int = 0
    fault: str = ""


def client_settings(settings: Settings) -> dict[str, Any]:
    """What a client is made with.

    Raises: ValueError where neither a key nor a server of one's own is given.
    """
    key = os.environ.get(KEY)
    if not key and not settings.base_url:
        raise ValueError(f"chat dwarf: set {KEY}, or name a server of your own that asks for no key: base_url=URL")
    return {
        "api_key": key or "none",
        "base_url": settings.base_url or None,
        "max_retries": settings.retries,
        "timeout": settings.timeout,
    }


def request(settings: Settings, messages: Messages) -> dict[str, Any]:
    """The arguments of a request."""
    limit = {"max_tokens": settings.max_tokens} if settings.max_tokens else {}
    return {"model": settings.model, "messages": messages, **limit}


def ask(client: openai.OpenAI, settings: Settings, messages: Messages) -> Answer:
    """Ask, and wait in this thread."""
    try:
        return answer_of(client.chat.completions.create(**request(settings, messages)))
    except (openai.OpenAIError, ValueError) as error:
        return fault_of(error)


async def ask_async(client: openai.AsyncOpenAI, settings: Settings, messages: Messages) -> Answer:
    """Ask, and let others work meanwhile."""
    try:
        return answer_of(await client.chat.completions.create(**request(settings, messages)))
    except (openai.OpenAIError, ValueError) as error:
        return fault_of(error)


def fault_of(error: Exception) -> Answer:
    """A request that failed, retries included; a refused key stops everything, as no answer will ever come."""
    if isinstance(error, (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError)):
        raise ValueError(f"chat dwarf: the server refuses: {error}") from error
    return Answer(fault=f"{type(error).__name__}: {error}"[:300])


def answer_of(reply: Any) -> Answer:
    """What a server replied; servers differ, and a reply without a message is a fault."""
    try:
        text = reply.choices[0].message.content or ""
        used = reply.usage
        counts = (int(used.prompt_tokens or 0), int(used.completion_tokens or 0)) if used else (0, 0)
        return Answer(str(text), *counts)
    except (AttributeError, IndexError, TypeError, ValueError):
        return Answer(fault=f"the server sent no message: {str(reply)[:200]}")
