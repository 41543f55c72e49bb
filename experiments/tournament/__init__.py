"""Tournaments on paired deals: standings, ratings, pages of single matches."""
