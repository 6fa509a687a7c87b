"""Grammars: what a line says becomes an Event, what spans lines a record."""
