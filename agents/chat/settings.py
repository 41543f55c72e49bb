"""How a chat dwarf is named: `chat:model=NAME:base_url=URL`, and further settings in the same manner."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from math import isfinite

from saboteur_env.text import PROMPT_SIZES

from ..scripted.presets import PRESETS

# Values may hold colons, as addresses do: a new setting begins where a colon is followed by `name=`.
NEXT = re.compile(r":(?=[a-z_]+=)")


@dataclass(frozen=True)
class Settings:
    """What a chat dwarf plays with.

    Attributes:
        base_url: of the server; that of the client, or of OPENAI_BASE_URL, where empty.
        size: of the prompts (text/prompt.py).
        tries: answers asked for a move before the fallback plays.
        retries: of a request that failed, with the back-off of the client.
        timeout: seconds for one request.
        max_tokens: of one answer; 0 leaves it to the server.
        token_budget, time_budget: tokens and seconds of waiting for all answers together; 0 for no limit. Once spent,
            the fallback plays.
        price_in, price_out: for a million tokens of prompts and of answers, in any currency.
        fallback: a preset dwarf.
        log: folder that keeps every prompt and answer as JSON lines; none where empty.
    """

    model: str
    base_url: str = ""
    size: str = "full"
    tries: int = 3
    retries: int = 4
    timeout: float = 60.0
    max_tokens: int = 0
    token_budget: int = 0
    time_budget: float = 0.0
    price_in: float = 0.0
    price_out: float = 0.0
    fallback: str = "random"
    log: str = ""

    def __post_init__(self) -> None:
        faults = []
        if not self.model:
            faults.append("model: name one")
        if self.size not in PROMPT_SIZES:
            faults.append(f"size: one of {', '.join(PROMPT_SIZES)}, not {self.size!r}")
        if self.fallback not in PRESETS:
            faults.append(f"fallback: one of {', '.join(PRESETS)}, not {self.fallback!r}")
        if self.tries < 1 or self.timeout <= 0:
            faults.append("tries and timeout lie above 0")
        numbers = [self.retries, self.max_tokens, self.token_budget, self.time_budget, self.price_in, self.price_out]
        if not all(isfinite(number) and number >= 0 for number in [*numbers, self.timeout]):
            faults.append("retries, tokens, budgets and prices are 0 or more")
        if faults:
            raise ValueError(f"chat dwarf: {'; '.join(faults)}")

    @classmethod
    def parse(cls, text: str) -> Settings:
        """The settings behind `chat:`. Raises: ValueError that says what is wrong with them."""
        makers = {"str": str, "int": int, "float": float}
        kinds = {field.name: makers[str(field.type)] for field in fields(cls)}
        given: dict[str, object] = {}
        for part in NEXT.split(text):
            name, equals, value = part.partition("=")
            if name in ("key", "api_key"):
                raise ValueError("chat dwarf: a key is taken from OPENAI_API_KEY alone, never from a name")
            if not equals or name not in kinds or name in given:
                raise ValueError(f"chat dwarf: {name!r} is no setting, or is given twice; there are {', '.join(kinds)}")
            try:
                given[name] = kinds[name](value)
            except ValueError:
                raise ValueError(f"chat dwarf: {name} is a number, not {value!r}") from None
        return cls(**{"model": "", **given})  # type: ignore[arg-type]
