"""A round as game theory has it: chance moves by itself, and a seat never forgets."""
