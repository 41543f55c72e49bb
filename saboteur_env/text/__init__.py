"""The text door: prompts from a view alone, a reader of answers, an environment of texts."""

from .answers import Reading, read_answer, read_beliefs, split_message
from .env import TextEnv
from .prompt import PROMPT_SIZES, ask_beliefs, prompt

__all__ = [
    "PROMPT_SIZES",
    "Reading",
    "TextEnv",
    "ask_beliefs",
    "prompt",
    "read_answer",
    "read_beliefs",
    "split_message",
]
