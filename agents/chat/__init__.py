"""Dwarfs that ask a language model: any server that speaks the protocol of the `openai` client (extra `chat`)."""
