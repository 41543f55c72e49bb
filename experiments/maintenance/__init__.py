"""Commands that keep pages and notebooks of the project up to date."""
